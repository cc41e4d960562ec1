#include "view/code_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "model/add_figures.h"
#include "model/user_code.h"
#include "view/node_figures.h"

namespace tfprof {
namespace {

constexpr std::string_view kGradientSuffix = " (gradient)";
constexpr size_t kManyLibraryFrames = 15;

std::string_view Basename(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string Shortened(std::string_view text) {
  if (text.size() < 20) return std::string(text);
  size_t end = 17;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not inside a character
  return std::string(text.substr(0, end)) + "...";
}

// Nodes that share a call stack and are gradients, or not: they become one path of the tree.
struct Group {
  StackId stack;
  bool gradient;
  std::string_view first_name;  // decides the order in which paths appear
  std::vector<NodeId> nodes;
};

class CodeTreeBuilder {
 public:
  CodeTreeBuilder(const Profile& profile, const std::vector<bool>& accounted, bool all, Report* report)
      : profile_(profile), accounted_(accounted), all_(all), report_(report) {
    code_.names = std::make_shared<StringPool>();
    frames_.push_back({});  // the root
  }

  Result<CodeTree> Build() {
    if (std::none_of(profile_.stack.begin(), profile_.stack.end(), [](StackId s) { return s.valid(); })) {
      if (profile_.capture) {
        return Error::Input(
            "the code view needs call stacks, and the capture has none: they are part of compiled programs "
            "(HLO), of JAX and of "
            "tf.function(jit_compile=True); for other TensorFlow ops give the op log beside it "
            "(--op_log_path)");
      }
      return Error::Input(
          "the code view needs call stacks, and the input has none. They are in the op log:\n"
          "  TensorFlow 1 and 2: tf.compat.v1.profiler.write_op_log(graph, log_dir, add_trace=True)\n"
          "  then add --op_log_path=LOG_DIR/tfprof_log, or give the directory as input");
    }
    CollectGroups();
    for (const Group& group : groups_) AddPath(group);
    if (!report_->options.classic && !without_stack_.empty()) AddWithoutStack();
    Assemble();
    return std::move(code_);
  }

 private:
  struct FrameEntry {
    StringId name;
    uint32_t parent = 0;
    FrameId frame;
    bool gradient = false;
    std::vector<NodeId> nodes;
    std::vector<uint32_t> children;
  };

  // The forward node whose gradient this is: between the first "gradients/" and the first "_grad/" of the
  // name. Both end with a slash, of which names have few.
  static std::string_view ForwardName(std::string_view name) {
    constexpr std::string_view kBegin = "gradients", kEnd = "_grad";
    constexpr size_t kNone = std::string_view::npos;
    size_t begin = kNone;
    for (size_t slash = name.find('/'); slash != kNone; slash = name.find('/', slash + 1)) {
      const std::string_view before = name.substr(0, slash);
      if (begin == kNone && before.ends_with(kBegin)) begin = slash + 1;
      if (!before.ends_with(kEnd)) continue;
      const size_t end = slash - kEnd.size();
      return begin == kNone || end < begin ? std::string_view() : name.substr(begin, end - begin);
    }
    return {};
  }

  void CollectGroups() {
    std::vector<uint32_t> known(profile_.stacks.size() * 2, kNoIndex);  // group by stack and gradient
    Column<StringId, NodeId> node_of_name;
    int64_t orphans = 0;
    constexpr size_t kAhead = 16;
    for (size_t n = 0; n < profile_.size(); ++n) {
      const NodeId node(n);
      if (n + kAhead < profile_.size()) profile_.strings.Prefetch(profile_.name[NodeId(n + kAhead)]);
      StackId stack = profile_.stack[node];
      if (!stack) {
        if (accounted_[n]) without_stack_.push_back(node);
        continue;
      }
      std::string_view order = profile_.Name(node);
      const std::string_view forward = ForwardName(order);
      const bool gradient = !forward.empty();
      if (gradient) {
        if (node_of_name.empty()) node_of_name = NodesByName();
        const StringId name = profile_.strings.Find(forward);
        const NodeId found = name ? node_of_name[name] : NodeId();
        stack = found ? profile_.stack[found] : StackId();
        if (!stack) {
          ++orphans;
          if (accounted_[n]) without_stack_.push_back(node);
          continue;
        }
        order = forward;
      }
      uint32_t& place = known[size_t{stack.value} * 2 + gradient];
      if (place == kNoIndex) {
        place = static_cast<uint32_t>(groups_.size());
        groups_.push_back({stack, gradient, order, {}});
      }
      Group& group = groups_[place];
      group.first_name = std::min(group.first_name, order);
      group.nodes.push_back(node);
    }
    std::sort(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) {
      return a.gradient != b.gradient ? b.gradient : a.first_name < b.first_name;
    });
    if (orphans > 0 && report_->options.classic) {
      report_->warnings.push_back(
          fmt::format("{} gradient nodes are left out: their forward node has no call stack", orphans));
    }
  }

  Column<StringId, NodeId> NodesByName() const {
    Column<StringId, NodeId> out(profile_.strings.size());
    for (size_t n = profile_.size(); n-- > 0;) out[profile_.name[NodeId(n)]] = NodeId(n);  // the first stays
    return out;
  }

  StringId FrameName(FrameId id, bool gradient) {
    auto [known, fresh] = frame_names_.try_emplace(uint64_t{id.value} << 1 | gradient);
    if (!fresh) return known->second;
    const Frame& frame = profile_.frames[id];
    const auto text = [&](StringId s) { return s ? profile_.strings[s] : std::string_view("none"); };
    std::string name =
        fmt::format("{}:{}:{}", Basename(text(frame.file)), frame.line, Shortened(text(frame.function)));
    const std::string_view source = text(frame.source);
    if (report_->options.source_text && source != "none" && !source.empty()) name += ":" + Shortened(source);
    if (gradient) name += kGradientSuffix;
    return known->second = code_.names->InternCopy(name);
  }

  void AddPath(const Group& group) {
    path_.clear();
    for (StackId s = group.stack; s; s = profile_.stacks[s].caller) path_.push_back(profile_.stacks[s].frame);
    std::reverse(path_.begin(), path_.end());
    FoldLibraryFrames();
    uint32_t at = 0;
    for (FrameId frame : path_) {
      const StringId name = FrameName(frame, group.gradient);
      auto [child, fresh] = children_.try_emplace(uint64_t{at} << 32 | name.value);
      if (fresh) {
        child->second = static_cast<uint32_t>(frames_.size());
        frames_.push_back({name, at, frame, group.gradient, {}, {}});
        frames_[at].children.push_back(child->second);
      }
      at = child->second;
    }
    for (NodeId node : group.nodes) {
      if (accounted_[node.value]) frames_[at].nodes.push_back(node);
    }
  }

  // So that the rows add up to what the other views count.
  void AddWithoutStack() {
    frames_[0].children.push_back(static_cast<uint32_t>(frames_.size()));
    frames_.push_back(
        {code_.names->InternCopy(kNoStack), 0, FrameId(), false, std::move(without_stack_), {}});
  }

  void FoldLibraryFrames() {
    const auto library = [&](FrameId f) {
      const StringId file = profile_.frames[f].file;
      return file && IsLibraryFile(profile_.strings[file]);
    };
    const auto count = static_cast<size_t>(std::count_if(path_.begin(), path_.end(), library));
    if (report_->options.frames == Frames::kAll) {
      if (count > kManyLibraryFrames && !noted_) {
        noted_ = true;
        report_->notes.emplace_back(
            "call stacks are mostly library code; -frames user folds it into your own lines");
      }
      return;
    }
    if (count < path_.size()) std::erase_if(path_, library);  // a stack of library code alone stays as it is
  }

  // Frames without an accounted node in or below them vanish, unless everything is accounted.
  void Assemble() {
    std::vector<bool> kept(frames_.size(), all_);
    for (auto f = static_cast<uint32_t>(frames_.size()); f-- > 1;) {
      kept[f] = kept[f] || !frames_[f].nodes.empty();
      if (kept[f]) kept[frames_[f].parent] = true;
    }
    bool saturated = false;
    std::vector<std::pair<uint32_t, uint32_t>> stack{{0, 0}};  // frame, parent entry
    while (!stack.empty()) {
      const auto [f, parent] = stack.back();
      stack.pop_back();
      FrameEntry& frame = frames_[f];
      const uint32_t own_index = report_->figures.Add();
      for (NodeId node : frame.nodes) report_->figures.AddRow(node.value, own_index, &saturated);
      const bool counts = f != 0 && (all_ || !frame.nodes.empty());
      const std::string_view name = f == 0 ? kRootName : (*code_.names)[frame.name];
      const uint32_t entry = code_.tree.Add(name, parent, own_index, counts);
      code_.nodes.push_back(std::move(frame.nodes));
      code_.frame.push_back(frame.frame);
      code_.gradient.push_back(frame.gradient);
      for (auto c = frame.children.rbegin(); c != frame.children.rend(); ++c) {
        if (kept[*c]) stack.emplace_back(*c, entry);
      }
    }
    code_.tree.Close();
    WarnSaturated(saturated, &report_->warnings);
  }

  const Profile& profile_;
  const std::vector<bool>& accounted_;
  bool all_;
  Report* report_;
  CodeTree code_;
  std::vector<Group> groups_;
  std::vector<FrameEntry> frames_;
  std::unordered_map<uint64_t, uint32_t> children_;     // (parent, name) -> frame
  std::unordered_map<uint64_t, StringId> frame_names_;  // (frame, gradient) -> name
  std::vector<FrameId> path_;
  std::vector<NodeId> without_stack_;  // accounted nodes that no path has
  bool noted_ = false;
};

}  // namespace

Result<CodeTree> BuildCodeTree(const Profile& profile, const std::vector<bool>& accounted,
                               const NameMatcher& account, Report* report) {
  return CodeTreeBuilder(profile, accounted, account.matches_all(), report).Build();
}

}  // namespace tfprof
