// Profiles for tests, written as text protos, and reports of them as the lines a user sees.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/buffer.h"
#include "base/options_table.h"
#include "import/graph_def.h"
#include "import/op_log.h"
#include "import/profile_proto.h"
#include "import/run_metadata.h"
#include "import/text_proto.h"
#include "model/profile_builder.h"
#include "tfprof/report_kinds.h"
#include "tfprof/view.h"

namespace tfprof {

// Imports text protos one after the other into one builder. Errors are kept: status() is that of the last
// import.
class MadeProfile {
 public:
  explicit MadeProfile(bool keep_going = false, Detail detail = Detail::kFigures)
      : builder_(detail, keep_going) {}

  MadeProfile& Graph(std::string_view text) {
    const WireFile file = Wire("graph", text, import_text::MessageType::kGraphDef);
    status_ = ImportGraphDef(file, file.bytes, builder_);
    return *this;
  }
  MadeProfile& Run(int64_t step, std::string_view text) {
    status_ = ImportRunMetadata(Wire("run", text, import_text::MessageType::kRunMetadata), step, builder_);
    return *this;
  }
  // A run whose records are all on one device.
  MadeProfile& RunOn(int64_t step, std::string_view device, std::string_view node_stats) {
    return Run(step, fmt::format("step_stats {{ dev_stats {{ device: \"{}\" {} }} }}", device, node_stats));
  }
  MadeProfile& Log(std::string_view text) {
    status_ = ImportOpLog(Wire("log", text, import_text::MessageType::kOpLogProto), builder_);
    return *this;
  }
  MadeProfile& Saved(std::string_view text) {
    status_ = ImportProfileProto(Wire("profile", text, import_text::MessageType::kProfileProto), builder_);
    return *this;
  }

  const Status& status() const { return status_; }
  std::string problem() const { return status_ ? "" : status_.error().message; }
  ProfileBuilder& builder() { return builder_; }

  std::shared_ptr<const Profile> Build() {
    EXPECT_TRUE(status_.ok()) << problem();
    return builder_.Finish();
  }

 private:
  WireFile Wire(const char* name, std::string_view text, import_text::MessageType type) {
    Result<std::string> wire = import_text::TextToWire(text, type, name, nullptr);
    EXPECT_TRUE(wire.ok()) << (wire ? "" : wire.error().message);
    auto& buffers = builder_.profile().buffers;
    buffers.emplace_back(wire ? std::move(*wire) : std::string());
    builder_.profile().files.push_back({name, name});
    builder_.SetInput(name, buffers.back().bytes());
    return {name, buffers.back().bytes()};
  }

  ProfileBuilder builder_;
  Status status_;
};

inline constexpr std::string_view kCpu = "/job:j/replica:0/task:0/device:CPU:0";
inline constexpr std::string_view kGpu = "/job:j/replica:0/task:0/device:GPU:0";

inline NodeId NodeNamed(const Profile& profile, std::string_view name) {
  for (size_t n = 0; n < profile.size(); ++n) {
    if (profile.Name(NodeId(n)) == name) return NodeId(n);
  }
  ADD_FAILURE() << "no node " << name;
  return NodeId();
}

inline Options OptionsOf(std::initializer_list<std::pair<const char*, const char*>> values) {
  Options options;
  options.classic = true;
  for (const auto& [name, value] : values) {
    const Status status = SetOption(options, nullptr, name, value);
    EXPECT_TRUE(status.ok()) << name;
  }
  return options;
}

inline Result<Report> MakeTestReport(const std::shared_ptr<const Profile>& profile, ViewKind view,
                                     std::initializer_list<std::pair<const char*, const char*>> options) {
  return MakeReport(profile, view, OptionsOf(options));
}

using Lines = std::vector<std::string>;

inline std::string Written(const Document& document, Format format = Format::kText, bool color = false) {
  std::string text;
  Render(document, format, {color, true}, [&](std::string_view part) { text += part; });
  return text;
}
inline std::string Written(const Report& report, Format format = Format::kText, bool color = false) {
  return Written(*DocumentOf(std::make_shared<const Report>(report)), format, color);
}

// The rows of the text report, below its legend.
inline Lines RowsOf(const std::shared_ptr<const Profile>& profile, ViewKind view,
                    std::initializer_list<std::pair<const char*, const char*>> options) {
  const Result<Report> report = MakeTestReport(profile, view, options);
  if (!report) return {"error: " + report.error().message};
  const std::string text = Written(*report);
  Lines lines;
  size_t at = text.find('\n', text.find("node name |")) + 1;
  while (at < text.size()) {
    const size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

inline bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace tfprof
