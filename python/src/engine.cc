// tfprof._engine: the calls of include/tfprof for Python. It checks nothing that the package has checked, but
// no argument can bring the interpreter down. Profiles and reports are capsules; both are immutable, so
// threads may share them. The GIL is released while the engine works.
#include <algorithm>
#include <utility>

#include "base/atomic_file.h"
#include "base/options_table.h"
#include "cli/command.h"
#include "cli/run.h"
#include "convert.h"
#include "guarded.h"
#include "tables.h"
#include "tfprof/diff.h"
#include "tfprof/profile.h"
#include "tfprof/report_kinds.h"
#include "tfprof/site.h"
#include "tfprof/stacks.h"
#include "tfprof/timeline.h"
#include "tfprof/version.h"
#include "tfprof/view.h"

namespace tfprof::python {
namespace {

constexpr const char* kProfile = "tfprof.Profile";
constexpr const char* kReport = "tfprof.Report";
constexpr const char* kDocument = "tfprof.Document";
constexpr const char* kSite = "tfprof.Site";

using SharedProfile = std::shared_ptr<const Profile>;
using SharedReport = std::shared_ptr<const Report>;
using SharedDocument = std::shared_ptr<const Document>;

template <class T>
PyObject* Capsule(std::shared_ptr<T> value, const char* name) {
  auto owned = std::make_unique<std::shared_ptr<T>>(std::move(value));
  PyObject* capsule = PyCapsule_New(owned.get(), name, [](PyObject* self) {
    delete static_cast<std::shared_ptr<T>*>(PyCapsule_GetPointer(self, PyCapsule_GetName(self)));
  });
  if (capsule) owned.release();
  return capsule;
}

// Null: an exception is set.
template <class T>
const std::shared_ptr<T>* Get(PyObject* capsule, const char* name) {
  return static_cast<const std::shared_ptr<T>*>(PyCapsule_GetPointer(capsule, name));
}

// (first, second), whose references are taken over.
PyObject* Pair(PyObject* first, PyObject* second) {
  const Ref a(first), b(second);
  return a && b ? PyTuple_Pack(2, first, second) : nullptr;
}

bool ViewNamed(const char* name, ViewKind* out) {
  for (const ViewKind view : {ViewKind::kScope, ViewKind::kGraph, ViewKind::kOp, ViewKind::kCode}) {
    if (ViewName(view) == name) return *out = view, true;
  }
  PyErr_Format(PyExc_ValueError, "'%s' is no view: scope, graph, op or code", name);
  return false;
}

// load(options, files, executions) -> (profile, notes)
PyObject* LoadInputs(PyObject* module, PyObject* args) {
  return Guarded([&]() -> PyObject* {
    PyObject *pairs = nullptr, *files = nullptr;
    int executions = 0;
    Options options;
    const Ref error(InputError(module));
    if (!PyArg_ParseTuple(args, "OOp", &pairs, &files, &executions) ||
        !ReadOptions(pairs, files, error.get(), &options)) {
      return nullptr;
    }
    const auto loaded = [&] {
      const WithoutGil released;
      return Load(options, executions ? LoadDetail::kExecutions : LoadDetail::kFigures);
    }();
    if (!loaded) return Raise(loaded.error(), error.get());
    return Pair(Capsule(loaded->profile, kProfile), Texts(loaded->notes));
  });
}

// report(profile, view, options) -> (report, columns)
PyObject* ReportOn(PyObject* module, PyObject* args) {
  return Guarded([&]() -> PyObject* {
    PyObject *capsule = nullptr, *pairs = nullptr;
    const char* name = nullptr;
    Options options;
    ViewKind view = ViewKind::kScope;
    const Ref error(InputError(module)), none(PyTuple_New(0));
    if (!PyArg_ParseTuple(args, "OsO", &capsule, &name, &pairs) || !ViewNamed(name, &view)) return nullptr;
    const auto* profile = Get<const Profile>(capsule, kProfile);
    if (!profile || !ReadOptions(pairs, none.get(), error.get(), &options)) return nullptr;
    auto report = [&] {
      const WithoutGil released;
      return MakeReport(*profile, view, options, ReportDetail::kEverything);
    }();
    if (!report) return Raise(report.error(), error.get());
    const auto shared = std::make_shared<const Report>(std::move(*report));
    return Pair(Capsule(shared, kReport), DescribeReport(*shared));
  });
}

std::vector<std::string> OptionsOf(const ReportKind& kind) {
  std::vector<std::string> out;
  const cli::Command* command = cli::FindCommand(kind.name);
  for (const OptionSpec& option : OptionsTable()) {
    if (command && cli::UsesOption(*command, option)) out.emplace_back(option.name);
  }
  return out;
}

// kinds() -> (name, whether it needs a profile, and single executions, whether it counts float ops, what it
// takes, what it is, its options) each
PyObject* Kinds(PyObject*, PyObject*) {
  return Guarded([]() -> PyObject* {
    Ref out(PyList_New(0));
    for (const ReportKind& kind : ReportKinds()) {
      const Ref name(Text(kind.name)), loads(PyBool_FromLong(kind.loads.has_value())),
          executions(PyBool_FromLong(kind.loads == LoadDetail::kExecutions)),
          counts(PyBool_FromLong(kind.float_ops)), arguments(Text(kind.arguments)),
          summary(Text(kind.summary)), options(Texts(OptionsOf(kind)));
      if (!out || !name || !loads || !executions || !counts || !arguments || !summary || !options)
        return nullptr;
      const Ref row(PyTuple_Pack(7, name.get(), loads.get(), executions.get(), counts.get(), arguments.get(),
                                 summary.get(), options.get()));
      if (!row || PyList_Append(out.get(), row.get()) != 0) return nullptr;
    }
    return out.release();
  });
}

// make(kind, profile or None, options, files, all that JSON carries = True) -> (document, warnings, notes)
PyObject* MakeDocument(PyObject* module, PyObject* args) {
  return Guarded([&]() -> PyObject* {
    PyObject *capsule = nullptr, *pairs = nullptr, *files = nullptr;
    const char* name = nullptr;
    ReportRequest request;
    const Ref error(InputError(module));
    int everything = 1;
    if (!PyArg_ParseTuple(args, "sOOO|p", &name, &capsule, &pairs, &files, &everything)) return nullptr;
    request.detail = everything ? ReportDetail::kEverything : ReportDetail::kSelected;
    const ReportKind* kind = FindReportKind(name);
    const bool loaded = !Py_IsNone(capsule);
    if (!kind || loaded != kind->loads.has_value()) {
      return PyErr_Format(PyExc_ValueError, "'%s' is no kind of report, or not one of this input", name);
    }
    const auto* profile = loaded ? Get<const Profile>(capsule, kProfile) : nullptr;
    if ((loaded && !profile) || !ReadOptions(pairs, files, error.get(), &request.options)) return nullptr;
    if (profile) request.profile = *profile;
    const auto made = [&] {
      const WithoutGil released;
      return kind->make(request);
    }();
    if (!made) return Raise(made.error(), error.get());
    std::vector<std::string> warnings = made->problems, notes;
    for (const ReportMessage& message : made->messages)
      (message.is_warning ? warnings : notes).push_back(message.text);
    const Ref document(Capsule(made->document, kDocument)), first(Texts(warnings)), second(Texts(notes));
    if (!document || !first || !second) return nullptr;
    return PyTuple_Pack(3, document.get(), first.get(), second.get());
  });
}

// render(report or document, format) -> bytes
PyObject* RenderAs(PyObject*, PyObject* args) {
  return Guarded([&]() -> PyObject* {
    PyObject* capsule = nullptr;
    const char* format = nullptr;
    if (!PyArg_ParseTuple(args, "Os", &capsule, &format)) return nullptr;
    PrintOptions print;
    const Status known = FindOption("format")->set_print(print, format);
    if (!known || print.format >= Format::kChrome)
      return PyErr_Format(PyExc_ValueError, "'%s' is no format of reports: text, json, csv, markdown or html",
                          format);
    SharedDocument document;
    if (PyCapsule_IsValid(capsule, kReport)) {
      document = DocumentOf(*Get<const Report>(capsule, kReport));
    } else if (const auto* held = Get<const Document>(capsule, kDocument)) {
      document = *held;
    } else {
      return nullptr;
    }
    std::string out;
    {
      const WithoutGil released;
      Render(*document, print.format, {}, [&out](std::string_view text) { out += text; });
    }
    return Bytes(out);
  });
}

std::vector<std::string> BrokenLimits(const Comparison& comparison) {
  std::vector<std::string> out;
  for (const LimitOutcome& limit : comparison.limits) {
    for (const LimitBreak& broken : limit.broken_by)
      out.push_back(limit.text + " is broken by " + DescribeBreak(limit, broken));
    if (limit.checked == 0) out.push_back(limit.text + " matches no row of any input");
  }
  return out;
}

// compare(options, files) -> (report, columns, notes, broken limits)
PyObject* CompareInputs(PyObject* module, PyObject* args) {
  return Guarded([&]() -> PyObject* {
    PyObject *pairs = nullptr, *files = nullptr;
    Options options;
    const Ref error(InputError(module));
    if (!PyArg_ParseTuple(args, "OO", &pairs, &files) || !ReadOptions(pairs, files, error.get(), &options))
      return nullptr;
    std::vector<std::string> notes;
    auto report = [&]() -> Result<Report> {
      const WithoutGil released;
      Result<DiffInputs> inputs = LoadDiff(options);
      if (!inputs) return inputs.error();
      notes = inputs->notes;
      return Compare(std::move(*inputs), options);
    }();
    if (!report) return Raise(report.error(), error.get());
    const auto shared = std::make_shared<const Report>(std::move(*report));
    const Ref first(Capsule(shared, kReport)), second(DescribeReport(*shared)), third(Texts(notes)),
        fourth(Texts(BrokenLimits(*shared->comparison)));
    if (!first || !second || !third || !fourth) return nullptr;
    return PyTuple_Pack(4, first.get(), second.get(), third.get(), fourth.get());
  });
}

// serialize(profile) -> bytes of a ProfileProto
PyObject* Serialize(PyObject*, PyObject* args) {
  return Guarded([&]() -> PyObject* {
    PyObject* capsule = nullptr;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return nullptr;
    const auto* profile = Get<const Profile>(capsule, kProfile);
    if (!profile) return nullptr;
    std::string bytes;
    {
      const WithoutGil released;
      bytes = SerializeProfile(**profile);
    }
    return Bytes(bytes);
  });
}

// timeline(profile, report, path, one file) -> files written
PyObject* WriteTimelineOf(PyObject* module, PyObject* args) {
  return Guarded([&]() -> PyObject* {
    PyObject *first = nullptr, *second = nullptr, *third = nullptr;
    int one_file = 0;
    TimelineRequest request;
    const Ref error(InputError(module));
    if (!PyArg_ParseTuple(args, "OOOp", &first, &second, &third, &one_file)) return nullptr;
    const auto* profile = Get<const Profile>(first, kProfile);
    const auto* report = profile ? Get<const Report>(second, kReport) : nullptr;
    if (!report || !ReadText(third, &request.path)) return nullptr;
    request.format = TimelineFormatOf(request.path);
    request.one_file = one_file != 0;
    const auto written = [&] {
      const WithoutGil released;
      return WriteTimeline(**profile, **report, request);
    }();
    if (!written) return Raise(written.error(), error.get());
    std::vector<std::string> paths;
    for (const TimelineFile& file : written->files) paths.push_back(file.path);
    return Texts(paths);
  });
}

// stacks(report, "pprof" or "folded", path) -> what the file lacks
PyObject* WriteStacksOf(PyObject* module, PyObject* args) {
  return Guarded([&]() -> PyObject* {
    PyObject *capsule = nullptr, *text = nullptr;
    const char* format = nullptr;
    std::string path;
    const Ref error(InputError(module));
    if (!PyArg_ParseTuple(args, "OsO", &capsule, &format, &text)) return nullptr;
    const auto* report = Get<const Report>(capsule, kReport);
    if (!report || !ReadText(text, &path)) return nullptr;
    const Status status = [&]() -> Status {
      const WithoutGil released;
      return WriteStacks(
          **report, format == std::string_view("pprof") ? StackFormat::kPprof : StackFormat::kFolded, path);
    }();
    if (!status) return Raise(status.error(), error.get());
    return Text(StacksLeftOut(**report));
  });
}

// output_shapes(profile, node) -> list of lists; None: not known
PyObject* OutputShapesOf(PyObject*, PyObject* args) {
  return Guarded([&]() -> PyObject* {
    PyObject* capsule = nullptr;
    unsigned node = 0;
    if (!PyArg_ParseTuple(args, "OI", &capsule, &node)) return nullptr;
    const auto* profile = Get<const Profile>(capsule, kProfile);
    Ref out(PyList_New(0));
    if (!profile || !out) return nullptr;
    for (const auto& shape : OutputShapes(**profile, node)) {
      const Ref item(shape ? PyList_New(0) : Py_BuildValue(""));
      if (!item || PyList_Append(out.get(), item.get()) != 0) return nullptr;
      if (!shape) continue;
      for (const int64_t size : *shape) {
        const Ref number(PyLong_FromLongLong(size));
        if (!number || PyList_Append(item.get(), number.get()) != 0) return nullptr;
      }
    }
    return out.release();
  });
}

// write_file(path, bytes): written beside and renamed
PyObject* WriteBytes(PyObject* module, PyObject* args) {
  return Guarded([&]() -> PyObject* {
    PyObject* text = nullptr;
    const char* data = nullptr;
    Py_ssize_t size = 0;
    std::string path;
    const Ref error(InputError(module));
    if (!PyArg_ParseTuple(args, "Oy#", &text, &data, &size) || !ReadText(text, &path)) return nullptr;
    const Status status = [&] {
      const WithoutGil released;
      return WriteFile(path, {data, static_cast<size_t>(size)});
    }();
    return status ? Py_BuildValue("") : Raise(status.error(), error.get());
  });
}

// site(options, folders of source text, bytes to keep) -> site
PyObject* OpenSite(PyObject* module, PyObject* args) {
  return Guarded([&]() -> PyObject* {
    PyObject *pairs = nullptr, *folders = nullptr;
    Py_ssize_t memory = 0;
    SiteOptions options;
    const Ref error(InputError(module)), none(PyTuple_New(0));
    if (!PyArg_ParseTuple(args, "OOn", &pairs, &folders, &memory) ||
        !ReadOptions(pairs, none.get(), error.get(), &options.options) ||
        !ReadTexts(folders, &options.source)) {
      return nullptr;
    }
    options.options.max_rows = 0;
    options.memory = static_cast<size_t>(std::max<Py_ssize_t>(memory, 0));
    auto site = [&] {
      const WithoutGil released;
      return Site::Open(std::move(options));
    }();
    if (!site) return Raise(site.error(), error.get());
    return Capsule(std::shared_ptr<Site>(std::move(*site)), kSite);
  });
}

// ask(site, path, query) -> (status, type, body, name to be saved as)
PyObject* AskSite(PyObject*, PyObject* args) {
  return Guarded([&]() -> PyObject* {
    PyObject *capsule = nullptr, *first = nullptr, *second = nullptr;
    std::string path, query;
    if (!PyArg_ParseTuple(args, "OOO", &capsule, &first, &second)) return nullptr;
    const auto* site = Get<Site>(capsule, kSite);
    if (!site || !ReadText(first, &path) || !ReadText(second, &query)) return nullptr;
    const Answer answer = [&] {
      const WithoutGil released;
      return (*site)->Get(path, query);
    }();
    const Ref status(PyLong_FromLong(answer.status)), type(Text(answer.type)), body(Bytes(answer.body)),
        name(Text(answer.file_name));
    if (!status || !type || !body || !name) return nullptr;
    return PyTuple_Pack(4, status.get(), type.get(), body.get(), name.get());
  });
}

PyObject* OptionsTableOf(PyObject*, PyObject*) {
  return Guarded([] { return DescribeOptions(); });
}

// columns() -> the catalogue of columns
PyObject* ColumnsOf(PyObject*, PyObject*) {
  return Guarded([] { return DescribeColumns(); });
}

// cli(arguments) -> exit status: the program
PyObject* RunProgram(PyObject*, PyObject* args) {
  return Guarded([&]() -> PyObject* {
    PyObject* list = nullptr;
    if (!PyArg_ParseTuple(args, "O", &list)) return nullptr;
    std::vector<std::string> words;
    const Py_ssize_t size = PySequence_Size(list);
    if (size < 0) return nullptr;
    for (Py_ssize_t i = 0; i < size; ++i) {
      const Ref item(PySequence_GetItem(list, i));
      if (!item || !ReadText(item.get(), &words.emplace_back())) return nullptr;
    }
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    pointers.push_back(nullptr);
    int status = 0;
    {
      const WithoutGil released;
      status = cli::Run(static_cast<int>(words.size()), pointers.data());
    }
    return PyLong_FromLong(status);
  });
}

PyMethodDef kMethods[] = {
    {"load", LoadInputs, METH_VARARGS, nullptr},
    {"report", ReportOn, METH_VARARGS, nullptr},
    {"kinds", Kinds, METH_NOARGS, nullptr},
    {"make", MakeDocument, METH_VARARGS, nullptr},
    {"render", RenderAs, METH_VARARGS, nullptr},
    {"compare", CompareInputs, METH_VARARGS, nullptr},
    {"serialize", Serialize, METH_VARARGS, nullptr},
    {"timeline", WriteTimelineOf, METH_VARARGS, nullptr},
    {"stacks", WriteStacksOf, METH_VARARGS, nullptr},
    {"output_shapes", OutputShapesOf, METH_VARARGS, nullptr},
    {"write_file", WriteBytes, METH_VARARGS, nullptr},
    {"site", OpenSite, METH_VARARGS, nullptr},
    {"ask", AskSite, METH_VARARGS, nullptr},
    {"runs", RunsOf, METH_VARARGS, nullptr},
    {"tables", TablesOf, METH_VARARGS, nullptr},
    {"export", ExportTo, METH_VARARGS, nullptr},
    {"schema", SchemaOf, METH_NOARGS, nullptr},
    {"options", OptionsTableOf, METH_NOARGS, nullptr},
    {"columns", ColumnsOf, METH_NOARGS, nullptr},
    {"cli", RunProgram, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

int Fill(PyObject* module) {
  PyObject* error = PyErr_NewExceptionWithDoc(
      "tfprof.Error",
      "An input that is missing, damaged or of the wrong kind, or a file that cannot be written.", nullptr,
      nullptr);
  if (!error || PyModule_AddObject(module, "Error", error) != 0) return -1;
  if (PyModule_AddStringConstant(module, "content_security_policy",
                                 std::string(ContentSecurityPolicy()).c_str()) != 0) {
    return -1;
  }
  return PyModule_AddStringConstant(module, "version", kVersion);
}

PyModuleDef_Slot kSlots[] = {{Py_mod_exec, reinterpret_cast<void*>(Fill)}, {0, nullptr}};

PyModuleDef kModule = {PyModuleDef_HEAD_INIT,
                       "_engine",
                       "The engine of tfprof.",
                       0,
                       kMethods,
                       kSlots,
                       nullptr,
                       nullptr,
                       nullptr};

}  // namespace
}  // namespace tfprof::python

PyMODINIT_FUNC PyInit__engine() { return PyModuleDef_Init(&tfprof::python::kModule); }
