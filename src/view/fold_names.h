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
#include <deque>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/string_pool.h"
#include "model/profile.h"

namespace tfprof {

class NameFolder {
 public:
  // `variables`: names of the model's parameters, `state`: of other variables, `names`: of all nodes; they
  // must outlive the folder.
  NameFolder(std::span<const std::string_view> variables, std::span<const std::string_view> state,
             std::span<const std::string_view> names);

  // False: no name of these would be folded.
  bool folds() const { return folds_; }
  // The n-th name, folded. Names of one scope best follow one another.
  void Fold(size_t n, std::string* out);

 private:
  using Parts = std::span<const std::string_view>;  // of a path, one behind the other

  // A scope of variables.
  struct Scope {
    std::map<std::string, uint32_t, std::less<>> scopes;
    std::set<std::string, std::less<>> variables;
    std::string name;                 // its own
    std::set<std::string_view> seen;  // scopes of nodes here, as they are named
    bool numbered = false;            // every scope of nodes has a number behind the layer's name
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

  // What stands before the last part of a name: of a variable, and of others.
  struct Before {
    uint32_t place = kAsItIs;
    bool leaf_tells = false;  // whether it is a variable
    bool variable = false;
    std::string of_variable, of_other;
  };

  static constexpr uint32_t kAsItIs = 0xFFFFFFFF, kVariable = 0xFFFFFFFE;  // instead of places

  void AddVariable(std::string_view name);
  bool IsVariable(std::string_view name) const;
  uint32_t Find(const Scope& scope, std::string_view part) const;
  bool IsModel(std::string_view part) const;
  void FindWrapper(const std::vector<Parts>& all);
  void FindNumbered(const std::vector<Parts>& all);
  void NumberScopes(const std::vector<uint32_t>& scopes);
  void Begin(Parts parts, size_t machinery, Place* place) const;
  bool IsOp(Parts parts, size_t at, bool in_model) const;
  void TakeApart(Parts parts, Place* place);
  void Prepare(uint32_t place);

  std::span<const std::string_view> names_;
  std::vector<Scope> scopes_{Scope()};  // the first is the root
  std::string wrapper_;                 // the scope of the whole model, without a number; "": there is none
  bool wrapper_has_variables_ = false;  // it is a scope of variables too
  StringPool layers_;
  std::vector<bool> with_gradient_;  // by layer
  std::vector<Place> places_;
  std::vector<uint32_t> place_of_;  // by name
  Before before_;                   // of the place that was asked for last
  StringPool nodes_, variables_;
  std::bitset<1 << 16> like_variables_;  // by length and last byte: most nodes are told from them by these
  std::unordered_set<std::string_view> state_scopes_;
  bool folds_ = false;
};

// The names of all nodes, no two alike, by NodeId; empty: they stay as they are. `texts` owns what is new.
std::vector<std::string_view> FoldedNames(const Profile& profile, std::deque<std::string>* texts);

}  // namespace tfprof
