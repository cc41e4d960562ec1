#include "model/device.h"

#include <algorithm>
#include <charconv>

namespace tfprof {
namespace {

bool IsDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// xla_gpu is a GPU, tpu_system a TPU.
DeviceKind KindOf(std::string_view type) {
  const auto has = [type](std::string_view word) { return type.find(word) != std::string_view::npos; };
  if (has("gpu")) return DeviceKind::kGpu;
  if (has("tpu")) return DeviceKind::kTpu;
  return has("cpu") ? DeviceKind::kCpu : DeviceKind::kOther;
}

// The part of a name between slashes that names a device: device:TYPE:N, cpu:N, gpu:N, tpu:N.
bool ReadPart(std::string_view part, Device* out) {
  constexpr std::string_view kDevice = "device:";
  const bool says_so = part.starts_with(kDevice);
  if (says_so) part.remove_prefix(kDevice.size());
  const size_t colon = part.find(':');
  const std::string_view type = part.substr(0, colon);
  if (!says_so && type != "cpu" && type != "gpu" && type != "tpu") return false;
  if (!says_so && colon == std::string_view::npos) return false;
  out->kind = KindOf(type);
  if (colon != std::string_view::npos && IsDigits(part.substr(colon + 1))) {
    std::from_chars(part.data() + colon + 1, part.data() + part.size(), out->ordinal);
    out->holds_nodes = type == "cpu" || type == "gpu";
  }
  return true;
}

LaneKind LaneKindOf(std::string_view lane) {
  const auto has = [lane](std::string_view word) { return lane.find(word) != std::string_view::npos; };
  if (has("stream:all")) return LaneKind::kAllStreams;
  if (has("memcpy")) return LaneKind::kCopies;
  return has("stream") ? LaneKind::kStream : LaneKind::kDevice;
}

}  // namespace

std::string_view DeviceKindName(DeviceKind kind) {
  constexpr std::string_view kNames[] = {"other", "cpu", "gpu", "tpu"};
  return kNames[static_cast<size_t>(kind)];
}

DeviceParts ParseTensorFlowDevice(std::string_view lower) {
  DeviceParts out;
  bool found = false;
  for (size_t begin = 0, end = 0; begin < lower.size(); begin = end + 1) {
    end = std::min(lower.find('/', begin), lower.size());
    Device device;
    if (!ReadPart(lower.substr(begin, end - begin), &device)) continue;
    found = true;
    out.device = device;
    out.host = lower.substr(0, begin > 0 ? begin - 1 : 0);
    out.lane = lower.substr(std::min(end + 1, lower.size()));
    out.device.holds_nodes &= begin > 0 && end == lower.size();
  }
  const bool all_streams = LaneKindOf(lower) == LaneKind::kAllStreams;
  out.device.lane_kind = all_streams ? LaneKind::kAllStreams : LaneKindOf(found ? out.lane : lower);
  if (out.device.lane_kind == LaneKind::kAllStreams) {
    out.device.track = Track::kAccelerator;
  } else if (out.device.holds_nodes) {
    out.device.track = Track::kCpu;
  }
  return out;
}

std::string HostDeviceName(std::string_view name, const Device& device) {
  const size_t type = device.kind == DeviceKind::kGpu ? name.rfind("gpu:") : std::string_view::npos;
  return type == std::string_view::npos ? std::string(name) : std::string(name.substr(0, type)) + "cpu:0";
}

DeviceKind KindOfAllocator(std::string_view name) {
  return name.find("GPU") != std::string_view::npos ? DeviceKind::kGpu : DeviceKind::kCpu;
}

}  // namespace tfprof
