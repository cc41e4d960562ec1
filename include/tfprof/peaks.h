// What a device can do at most: the roof that float ops and bytes moved are measured against.
#pragma once

#include <string>

namespace tfprof {

struct Peaks {
  double flops = 0, bandwidth = 0;  // of one device, per second; 0: not known
  // Where they come from, for people: "NVIDIA H200, 16-bit matrix products without sparsity, published";
  // where one is not known why, and how to give it.
  std::string flops_rule, bandwidth_rule;
};

}  // namespace tfprof
