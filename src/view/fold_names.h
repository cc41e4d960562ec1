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
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/string_pool.h"
#include "view/part_table.h"

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

  // What parts of `table_` are.
  enum Kind : uint32_t {
    kScope = 1,     // a scope of variables, as the root is
    kVariable = 2,  // a variable
    kSeen = 4,      // a scope of nodes, as it is named
    // Of a scope of variables:
    kHasScopes = 8,
    kHasVariables = 16,
    kNumbered = 32,  // every scope of nodes in it has a number behind the layer's name
  };

  // A scope of nodes, taken apart.
  struct Place {
    StringId layer;         // of `layers_`; none: in none
    std::string_view rest;  // below the layer
    uint32_t begin = 0;     // the part that the name itself begins with
    uint32_t scope = 0;     // of variables, as deep as it is known
    bool has_rest = false;  // it may be one empty part
    bool backward = false;
    bool in_model = false;
  };

  // Where looking for numbers, level by level, has come to in a scope's path.
  struct Walk {
    std::string_view rest;  // of the path; null: it ends
    uint32_t scope = 0;     // of variables
    uint32_t part = 0;      // the last part that was looked at
  };

  // Names that those of all nodes are compared with: most differ from all of them in length or last byte.
  class Alike {
   public:
    void Add(std::string_view name) { like_.set(LengthAndEnd(name)); }
    bool MayHave(std::string_view name) const { return like_[LengthAndEnd(name)]; }

   private:
    static size_t LengthAndEnd(std::string_view name) {
      return (name.size() & 0xFF) << 8 | (name.empty() ? 0 : static_cast<unsigned char>(name.back()));
    }
    std::bitset<1 << 16> like_;
  };

  static constexpr uint32_t kAsItIs = 0xFFFFFFFF, kOfVariable = 0xFFFFFFFE;  // instead of places

  void AddVariable(std::string_view name);
  StringPool FindPlaces(size_t nodes);
  uint32_t Find(uint32_t scope, std::string_view part) const;
  uint32_t FindScope(uint32_t scope, std::string_view name) const;
  bool IsVariable(uint32_t scope, std::string_view name) const;
  bool IsModel(std::string_view part) const;
  Parts Apart(std::string_view path);
  void BeginAll(const StringPool& scopes);
  void FindHeads(const StringPool& scopes);
  void FindNumbered(BigVector<Walk> walks);
  void Begin(Parts parts, Place* place) const;
  bool IsOp(Parts parts, size_t at, bool in_model) const;
  void TakeApart(Parts parts, Place* place);

  Names names_;
  PartTable table_;       // of variables' names, and of what nodes have in their places
  size_t outermost_ = 0;  // so many scopes of variables are in no other
  uint32_t outermost_scope_ = PartTable::kNone;  // the last of them
  std::string_view wrapper_;            // the scope of the whole model, without a number; "": there is none
  bool wrapper_has_variables_ = false;  // it is a scope of variables too
  StringPool layers_;
  std::vector<bool> with_gradient_;  // by layer
  BigVector<Place> places_;
  BigVector<uint32_t> place_of_;         // by name
  std::string_view apart_;               // the path that was taken apart last
  std::vector<std::string_view> parts_;  // its parts
  size_t kept_ = 0;                      // so many were those of the path before
  // How far the last place was in a layer, by parts from its beginning on.
  struct InLayer {
    uint32_t scope = 0;
    uint32_t layer_size = 0;
    bool backward = false;
  };
  std::vector<InLayer> in_layer_;
  uint32_t in_layer_begin_ = 0;
  bool in_layer_in_model_ = false;
  std::string layer_;  // its layer
  StringId layer_id_;
  // Of the place that was asked for last: whether its names are variables, or the name tells.
  uint32_t asked_ = kAsItIs;
  bool leaf_tells_ = false, variable_ = false;
  StringPool variables_;
  Alike like_variables_, like_leaves_;  // whole names, and their last parts
  StringPool heads_;                    // paths up to where places' own names begin
  std::vector<bool> head_is_node_;
  std::unordered_set<std::string_view> state_scopes_;
};

}  // namespace tfprof
