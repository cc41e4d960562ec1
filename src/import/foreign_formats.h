// Files of other programs that are given to tfprof by mistake, or in hope: what they are, and the way from
// there to something that tfprof reads.
#pragma once

#include <string_view>

namespace tfprof {

struct ForeignFormat {
  std::string_view name;  // "a TensorFlow Lite model (.tflite)"
  bool (*recognise)(std::string_view bytes);
  std::string_view instead;  // what to do; a sentence
};

// The format of bytes that are none of tfprof's inputs; null where it is not known either.
const ForeignFormat* FindForeign(std::string_view bytes);

}  // namespace tfprof
