#include "model/add_figures.h"

#include "base/checked.h"
#include "model/time.h"

namespace tfprof {

void AddRest(int64_t more, int32_t* rest_picos, int64_t* micros, bool* saturated) {
  const int64_t rest = *rest_picos + more;
  *micros = SaturatingAdd(*micros, MicrosOfPicos(rest), saturated);
  *rest_picos = static_cast<int32_t>(rest % kPicosPerMicro);
}

void AddFigures(const Figures& b, Figures* a, bool* saturated) {
  for (size_t i = 0; i < kFigureCount; ++i) a->value[i] = SaturatingAdd(a->value[i], b.value[i], saturated);
  for (size_t i = 0; i < kTimeCount; ++i) {
    if ((a->rest_picos[i] | b.rest_picos[i]) == 0) continue;
    AddRest(b.rest_picos[i], &a->rest_picos[i], &a->value[IndexOf(ColumnId::kMicros) + i], saturated);
  }
  a->known |= b.known;
}

}  // namespace tfprof
