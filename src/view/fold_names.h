// Names of TensorFlow's nodes as the layers that a user knows. A training step of Keras names a layer's work
// three ways: `sequential/dense/kernel` is its variable,
// `StatefulPartitionedCall/sequential_1/dense_1/MatMul` its forward pass and
// `StatefulPartitionedCall/gradient_tape/sequential_1/dense_1/MatMul` its gradient. Folded they are
// `dense/kernel`, `dense/(forward)/MatMul` and `dense/(backward)/MatMul`: one row for the layer.
//
// Which scopes are layers is told by the names of variables; the numbers that TensorFlow puts behind a scope
// of a name that is taken are found by comparing both.
#pragma once

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
  std::string Fold(std::string_view name);
  void Fold(std::string_view name, std::string* out);  // the same into a text that is used again

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
    std::string_view rest;  // below the layer
    bool has_rest = false;  // it may be one empty part
    std::string layer;      // "": in none
    uint32_t scope = 0;     // of `scopes_`, as deep as it is known
    bool backward = false;
    bool in_model = false;
    bool in_call = false;  // something was taken off in front
  };

  void AddVariable(std::string_view name);
  uint32_t Find(const Scope& scope, std::string_view part) const;
  bool IsModel(std::string_view part) const;
  void FindWrapper(const std::vector<Parts>& all);
  void FindNumbered(const std::vector<Parts>& all);
  void NumberScopes(const std::vector<uint32_t>& scopes);
  size_t BeginOf(Parts parts, Place* place) const;
  bool IsOp(Parts parts, size_t at, bool in_model) const;
  Place PlaceOf(Parts parts) const;
  const Place& PlaceOfScope(std::string_view scope);

  std::vector<Scope> scopes_{Scope()};  // the first is the root
  std::string wrapper_;                 // the scope of the whole model, without a number; "": there is none
  bool wrapper_has_variables_ = false;  // it is a scope of variables too
  std::set<std::string, std::less<>> with_gradient_;  // layers
  StringPool distinct_;                               // scopes of nodes
  std::vector<Place> places_;                         // by their ids
  StringId last_;  // the scope asked for last: names of one follow one another
  StringPool nodes_, variables_;
  std::unordered_set<std::string_view> state_scopes_;
  bool folds_ = false;
};

// The names of all nodes, no two alike, by NodeId; empty: they stay as they are. `texts` owns what is new.
std::vector<std::string_view> FoldedNames(const Profile& profile, std::deque<std::string>* texts);

}  // namespace tfprof
