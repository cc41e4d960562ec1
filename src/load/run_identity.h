// Which recording a file belongs to: recorders write `run.json` beside the graph and the steps, with an
// identity and the names of the files. What it does not list was there before, or came later: it is of
// another run.
#pragma once

#include <string>
#include <vector>

#include "load/input_file.h"
#include "tfprof/result.h"

namespace tfprof {

inline constexpr std::string_view kRunIdentityFile = "run.json";

// Leaves out files of a directory that are of another recording than its run.json tells of, with a note each:
// steps that it does not list, and graphs and logs where it lists some.
void LeaveOutOtherRuns(const std::string& directory, std::vector<OpenInput>* files,
                       std::vector<std::string>* notes);

// An error where graph and steps are known to be of different recordings; with keep_going a note.
Status CheckOneRun(const std::vector<OpenInput>& inputs, bool keep_going, std::vector<std::string>* notes);

}  // namespace tfprof
