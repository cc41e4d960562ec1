// What was live at a point of a track, allocation by allocation.
#pragma once

#include "view/memory_track.h"

namespace tfprof {

// `step`: of the track; none: it is of a capture. Fills in all but `at`.
Result<LiveTensors> FindLiveTensors(const Profile& profile, const Step* step, const MemoryTracks& tracks,
                                    const MemoryTrack& track, uint32_t point, const LiveRequest& request);

}  // namespace tfprof
