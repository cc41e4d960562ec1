// 128-bit integers, for products of 64-bit ones.
#pragma once

namespace tfprof {

__extension__ using Wide = __int128;

}  // namespace tfprof
