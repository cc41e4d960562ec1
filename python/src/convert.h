// Between Python and the engine: strings, options, reports. Every function that returns PyObject* gives a new
// reference, or null with a Python exception set, and must be called with the GIL held.
//
// Only the limited API of Python 3.9 is used, so that one binary serves every later Python.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfprof/options.h"
#include "tfprof/report.h"
#include "tfprof/result.h"

namespace tfprof::python {

// Owns one reference.
class Ref {
 public:
  explicit Ref(PyObject* object = nullptr) : object_(object) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { Py_XDECREF(object_); }

  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject* object_;
};

// Lets other Python threads run for as long as it lives.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;
  ~WithoutGil() { PyEval_RestoreThread(state_); }

 private:
  PyThreadState* state_;
};

// Names in files are bytes: what is no UTF-8 comes as surrogates, as in file names, and goes back as it was.
PyObject* Text(std::string_view text);
PyObject* Texts(const std::vector<std::string>& texts);
bool ReadText(PyObject* object, std::string* out);
bool ReadTexts(PyObject* list, std::vector<std::string>* out);
PyObject* Bytes(std::string_view bytes);

// Sets ValueError for what the caller asked, `input_error` for what a file holds; returns null.
PyObject* Raise(const Error& error, PyObject* input_error);

// `pairs`: a sequence of (option name, str or sequence of str); lists are taken item by item, since a regex
// may hold a comma. `files`: a sequence of (name, bytes). False: an exception is set.
bool ReadOptions(PyObject* pairs, PyObject* files, PyObject* input_error, Options* out);

// The options table for the check of keys and types: (name, group, kind, words, default, whether it
// names files, help) each.
PyObject* DescribeOptions();

// The catalogue of columns, by their position: (name, label, kind, unit, needs, field of its own figure,
// field of its total, when JSON has them, always known) each.
PyObject* DescribeColumns();

// A report as columns: a dict of lists and of bytes that hold arrays of int64.
PyObject* DescribeReport(const Report& report);

}  // namespace tfprof::python
