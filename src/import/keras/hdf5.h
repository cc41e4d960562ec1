// The objects of an HDF5 file: groups, and datasets with their shapes and types. No data is read, so weights
// of any size cost a few pages. Understood is what the HDF5 library writes unless it is told otherwise:
// superblocks 0 to 3, object headers 1 and 2, groups by symbol table or by links in their header.
//
// Every object, tree node and block of messages is visited once, so that a file that refers to itself ends.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tfprof/result.h"

namespace tfprof {

struct Hdf5Object {
  uint32_t parent = 0;              // of the root, which is object 0, 0; parents come before their children
  std::string_view name;            // of the root ""
  bool dataset = false;             // else a group
  std::vector<int64_t> dims;        // of a dataset
  int32_t dtype = 0;                // its DataType; 0: one that tensors do not have
  std::string_view name_attribute;  // the text of an attribute called "name"
};

bool IsHdf5(std::string_view bytes);

// Views point into `bytes`. Errors say what is not understood, and at which byte.
Result<std::vector<Hdf5Object>> ReadHdf5(std::string_view bytes, std::string_view path);

}  // namespace tfprof
