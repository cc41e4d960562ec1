#include "tables.h"

#include "guarded.h"
#include "tfprof/tables.h"

namespace tfprof::python {
namespace {

template <class T>
PyObject* Array(const std::vector<T>& values) {
  return Bytes({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

PyObject* None() { return Py_BuildValue(""); }

// `make(item)` of each, as a list.
template <class Items, class Make>
PyObject* ListOf(const Items& items, Make make) {
  Ref out(PyList_New(0));
  if (!out) return nullptr;
  for (const auto& item : items) {
    const Ref made(make(item));
    if (!made || PyList_Append(out.get(), made.get()) != 0) return nullptr;
  }
  return out.release();
}

PyObject* ColumnOf(const TableColumns::Column& column, FieldType type) {
  const bool is_text = type == FieldType::kText;
  const Ref values(is_text                       ? Bytes(column.text)
                   : type == FieldType::kInteger ? Array(column.integers)
                                                 : Array(column.reals)),
      offsets(is_text ? Array(column.offsets) : None()), valid(Array(column.valid)),
      nulls(PyLong_FromLongLong(column.nulls));
  if (!values || !offsets || !valid || !nulls) return nullptr;
  return PyTuple_Pack(4, values.get(), offsets.get(), valid.get(), nulls.get());
}

PyObject* TableOf(const TableColumns& table) {
  const TableSpec& spec = tfprof::TableOf(table.table);
  Ref columns(PyList_New(0));
  if (!columns) return nullptr;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const Ref column(ColumnOf(table.columns[i], spec.fields[i].type));
    if (!column || PyList_Append(columns.get(), column.get()) != 0) return nullptr;
  }
  const Ref name(Text(spec.name)), rows(PyLong_FromLongLong(table.rows));
  return name && rows ? PyTuple_Pack(3, name.get(), rows.get(), columns.get()) : nullptr;
}

bool ReadWanted(PyObject* text, TablesWanted* out, PyObject* error) {
  std::string words;
  if (!ReadText(text, &words)) return false;
  const Result<TablesWanted> wanted = ParseTablesWanted(words);
  if (!wanted) return Raise(wanted.error(), error), false;
  *out = *wanted;
  return true;
}

}  // namespace

PyObject* RunsOf(PyObject* module, PyObject* args) {
  return Guarded([&]() -> PyObject* {
    PyObject* pairs = nullptr;
    Options options;
    const Ref error(InputError(module)), none(PyTuple_New(0));
    if (!PyArg_ParseTuple(args, "O", &pairs) || !ReadOptions(pairs, none.get(), error.get(), &options))
      return nullptr;
    // Places without their options, which all have alike.
    std::vector<std::pair<RunPlace, std::vector<std::string>>> found;
    {
      const WithoutGil released;
      VisitRuns(options, UnknownRuns::kTell, [&](RunPlace run) {
        std::vector<std::string> inputs = std::move(run.options.inputs);
        run.options = {};
        found.emplace_back(std::move(run), std::move(inputs));
      });
    }
    return ListOf(found, [](const auto& run) -> PyObject* {
      const Ref name(Text(run.first.name)), path(Text(run.first.path)), inputs(Texts(run.second)),
          modified(PyLong_FromLongLong(run.first.modified)), problem(Text(run.first.error));
      if (!name || !path || !inputs || !modified || !problem) return nullptr;
      return PyTuple_Pack(5, name.get(), path.get(), inputs.get(), modified.get(), problem.get());
    });
  });
}

PyObject* TablesOf(PyObject* module, PyObject* args) {
  return Guarded([&]() -> PyObject* {
    PyObject *name = nullptr, *source = nullptr, *inputs = nullptr, *problem = nullptr, *pairs = nullptr,
             *files = nullptr, *with = nullptr;
    long long modified = 0;
    RunPlace run;
    TablesWanted wanted;
    const Ref error(InputError(module));
    if (!PyArg_ParseTuple(args, "(OOOLO)OOO", &name, &source, &inputs, &modified, &problem, &pairs, &files,
                          &with) ||
        !ReadOptions(pairs, files, error.get(), &run.options) || !ReadText(name, &run.name) ||
        !ReadText(source, &run.path) || !ReadTexts(inputs, &run.options.inputs) ||
        !ReadText(problem, &run.error) || !ReadWanted(with, &wanted, error.get())) {
      return nullptr;
    }
    run.modified = modified;
    const std::vector<TableColumns> tables = [&] {
      const WithoutGil released;
      return ReadTables(run, wanted);
    }();
    return ListOf(tables, TableOf);
  });
}

PyObject* ExportTo(PyObject* module, PyObject* args) {
  return Guarded([&]() -> PyObject* {
    PyObject *pairs = nullptr, *path = nullptr, *with = nullptr;
    const char* format = nullptr;
    Options options;
    ExportTarget target;
    const Ref error(InputError(module)), none(PyTuple_New(0));
    if (!PyArg_ParseTuple(args, "OOsO", &pairs, &path, &format, &with) ||
        !ReadOptions(pairs, none.get(), error.get(), &options) || !ReadText(path, &target.path) ||
        !ReadWanted(with, &target.wanted, error.get())) {
      return nullptr;
    }
    target.format = format == std::string_view("csv") ? Format::kCsv : Format::kSqlite;
    const auto outcome = [&] {
      const WithoutGil released;
      return ExportRuns(options, target);
    }();
    if (!outcome) return Raise(outcome.error(), error.get());
    const Ref failures(Texts(outcome->failures));
    if (!failures) return nullptr;
    return Py_BuildValue("(LLLO)", static_cast<long long>(outcome->added),
                         static_cast<long long>(outcome->known), static_cast<long long>(outcome->failed),
                         failures.get());
  });
}

PyObject* SchemaOf(PyObject*, PyObject*) {
  return Guarded([]() -> PyObject* {
    constexpr const char* kTypes[] = {"integer", "real", "text"};
    const Ref tables(ListOf(TableSpecs(), [&](const TableSpec& table) -> PyObject* {
      const Ref fields(ListOf(table.fields, [&](const TableField& field) -> PyObject* {
        const Ref name(Text(field.name)), doc(Text(field.doc));
        if (!name || !doc) return nullptr;
        return Py_BuildValue("(OsOO)", name.get(), kTypes[static_cast<size_t>(field.type)],
                             field.nullable ? Py_True : Py_False, doc.get());
      }));
      const Ref name(Text(table.name)), doc(Text(table.doc)), key(Text(table.key));
      if (!fields || !name || !doc || !key) return nullptr;
      return Py_BuildValue("(OOOOO)", name.get(), doc.get(), key.get(), table.on_request ? Py_True : Py_False,
                           fields.get());
    }));
    const Ref questions(ListOf(TableQuestions(), [](const TableQuestion& question) -> PyObject* {
      const Ref name(Text(question.name)), doc(Text(question.doc)), sql(Text(question.sql));
      return name && doc && sql ? PyTuple_Pack(3, name.get(), doc.get(), sql.get()) : nullptr;
    }));
    if (!tables || !questions) return nullptr;
    return Py_BuildValue("(iOO)", kTablesVersion, tables.get(), questions.get());
  });
}

}  // namespace tfprof::python
