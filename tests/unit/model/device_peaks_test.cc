#include "model/device_peaks.h"

#include <gtest/gtest.h>

#include "model/captured_run.h"
#include "model/profile_builder.h"

namespace tfprof {
namespace {

// A capture of one device of this model, with one matrix product in numbers of so many bits.
std::shared_ptr<const Profile> Made(const std::string& model, int32_t bits, double told_flops = 0,
                                    double told_bandwidth = 0) {
  ProfileBuilder builder{Detail::kExecutions, false};
  Device gpu;
  gpu.name = builder.profile().strings.InternCopy("/device:gpu:0");
  gpu.kind = DeviceKind::kGpu;
  CapturedRun run;
  CapturedDevice& device = run.devices.emplace_back();
  device.device = builder.AddDevice(gpu);
  device.model = model;
  device.told_flops = told_flops;
  device.told_bandwidth = told_bandwidth;
  const NodeId node = *builder.AddNode("dot", "dot");
  builder.profile().float_ops[node] = 1000;
  Step* step = *builder.AddStep(0);
  builder.Row(*step, node).run_count = 1;
  if (bits > 0) run.products.push_back({node, 1, 8, 8, 8, bits});
  builder.profile().capture = std::make_shared<const CapturedRun>(std::move(run));
  return builder.Finish();
}

TEST(DevicePeaks, ArePublishedOnesByTheTypeOfMostMatrixProducts) {
  const Options options;
  EXPECT_EQ(PeaksOf(*Made("NVIDIA H200", 16), options).flops, 989.4e12);
  EXPECT_EQ(PeaksOf(*Made("NVIDIA H200", 32), options).flops, 494.7e12);
  EXPECT_EQ(PeaksOf(*Made("NVIDIA H200", 0), options).flops, 66.9e12);
  EXPECT_EQ(PeaksOf(*Made("NVIDIA H200", 64), options).flops, 0);
  EXPECT_EQ(PeaksOf(*Made("NVIDIA H200", 16), options).bandwidth, 4.8e12);
  EXPECT_EQ(PeaksOf(*Made("NVIDIA H100 80GB HBM3", 16), options).bandwidth, 3.35e12);
  EXPECT_EQ(PeaksOf(*Made("NVIDIA A100-SXM4-40GB", 16), options).bandwidth, 1.555e12);
}

// Names as drivers tell them; captures have these.
TEST(DevicePeaks, NamesAreFoundByWholeWords) {
  const Options options;
  const auto flops = [&](const char* name) { return PeaksOf(*Made(name, 16), options).flops; };
  const auto bandwidth = [&](const char* name) { return PeaksOf(*Made(name, 16), options).bandwidth; };
  EXPECT_EQ(flops("NVIDIA GB200"), 2500e12);
  EXPECT_EQ(flops("NVIDIA B200"), 2250e12);
  EXPECT_EQ(bandwidth("NVIDIA GH200 480GB"), 4.0e12);
  EXPECT_EQ(flops("NVIDIA H200 NVL"), 835.5e12);
  EXPECT_EQ(flops("NVIDIA H100 PCIe"), 756e12);
  EXPECT_EQ(bandwidth("NVIDIA A100-SXM4-80GB"), 2.039e12);
  EXPECT_EQ(bandwidth("NVIDIA A100 80GB PCIe"), 1.935e12);
  EXPECT_EQ(flops("NVIDIA A10G"), 70e12);
  EXPECT_EQ(flops("NVIDIA L4"), 121e12);
  EXPECT_EQ(flops("NVIDIA L40S"), 362e12);
  EXPECT_EQ(flops("Tesla V100-SXM2-16GB"), 125e12);
  EXPECT_EQ(flops("Tesla V100S-PCIE-32GB"), 130e12);
  EXPECT_EQ(flops("Tesla T4"), 65e12);
  EXPECT_EQ(flops("NVIDIA GeForce RTX 4090"), 165.2e12);
  EXPECT_EQ(flops("AMD Instinct MI300X"), 1307.4e12);
  // Others, which a part of a word would take for one of them.
  for (const char* other :
       {"NVIDIA RTX A4000", "NVIDIA RTX A3000 Laptop GPU", "NVIDIA RTX A1000", "NVIDIA T400",
        "NVIDIA GeForce RTX 4090 Laptop GPU", "NVIDIA GeForce RTX 3090 Ti", "NVIDIA L40G"})
    EXPECT_EQ(flops(other), 0) << other;
}

TEST(DevicePeaks, WhatTheUserSaysWinsThenWhatTheCaptureTells) {
  Options options;
  const auto profile = Made("NVIDIA H200", 16, 123e12, 4.814e12);
  EXPECT_EQ(PeaksOf(*profile, options).flops, 123e12);
  EXPECT_EQ(PeaksOf(*profile, options).bandwidth, 4.814e12);
  options.peak_flops = 5;
  options.peak_bandwidth = 6;
  const Peaks peaks = PeaksOf(*profile, options);
  EXPECT_EQ(peaks.flops, 5);
  EXPECT_EQ(peaks.bandwidth, 6);
  EXPECT_EQ(peaks.flops_rule, "-peak_flops");
}

TEST(DevicePeaks, AnUnknownDeviceSaysHowToGiveThem) {
  const Peaks peaks = PeaksOf(*Made("Acme 1", 16), {});
  EXPECT_EQ(peaks.flops, 0);
  EXPECT_EQ(peaks.bandwidth, 0);
  EXPECT_NE(peaks.flops_rule.find("Acme 1"), std::string::npos);
  EXPECT_NE(peaks.flops_rule.find("-peak_flops"), std::string::npos);
  EXPECT_NE(peaks.bandwidth_rule.find("-peak_bandwidth"), std::string::npos);
}

}  // namespace
}  // namespace tfprof
