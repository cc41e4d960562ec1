// Names of TensorFlow's nodes as the layers that a user knows. A training step of Keras names a layer's work
// three ways: `sequential/dense/kernel` is its variable,
// `StatefulPartitionedCall/sequential_1/dense_1/MatMul` its forward pass and
// `StatefulPartitionedCall/gradient_tape/sequential_1/dense_1/MatMul` its gradient. Folded they are
// `dense/kernel`, `dense/(forward)/MatMul` and `dense/(backward)/MatMul`: one row for the layer.
//
// Which scopes are layers is told by the names of variables; the numbers that TensorFlow puts behind a scope
// of a name that is taken are found by comparing both.
#pragma once

#include <bitset>
#include <functional>
#include <map>
#include <memory_resource>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/string_pool.h"

namespace tfprof {

class NameFolder {
 public:
  // The n-th of all nodes' names.
  using Names = std::function<std::string_view(size_t n)>;
  // `variables`: names of the model's parameters, `state`: of other variables. The texts must outlive the
  // folder.
  NameFolder(std::span<const std::string_view> variables, std::span<const std::string_view> state,
             size_t nodes, Names names);

  // Where no such name is given, all stay as they are, and there is nothing to fold.
  static bool Folds(std::string_view name);

  // A name, folded: what is below a scope, which has a number below scopes(), or the whole of it.
  struct Folded {
    uint32_t scope = kWhole;
    std::string_view name;
  };
  static constexpr uint32_t kWhole = 0xFFFFFFFF;
  // The n-th name. Names of one scope best follow one another.
  Folded operator[](size_t n);
  size_t scopes() const { return 2 * places_.size(); }
  // "": names of it are below nothing.
  std::string Scope(uint32_t scope) const;

 private:
  using Parts = std::span<const std::string_view>;  // of a path, one behind the other

  // A scope of variables.
  struct VariableScope {
    VariableScope(std::string_view part, std::pmr::memory_resource* memory)
        : name(part), scopes(memory), variables(memory), seen(memory) {}

    std::string_view name;  // its own
    std::pmr::map<std::string_view, uint32_t> scopes;
    std::pmr::set<std::string_view> variables;
    std::pmr::set<std::string_view> seen;  // scopes of nodes here, as they are named
    bool numbered = false;                 // every scope of nodes has a number behind the layer's name
  };

  // A scope of nodes, taken apart.
  struct Place {
    StringId layer;         // of `layers_`; none: in none
    std::string_view rest;  // below the layer
    uint32_t begin = 0;     // the part that the name itself begins with
    uint32_t scope = 0;     // of `scopes_`, as deep as it is known
    bool has_rest = false;  // it may be one empty part
    bool backward = false;
    bool in_model = false;
  };

  static constexpr uint32_t kAsItIs = 0xFFFFFFFF, kVariable = 0xFFFFFFFE;  // instead of places

  void AddVariable(std::string_view name);
  bool IsVariable(std::string_view name) const;
  uint32_t Find(const VariableScope& scope, std::string_view part) const;
  bool IsModel(std::string_view part) const;
  Parts Apart(std::string_view path);
  void FindWrapper(const StringPool& scopes);
  void FindNumbered(const StringPool& scopes);
  void NumberScopes(const std::vector<uint32_t>& scopes);
  void Begin(Parts parts, size_t machinery, Place* place) const;
  bool IsOp(Parts parts, size_t at, bool in_model) const;
  void TakeApart(Parts parts, Place* place);

  Names names_;
  std::pmr::monotonic_buffer_resource memory_;         // of the following: many small pieces, freed at once
  std::vector<VariableScope> scopes_{{"", &memory_}};  // the first is the root
  std::string wrapper_;                 // the scope of the whole model, without a number; "": there is none
  bool wrapper_has_variables_ = false;  // it is a scope of variables too
  StringPool layers_;
  std::vector<bool> with_gradient_;  // by layer
  BigVector<Place> places_;
  BigVector<uint32_t> place_of_;         // by name
  std::string_view apart_;               // the path that was taken apart last
  std::vector<std::string_view> parts_;  // its parts
  // Of the place that was asked for last: whether its names are variables, or the name tells.
  uint32_t asked_ = kAsItIs;
  bool leaf_tells_ = false, variable_ = false;
  StringPool nodes_, variables_;
  std::bitset<1 << 16> like_variables_;  // by length and last byte: most nodes are told from them by these
  std::unordered_set<std::string_view> state_scopes_;
};

}  // namespace tfprof
