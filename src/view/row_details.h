// What rows say besides figures: devices, types, shapes, input shapes, and the graph nodes behind op and code
// rows. Filled only for what will be printed: a million rows that show bytes alone need none of it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/profile.h"
#include "tfprof/report.h"

namespace tfprof {

class RowDetails {
 public:
  RowDetails(const Profile& profile, bool everything, Report* report)
      : profile_(profile), everything_(everything), report_(report) {}

  void Describe(NodeId node, Row* row);                // a row that is one graph node
  void DescribeMade(std::string_view type, Row* row);  // the root, a scope without a node
  // An op type or a frame; sorts the nodes.
  void DescribeMany(std::vector<NodeId>& nodes, bool is_op, Row* row);

 private:
  bool Wants(ColumnId s) const { return everything_ || report_->options.Selects(s); }
  uint32_t List(std::vector<std::string_view> sorted);
  uint32_t DeviceList(DeviceId device);
  uint32_t SetList(SetId set);
  uint32_t TypeList(NodeId node);
  uint32_t ShapeIndex(ShapeId shape);
  SetId DevicesOf(NodeId node) const;
  Range InputShapes(NodeId node);
  void AddSignatures(const std::vector<NodeId>& nodes, Row* row);
  void AddGraphNodes(const std::vector<NodeId>& nodes, Row* row);

  const Profile& profile_;
  bool everything_;
  Report* report_;
  std::unordered_map<uint32_t, uint32_t> device_lists_, set_lists_, shapes_;
  std::map<std::array<uint32_t, 3>, uint32_t> type_lists_;  // by op, device, extra types
};

}  // namespace tfprof
