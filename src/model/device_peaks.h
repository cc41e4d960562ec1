// What the devices of a capture can do at most: as the user says, as the recorder tells, or as published for
// the device's model.
#pragma once

#include "model/profile.h"
#include "tfprof/options.h"
#include "tfprof/peaks.h"

namespace tfprof {

// Of the first accelerator that did something: those of one capture are alike.
Peaks PeaksOf(const Profile& profile, const Options& options);

}  // namespace tfprof
