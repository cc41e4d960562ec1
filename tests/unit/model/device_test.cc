#include "model/device.h"

#include <gtest/gtest.h>

#include "model/profile_builder.h"

namespace tfprof {
namespace {

struct Case {
  const char* name;
  DeviceKind kind;
  int32_t ordinal;
  LaneKind lane;
  Track track;
  bool holds_nodes;
};

TEST(Device, NamesOfTensorFlowSayWhatTheirTimeCountsAs) {
  using K = DeviceKind;
  using L = LaneKind;
  using T = Track;
  const Case cases[] = {
      {"/job:localhost/replica:0/task:0/device:cpu:0", K::kCpu, 0, L::kDevice, T::kCpu, true},
      {"/job:localhost/replica:0/task:0/gpu:12", K::kGpu, 12, L::kDevice, T::kCpu, true},
      {"/gpu:0", K::kGpu, 0, L::kDevice, T::kCpu, true},
      {"cpu:0", K::kCpu, 0, L::kDevice, T::kOther, false},
      {"/job:gpu_worker/replica:0/task:0/cpu:0", K::kCpu, 0, L::kDevice, T::kCpu, true},
      {"/device:gpu:0/stream:all", K::kGpu, 0, L::kAllStreams, T::kAccelerator, false},
      {"/device:gpu:1/stream:14", K::kGpu, 1, L::kStream, T::kOther, false},
      {"/job:localhost/replica:0/task:0/device:gpu:0/memcpy", K::kGpu, 0, L::kCopies, T::kOther, false},
      {"/job:stream/replica:0/task:0/cpu:0", K::kCpu, 0, L::kDevice, T::kCpu, true},
      {"/device:xla_gpu:0", K::kGpu, 0, L::kDevice, T::kOther, false},
      {"/device:tpu:3", K::kTpu, 3, L::kDevice, T::kOther, false},
      {"/device:gpu:x", K::kGpu, -1, L::kDevice, T::kOther, false},
      {"/device:gpu:99999999999", K::kGpu, -1, L::kDevice, T::kCpu, true},
      {"/job:a/replica:0", K::kOther, -1, L::kDevice, T::kOther, false},
      {"", K::kOther, -1, L::kDevice, T::kOther, false},
      {"/", K::kOther, -1, L::kDevice, T::kOther, false},
      {"/device:", K::kOther, -1, L::kDevice, T::kOther, false},
  };
  for (const Case& c : cases) {
    const Device device = ParseTensorFlowDevice(c.name).device;
    EXPECT_EQ(device.kind, c.kind) << c.name;
    EXPECT_EQ(device.ordinal, c.ordinal) << c.name;
    EXPECT_EQ(device.lane_kind, c.lane) << c.name;
    EXPECT_EQ(device.track, c.track) << c.name;
    EXPECT_EQ(device.holds_nodes, c.holds_nodes) << c.name;
  }
}

TEST(Device, HostAndLaneStandBeforeAndBehind) {
  const DeviceParts parts = ParseTensorFlowDevice("/job:w/replica:0/task:1/device:gpu:2/stream:7");
  EXPECT_EQ(parts.host, "/job:w/replica:0/task:1");
  EXPECT_EQ(parts.lane, "stream:7");
  EXPECT_EQ(ParseTensorFlowDevice("/device:gpu:2").host, "");
}

TEST(Device, ANameIsOneDeviceAndTheFirstOneStays) {
  ProfileBuilder builder(Detail::kFigures, false);
  StringPool& strings = builder.profile().strings;
  const DeviceId gpu = builder.TensorFlowDevice(strings.InternCopy("/task:1/device:gpu:0"));
  EXPECT_EQ(builder.TensorFlowDevice(strings.InternCopy("/task:1/device:gpu:0")), gpu);
  Device other;
  other.name = strings.InternCopy("/task:1/device:gpu:0");
  EXPECT_EQ(builder.AddDevice(other), gpu);
  EXPECT_EQ(strings[builder.profile().devices[gpu].host], "/task:1");
  EXPECT_TRUE(builder.profile().devices[gpu].is_accelerator());
}

TEST(Device, TheHostOfAGpuIsItsCpu) {
  const std::string_view name = "/job:w/replica:0/task:1/device:gpu:2";
  EXPECT_EQ(HostDeviceName(name, ParseTensorFlowDevice(name).device), "/job:w/replica:0/task:1/device:cpu:0");
  EXPECT_EQ(HostDeviceName("/cpu:3", ParseTensorFlowDevice("/cpu:3").device), "/cpu:3");
}

}  // namespace
}  // namespace tfprof
