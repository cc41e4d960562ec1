// Families of TensorFlow's op types that several rooms speak of.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace tfprof {

// Ops that hold a variable, of every generation.
inline constexpr std::array<std::string_view, 4> kVariableOps = {"Variable", "VariableV2", "VarHandleOp",
                                                                 "AutoReloadVariable"};
inline bool IsVariableOp(std::string_view op) {
  return std::find(kVariableOps.begin(), kVariableOps.end(), op) != kVariableOps.end();
}

// Loops as one op, and what loops of TensorFlow 1 are put together of.
inline bool IsWhile(std::string_view op) { return op == "While" || op == "StatelessWhile"; }
inline bool IsEnter(std::string_view op) { return op == "Enter" || op == "RefEnter"; }
inline bool IsExit(std::string_view op) { return op == "Exit" || op == "RefExit"; }
inline bool IsMerge(std::string_view op) { return op == "Merge" || op == "RefMerge"; }
inline bool IsNextIteration(std::string_view op) { return op == "NextIteration" || op == "RefNextIteration"; }

// Branches.
inline bool IsIf(std::string_view op) { return op == "If" || op == "StatelessIf"; }
inline bool IsCase(std::string_view op) { return op == "Case" || op == "StatelessCase"; }

}  // namespace tfprof
