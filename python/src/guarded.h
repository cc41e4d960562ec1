// What every function of the module begins with.
#pragma once

#include <exception>
#include <new>
#include <stdexcept>

#include "convert.h"

namespace tfprof::python {

inline PyObject* InputError(PyObject* module) { return PyObject_GetAttrString(module, "Error"); }

// No exception of C++ may reach the interpreter.
template <class Body>
PyObject* Guarded(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  } catch (const std::length_error&) {  // more than there can ever be
    return PyErr_NoMemory();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
    return nullptr;
  }
}

}  // namespace tfprof::python
