#include "model/device_peaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "model/captured_run.h"

namespace tfprof {
namespace {

// Published peaks: float ops per second of matrix products in 16 bits (bf16, fp16, sums in fp32) and of
// 32-bit numbers with the tensor cores (TF32; without them plain fp32), dense, that is without the doubling
// for sparse matrices; of plain fp32; and bytes per second of the memory. Captures of TPUs tell their own.
struct Published {
  std::string_view model;  // words of the name that the driver tells; the first that fits counts
  double matrix16, matrix32, plain32, bandwidth;
};

constexpr Published kPublished[] = {
    // "NVIDIA Blackwell Architecture Technical Brief": GB200, HGX B200 and HGX B100, of one GPU; what it has
    // with sparsity alone is halved.
    {"GB200", 2500e12, 1250e12, 90e12, 8.0e12},
    {"B200", 2250e12, 1100e12, 80e12, 8.0e12},
    {"B100", 1750e12, 900e12, 60e12, 8.0e12},
    // NVIDIA GH200, H200 and H100 datasheets; the figures with sparsity there halved. GH200 with HBM3.
    {"GH200 480GB", 989.4e12, 494.7e12, 66.9e12, 4.0e12},
    {"H200 NVL", 835.5e12, 417.5e12, 60e12, 4.8e12},
    {"H200", 989.4e12, 494.7e12, 66.9e12, 4.8e12},
    {"H100 PCIe", 756e12, 378e12, 51e12, 2.0e12},
    {"H100 NVL", 835.5e12, 417.5e12, 60e12, 3.9e12},
    {"H100", 989.4e12, 494.7e12, 66.9e12, 3.35e12},
    // NVIDIA A100, A40, A30 and A10 datasheets; A10G as its cloud publishes it.
    {"A100-SXM4-40GB", 312e12, 156e12, 19.5e12, 1.555e12},
    {"A100-PCIE-40GB", 312e12, 156e12, 19.5e12, 1.555e12},
    {"A100 80GB PCIe", 312e12, 156e12, 19.5e12, 1.935e12},
    {"A100", 312e12, 156e12, 19.5e12, 2.039e12},
    {"A40", 149.7e12, 74.8e12, 37.4e12, 0.696e12},
    {"A30", 165e12, 82e12, 10.3e12, 0.933e12},
    {"A10G", 70e12, 35e12, 35e12, 0.6e12},
    {"A10", 125e12, 62.5e12, 31.2e12, 0.6e12},
    // NVIDIA L40S, L40 and L4 datasheets; L4's figures with sparsity halved.
    {"L40S", 362e12, 183e12, 91.6e12, 0.864e12},
    {"L40", 181e12, 90.5e12, 90.5e12, 0.864e12},
    {"L4", 121e12, 60e12, 30.3e12, 0.3e12},
    // NVIDIA V100, V100S and T4 datasheets: no TF32.
    {"V100S", 130e12, 16.4e12, 16.4e12, 1.134e12},
    {"V100-PCIE", 112e12, 14e12, 14e12, 0.9e12},
    {"V100", 125e12, 15.7e12, 15.7e12, 0.9e12},
    {"T4", 65e12, 8.1e12, 8.1e12, 0.32e12},
    // "NVIDIA Ada GPU Architecture" and "NVIDIA Ampere GA102 GPU Architecture", sums in fp32.
    {"GeForce RTX 4090", 165.2e12, 82.6e12, 82.6e12, 1.008e12},
    {"GeForce RTX 3090", 71e12, 35.6e12, 35.6e12, 0.936e12},
    // AMD Instinct MI300X and MI250X data sheets; of MI250X one of its two dies, which is a device of its
    // own.
    {"MI300X", 1307.4e12, 653.7e12, 163.4e12, 5.3e12},
    {"MI250X", 191.5e12, 47.9e12, 23.9e12, 1.6e12},
};

bool IsWordChar(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

// Whole words: an RTX A4000 is no A40. Of the GeForce ones the whole rest: a "Ti", "D" or "Laptop GPU" is
// another chip.
bool Fits(std::string_view name, std::string_view model) {
  const size_t at = name.find(model);
  if (at == std::string_view::npos || (at > 0 && IsWordChar(name[at - 1]))) return false;
  const std::string_view rest = name.substr(at + model.size());
  return model.starts_with("GeForce") ? rest.empty() : rest.empty() || !IsWordChar(rest[0]);
}

const Published* PublishedOf(std::string_view name) {
  const auto* found =
      std::ranges::find_if(kPublished, [&](const Published& p) { return Fits(name, p.model); });
  return found == std::end(kPublished) ? nullptr : found;
}

// The size of the numbers that most of the float ops in matrix products were done with; 0: there are none.
int32_t ProductBits(const Profile& profile) {
  double most[3] = {0, 0, 0};  // up to 16 bits, 32, more
  for (const MatrixProduct& product : profile.capture->products) {
    const size_t size = product.element_bits <= 16 ? 0 : product.element_bits <= 32 ? 1 : 2;
    most[size] += static_cast<double>(std::max<int64_t>(0, profile.float_ops[product.node])) *
                  profile.StepsRun(product.node);
  }
  const auto* largest = std::ranges::max_element(most);
  constexpr int32_t kBits[] = {16, 32, 64};
  return *largest > 0 ? kBits[largest - most] : 0;
}

void SetFlops(const Profile& profile, const CapturedDevice& device, const Published* published, Peaks* out) {
  constexpr std::string_view kHow = "give it with -peak_flops, as 989T";
  if (device.told_flops > 0) {
    out->flops = device.told_flops;
    out->flops_rule = "as the capture tells";
    return;
  }
  if (published == nullptr) {
    out->flops_rule = device.model.empty()
                          ? fmt::format("the capture does not name the device: {}", kHow)
                          : fmt::format("no published peak of {} is known here: {}", device.model, kHow);
    return;
  }
  switch (ProductBits(profile)) {
    case 16:
      out->flops = published->matrix16;
      out->flops_rule = fmt::format("published for {}, dense 16-bit matrix products", published->model);
      break;
    case 32:
      out->flops = published->matrix32;
      out->flops_rule = fmt::format("published for {}, dense 32-bit matrix products (TF32 where it has it)",
                                    published->model);
      break;
    case 0:
      out->flops = published->plain32;
      out->flops_rule =
          fmt::format("published for {}, 32-bit arithmetic: there are no matrix products", published->model);
      break;
    default:
      out->flops_rule = fmt::format("matrix products have more than 32 bits: {}", kHow);
  }
}

}  // namespace

Peaks PeaksOf(const Profile& profile, const Options& options) {
  Peaks out;
  out.flops_rule = "only captures of accelerators tell the device: give it with -peak_flops, as 989T";
  out.bandwidth_rule = "only captures of accelerators tell the device: give it with -peak_bandwidth, as 4.8T";
  const CapturedDevice* device = nullptr;
  if (profile.capture) {
    const auto did = std::ranges::find_if(profile.capture->devices, [&](const CapturedDevice& d) {
      return profile.devices[d.device].is_accelerator();
    });
    if (did != profile.capture->devices.end()) device = &*did;
  }
  if (device != nullptr) {
    const Published* published = PublishedOf(device->model);
    SetFlops(profile, *device, published, &out);
    if (device->told_bandwidth > 0) {
      out.bandwidth = device->told_bandwidth;
      out.bandwidth_rule = "as the capture tells";
    } else if (published != nullptr) {
      out.bandwidth = published->bandwidth;
      out.bandwidth_rule = fmt::format("published for {}", published->model);
    } else {
      out.bandwidth_rule = "the capture does not tell it: give it with -peak_bandwidth, as 4.8T";
    }
  }
  if (options.peak_flops > 0) {
    out.flops = options.peak_flops;
    out.flops_rule = "-peak_flops";
  }
  if (options.peak_bandwidth > 0) {
    out.bandwidth = options.peak_bandwidth;
    out.bandwidth_rule = "-peak_bandwidth";
  }
  return out;
}

}  // namespace tfprof
