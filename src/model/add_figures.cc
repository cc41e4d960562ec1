#include "model/add_figures.h"

#include "base/checked.h"
#include "model/time.h"

namespace tfprof {

void AddFigures(const Figures& b, Figures* a, bool* saturated) {
  for (size_t i = 0; i < kFigureCount; ++i) a->value[i] = SaturatingAdd(a->value[i], b.value[i], saturated);
  for (size_t i = 0; i < kTimeCount; ++i) {
    if ((a->rest_picos[i] | b.rest_picos[i]) == 0) continue;
    int64_t& micros = a->value[IndexOf(ColumnId::kMicros) + i];
    const int64_t rest = int64_t{a->rest_picos[i]} + b.rest_picos[i];
    micros = SaturatingAdd(micros, MicrosOfPicos(rest), saturated);
    a->rest_picos[i] = static_cast<int32_t>(rest % kPicosPerMicro);
  }
  a->known |= b.known;
}

}  // namespace tfprof
