#include "convert.h"

#include <cstdint>

#include "base/options_table.h"

namespace tfprof::python {
namespace {

std::string Joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ",") + word;
  return out;
}

// A tuple of two: its items as borrowed references.
bool ReadPair(PyObject* sequence, Py_ssize_t index, Ref* keeps, PyObject** first, PyObject** second) {
  *keeps = Ref(PySequence_GetItem(sequence, index));
  return *keeps && PyArg_ParseTuple(keeps->get(), "OO", first, second);
}

// Items of a list stay apart, whatever commas they hold.
Status SetOne(std::string_view name, bool is_list, std::vector<std::string> values, Options* out) {
  const OptionSpec* option = FindOption(name);
  if (is_list && option && option->list) return out->*option->list = std::move(values), Status();
  if (is_list && name == "inputs") return out->inputs = std::move(values), Status();
  return SetOption(*out, nullptr, name, Joined(values));
}

bool ReadPairs(PyObject* pairs, PyObject* input_error, Options* out) {
  const Py_ssize_t size = PySequence_Size(pairs);
  if (size < 0) return false;
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject *key = nullptr, *value = nullptr;
    Ref pair;
    std::string name;
    std::vector<std::string> values;
    if (!ReadPair(pairs, i, &pair, &key, &value) || !ReadText(key, &name)) return false;
    const bool is_list = !PyUnicode_Check(value);
    if (is_list ? !ReadTexts(value, &values) : !ReadText(value, &values.emplace_back())) return false;
    if (const Status status = SetOne(name, is_list, std::move(values), out); !status) {
      Raise(status.error(), input_error);
      return false;
    }
  }
  return true;
}

bool ReadFiles(PyObject* files, Options* out) {
  const Py_ssize_t size = PySequence_Size(files);
  if (size < 0) return false;
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject *name = nullptr, *content = nullptr;
    Ref pair;
    MemoryFile file;
    char* data = nullptr;
    Py_ssize_t length = 0;
    if (!ReadPair(files, i, &pair, &name, &content) || !ReadText(name, &file.name) ||
        PyBytes_AsStringAndSize(content, &data, &length) != 0) {
      return false;
    }
    file.bytes = std::make_shared<const std::string>(data, static_cast<size_t>(length));
    out->memory_files.push_back(std::move(file));
  }
  return true;
}

const char* KindOf(const OptionSpec& option) {
  if (option.is_switch()) return "bool";
  if (option.value == "N") return "int";
  if (option.value == "STEPS") return "steps";
  if (option.is_list || option.adds) return "list";
  return option.name == "delta" ? "float" : option.name == "min_size" ? "size" : "str";
}

PyObject* Words(const std::vector<std::string_view>& words) { return Texts({words.begin(), words.end()}); }

// Sets dict[key] and takes over the reference; false: an exception is set.
bool Put(PyObject* dict, const char* key, PyObject* value) {
  const Ref owned(value);
  return owned && PyDict_SetItemString(dict, key, value) == 0;
}

// An array of int64 as bytes: Python reads it with memoryview.cast('q'), numpy with frombuffer.
PyObject* Array(const std::vector<int64_t>& values) {
  return Bytes({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(int64_t)});
}

template <class Item, class Make>
PyObject* List(const std::vector<Item>& items, Make make) {
  Ref out(PyList_New(static_cast<Py_ssize_t>(items.size())));
  if (!out) return nullptr;
  for (size_t i = 0; i < items.size(); ++i) {
    PyObject* item = make(items[i]);
    if (!item || PyList_SetItem(out.get(), static_cast<Py_ssize_t>(i), item) != 0) return nullptr;
  }
  return out.release();
}

PyObject* Numbers(const std::vector<int64_t>& values) {
  return List(values, [](int64_t value) { return PyLong_FromLongLong(value); });
}

int64_t Index(uint32_t index) { return index == kNoIndex ? -1 : int64_t{index}; }

// What one row has, in the order of kRowColumns of _nodes.py.
void AddRow(const Report& report, const Row& row, std::vector<int64_t>* out) {
  const RowMore& more = report.MoreOf(row);
  for (const int64_t value :
       {Index(row.parent), int64_t{row.depth}, int64_t{row.own}, int64_t{row.total}, Index(row.node),
        int64_t{row.accounted}, int64_t{more.hidden_ops}, Index(more.devices), Index(more.types),
        Index(row.shape), int64_t{more.inputs.begin}, int64_t{more.inputs.end},
        int64_t{more.graph_nodes.begin}, int64_t{more.graph_nodes.end}}) {
    out->push_back(value);
  }
}

PyObject* RowNames(const Report& report) {
  std::vector<std::string_view> names;
  for (const Row& row : report.rows) names.push_back(row.name);
  for (const Row& row : report.graph_nodes) names.push_back(row.name);
  return List(names, Text);
}

}  // namespace

PyObject* Text(std::string_view text) {
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
}

PyObject* Texts(const std::vector<std::string>& texts) {
  return List(texts, [](const std::string& text) { return Text(text); });
}

bool ReadTexts(PyObject* list, std::vector<std::string>* out) {
  const Py_ssize_t size = PySequence_Size(list);
  if (size < 0) return false;
  for (Py_ssize_t i = 0; i < size; ++i) {
    const Ref item(PySequence_GetItem(list, i));
    if (!item || !ReadText(item.get(), &out->emplace_back())) return false;
  }
  return true;
}

PyObject* Bytes(std::string_view bytes) {
  return PyBytes_FromStringAndSize(bytes.data(), static_cast<Py_ssize_t>(bytes.size()));
}

bool ReadText(PyObject* object, std::string* out) {
  if (!PyUnicode_Check(object)) {
    PyErr_SetString(PyExc_TypeError, "a str is needed");
    return false;
  }
  const Ref bytes(PyUnicode_AsEncodedString(object, "utf-8", "surrogateescape"));
  char* data = nullptr;
  Py_ssize_t length = 0;
  if (!bytes || PyBytes_AsStringAndSize(bytes.get(), &data, &length) != 0) return false;
  out->assign(data, static_cast<size_t>(length));
  return true;
}

PyObject* Raise(const Error& error, PyObject* input_error) {
  const Ref message(Text(error.message));
  if (message) {
    PyErr_SetObject(error.kind == ErrorKind::kUsage ? PyExc_ValueError : input_error, message.get());
  }
  return nullptr;
}

bool ReadOptions(PyObject* pairs, PyObject* files, PyObject* input_error, Options* out) {
  return ReadPairs(pairs, input_error, out) && ReadFiles(files, out);
}

PyObject* DescribeOptions() {
  static const Options kDefaults;
  constexpr const char* kGroups[] = {"input", "view", "command", "print"};
  const auto table = OptionsTable();
  return List(std::vector<OptionSpec>(table.begin(), table.end()),
              [&](const OptionSpec& option) -> PyObject* {
                const Ref name(Text(option.name)), words(Words(option.words)),
                    value(Text(option.Get(kDefaults, {}))), help(Text(option.help));
                if (!name || !words || !value || !help) return nullptr;
                return Py_BuildValue("(OssOOOO)", name.get(), kGroups[static_cast<size_t>(option.group)],
                                     KindOf(option), words.get(), value.get(),
                                     option.is_path ? Py_True : Py_False, help.get());
              });
}

PyObject* DescribeColumns() {
  constexpr const char* kKinds[] = {"figure", "rate", "number", "text", "tensor", "place"};
  constexpr const char* kUnits[] = {"bytes", "micros", "count"};
  constexpr const char* kNeeds[] = {"graph",     "runs",        "times",     "memory",
                                    "float_ops", "counted_ops", "checkpoint"};
  constexpr const char* kWhen[] = {"always", "nodes", "selected"};
  const auto table = Columns();
  return List(
      std::vector<ColumnSpec>(table.begin(), table.end()), [&](const ColumnSpec& column) -> PyObject* {
        const Ref name(Text(column.name)), label(Text(column.label)), own(Text(column.json_own)),
            total(Text(column.json_total));
        if (!name || !label || !own || !total) return nullptr;
        return Py_BuildValue("(OOsssOOsO)", name.get(), label.get(), kKinds[static_cast<size_t>(column.kind)],
                             kUnits[static_cast<size_t>(column.unit)],
                             kNeeds[static_cast<size_t>(column.needs)], own.get(), total.get(),
                             kWhen[static_cast<size_t>(column.json_when)],
                             column.always_known ? Py_True : Py_False);
      });
}

PyObject* DescribeReport(const Report& report) {
  std::vector<int64_t> rows, figures, known, inputs;
  for (const Row& row : report.rows) AddRow(report, row, &rows);
  for (const Row& row : report.graph_nodes) AddRow(report, row, &rows);
  for (size_t i = 0; i < report.figures.size(); ++i) {
    const Figures f = report.figures[i];
    figures.insert(figures.end(), f.value.begin(), f.value.end());
    known.push_back(static_cast<int64_t>(f.known.bits()));
  }
  for (const InputShape& input : report.inputs) {
    inputs.push_back(input.position);
    inputs.push_back(Index(input.shape));
  }
  const auto list = [](const std::vector<std::string_view>& items) { return List(items, Text); };
  Ref out(PyDict_New());
  if (!out) return nullptr;
  PyObject* dict = out.get();
  const bool fine = Put(dict, "names", RowNames(report)) &&
                    Put(dict, "count", PyLong_FromSize_t(report.rows.size())) &&
                    Put(dict, "rows", Array(rows)) && Put(dict, "figures", Array(figures)) &&
                    Put(dict, "known", Array(known)) && Put(dict, "lists", List(report.lists, list)) &&
                    Put(dict, "shapes", List(report.shapes, Numbers)) && Put(dict, "inputs", Array(inputs)) &&
                    Put(dict, "recorded", PyLong_FromUnsignedLongLong(report.recorded.bits())) &&
                    Put(dict, "selected", PyLong_FromUnsignedLongLong(report.options.select.bits())) &&
                    Put(dict, "input_files", Texts(report.input_files)) &&
                    Put(dict, "steps", Numbers(report.steps.counted)) &&
                    Put(dict, "warm_up_steps", Numbers(report.steps.warm_up)) &&
                    Put(dict, "warnings", Texts(report.warnings)) && Put(dict, "notes", Texts(report.notes));
  return fine ? out.release() : nullptr;
}

}  // namespace tfprof::python
