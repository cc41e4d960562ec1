// Runs as tables, for Python: functions of the module.
#pragma once

#include "convert.h"

namespace tfprof::python {

// runs(options) -> (name, source, inputs, modified, error) of each run below the inputs
PyObject* RunsOf(PyObject* module, PyObject* args);

// tables(run, options, files, with) -> (name, rows, columns) of each table; a run as runs() has it, whose
// inputs are read; a column is (values, offsets or None, bits of what is not null, number of nulls), each as
// Arrow lays it out
PyObject* TablesOf(PyObject* module, PyObject* args);

// export(options, path, "sqlite" or "csv", with) -> (added, known, failed, failures in words)
PyObject* ExportTo(PyObject* module, PyObject* args);

// schema() -> (version, tables, questions): (name, doc, key, on request, fields), a field being (name, type,
// nullable, doc), and (name, doc, sql)
PyObject* SchemaOf(PyObject* module, PyObject* args);

}  // namespace tfprof::python
