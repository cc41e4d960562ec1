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
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/string_pool.h"
#include "view/part_table.h"

namespace tfprof {

class NameFolder {
 public:
  // `variables`: names of the model's parameters, `state`: of other variables, `nodes`: of all nodes. Texts
  // and pool must outlive the folder.
  NameFolder(std::span<const std::string_view> variables, std::span<const std::string_view> state,
             const StringPool& pool, std::span<const StringId> nodes);

  // Where no such name is given, all stay as they are, and there is nothing to fold.
  static bool Folds(std::string_view name);

  // The scope of the n-th name, a number below scopes(), or kWhole; and what the name is below it, or the
  // whole of it. Most scopes are told without a look at the name.
  static constexpr uint32_t kWhole = 0xFFFFFFFF;
  uint32_t ScopeOf(size_t n) const;
  std::string_view NameOf(size_t n) const;
  // The n-th name is waited for while something else is done.
  void Ask(size_t n) const;
  // Scopes of nodes behind their layers have the numbers of their places, those of layers come after these.
  size_t scopes() const { return places_.size() + kHeads * layers_.size(); }
  // The parts of its path; none: names of it are below nothing.
  void PartsOf(uint32_t scope, std::vector<std::string_view>* parts) const;
  // The same as one part below another scope; kWhole: it is not.
  struct Folded {
    uint32_t scope = kWhole;
    std::string_view name;
  };
  Folded Below(uint32_t scope) const;

 private:
  // What parts of `table_` are.
  enum Kind : uint32_t {
    kScope = 1,     // a scope of variables, as the root is
    kVariable = 2,  // a variable
    kSeen = 4,      // a scope of nodes has its name
    // Of a scope of variables:
    kHasScopes = 8,
    kHasVariables = 16,
    kNumbered = 32,  // every scope of nodes in it has a number behind the layer's name
  };

  // What is known of a scope of nodes by the parts of its path, each found from the one above.
  enum Fact : uint32_t {
    kHasNodes = 1,        // nodes themselves are in it
    kMachinery = 2,       // all parts are the machinery's
    kInModel = 4,         // behind the model's own scope
    kRepeats = 8,         // begins with that, behind the machinery: a loop's body has it once more
    kTellsGradient = 16,  // since then a part told of gradients
    kNotBegun = 32,       // its own name begins behind it
    kBehind = 64,         // its own name does not begin at the beginning
    kIsNode = 128,        // a node has its name, where that is its first own part
    kBackward = 256,
    kLayerEnds = 512,  // what is below it is not in a further layer
    kRest = 1024,      // its last part is behind the layer
  };
  struct State {
    uint32_t layer = 0;  // of `layers_`; none: in none
    uint32_t scope = 0;  // of variables, as deep as it is known
  };
  // What is added to the path of a layer, or to none.
  enum Added : uint32_t {
    kForward = 1,  // without a layer: that it has none
    kBackwards = 2,
  };
  static constexpr uint32_t kHeads = 4;  // for each layer: what may be added to it

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

  // Where a name is: its scope's place, or one of the last two instead.
  static constexpr uint32_t kMayBeVariable = 1u << 31;  // with a place: its last part, of the scope's layer
  static constexpr uint32_t kPlace = kMayBeVariable - 1;
  static constexpr uint32_t kAsItIs = 0xFFFFFFFF, kOfVariable = 0xFFFFFFFE;
  static bool HasPlace(uint32_t where) { return where < kOfVariable; }
  static constexpr uint32_t kNowhere = 0xFFFFFFFF;  // instead of a number of a table

  void AddVariables(std::span<const std::string_view> names);
  void FindPlaces();
  void FindMachinery();
  void FindModel();
  // What places are among variables' scopes, as they are walked through together.
  struct Walk {
    uint32_t scope = kNowhere;  // that a place is looked up in
    uint32_t child = 0;         // what it is there; none: no scope
  };
  BigVector<Walk> FindNumbered();
  void FindHeads();
  void FindLayers(const BigVector<Walk>& walks);
  void FindLayer(uint32_t place, const Walk& walk);

  uint32_t Find(uint32_t scope, std::string_view part) const;
  uint32_t Find(uint32_t scope, std::string_view part, uint32_t namesake) const;
  uint32_t FindScope(uint32_t scope, std::string_view name) const;
  bool IsVariable(uint32_t scope, std::string_view name) const;
  bool IsModel(std::string_view part) const;
  bool IsOp(uint32_t place) const;
  uint32_t Above(uint32_t place) const { return places_[place].scope; }
  uint32_t HeadOf(uint32_t place, bool variable) const;
  uint32_t HeadOfRest(uint32_t place) const {
    return HeadOf(place, states_[place].scope != PartTable::kNone);
  }
  bool IsFirst(uint32_t place) const;

  std::string_view Name(size_t n) const { return pool_[nodes_[n]]; }

  const StringPool& pool_;
  std::span<const StringId> nodes_;
  PartTable table_;                              // of variables' names
  size_t outermost_ = 0;                         // so many scopes of variables are in no other
  uint32_t outermost_scope_ = PartTable::kNone;  // the last of them
  std::string_view wrapper_;            // the scope of the whole model, without a number; "": there is none
  bool wrapper_has_variables_ = false;  // it is a scope of variables too
  PartTable places_;                    // scopes of nodes, with their Facts; those above come first
  BigVector<State> states_;             // of them
  BigVector<uint32_t> where_;           // by name
  PartTable layers_;
  std::vector<bool> with_gradient_;  // by layer
  StringPool variables_;
  Alike like_variables_, like_leaves_;  // whole names, and their last parts
  std::unordered_set<std::string_view> state_scopes_;
};

}  // namespace tfprof
