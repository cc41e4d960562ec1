#include "import/foreign_formats.h"

#include <algorithm>
#include <vector>

#include "import/keras/hdf5.h"
#include "import/keras/zip.h"
#include "import/sniff.h"

namespace tfprof {
namespace {

template <class Test>
bool AnyEntry(std::string_view bytes, Test test) {
  if (!IsZip(bytes)) return false;
  const Result<std::vector<ZipEntry>> entries = ReadZip(bytes, "");
  return entries && std::ranges::any_of(*entries, test, &ZipEntry::name);
}

bool IsTorchZip(std::string_view bytes) {
  return AnyEntry(bytes, [](std::string_view name) { return name.ends_with("/data.pkl"); });
}

bool IsTorchScript(std::string_view bytes) {
  return IsTorchZip(bytes) &&
         AnyEntry(bytes, [](std::string_view name) { return name.ends_with("/constants.pkl"); });
}

bool IsNpz(std::string_view bytes) {
  return AnyEntry(bytes, [](std::string_view name) { return name.ends_with(".npy"); });
}

// ModelProto { ir_version 1, producer_name 2, producer_version 3, domain 4, model_version 5, doc_string 6,
// graph 7, opset_import 8, ... }
bool IsOnnx(std::string_view bytes) {
  bool version = false, model = false;
  const bool known = AllFields(bytes, [&](const Field& f) {
    version |= f.number == 1 && f.is_varint() && f.value < 1000;
    model |= (f.number == 7 || f.number == 8) && f.is_bytes();
    return (f.number == 1 || f.number == 5) ? f.is_varint() : f.is_bytes() && f.number <= 25;
  });
  return known && version && model;
}

bool IsSafetensors(std::string_view bytes) {
  return bytes.size() > 10 && bytes[7] == '\0' && bytes[6] == '\0' && bytes.substr(8, 2) == "{\"";
}

constexpr ForeignFormat kForeign[] = {
    {"an HDF5 file (.h5, .hdf5), as Keras saved models and weights in earlier versions", IsHdf5,
     "Load it with Keras and export the model: keras.models.load_model(FILE).export('dir'), then give dir; "
     "or "
     ".save('model.keras') for `tfprof model`."},
    {"a TensorFlow Lite model (.tflite)",
     [](std::string_view bytes) { return bytes.size() > 8 && bytes.substr(4, 4) == "TFL3"; },
     "Give the SavedModel that it was converted from."},
    {"a TorchScript program (PyTorch)", IsTorchScript,
     "tfprof reads models of TensorFlow and JAX; there is no way from here."},
    {"a file of torch.save (PyTorch)", IsTorchZip,
     "tfprof reads models of TensorFlow and JAX; there is no way from here."},
    {"arrays of NumPy (.npz)", IsNpz,
     "It holds values without a model: give the graph, the SavedModel or the checkpoint that they come "
     "from."},
    {"an array of NumPy (.npy)", [](std::string_view bytes) { return bytes.starts_with("\x93NUMPY"); },
     "It holds values without a model: give the graph, the SavedModel or the checkpoint that they come "
     "from."},
    {"a safetensors file", IsSafetensors,
     "It holds weights without a model: load them into it and export that (model.export('dir')), then give "
     "dir."},
    {"a GGUF file", [](std::string_view bytes) { return bytes.starts_with("GGUF"); },
     "It holds weights for another runtime: give the model that it was made from."},
    {"a trace of chrome://tracing (JSON)",
     [](std::string_view bytes) {
       const std::string_view begin = bytes.substr(0, 4096);
       return begin.find('{') != std::string_view::npos &&
              begin.find("\"traceEvents\"") != std::string_view::npos;
     },
     "It was made for viewing: give what it was made from, run metadata or the *.xplane.pb beside it."},
    {"an ONNX model", IsOnnx, "Give the SavedModel that it was converted from."},
    {"a zip archive", IsZip, "It is no .keras archive either; unpack it and give what it holds."},
};

}  // namespace

const ForeignFormat* FindForeign(std::string_view bytes) {
  const auto* found =
      std::ranges::find_if(kForeign, [&](const ForeignFormat& format) { return format.recognise(bytes); });
  return found == std::end(kForeign) ? nullptr : found;
}

}  // namespace tfprof
