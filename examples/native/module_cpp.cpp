// A Python module in C++ whose function launches the kernel by its symbol. No Python is called between its begin and end.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include "saxpy.hpp"

// launch(a, x, y, n, stream): x and y are addresses on the device, stream is Stream.c_handle, or 0.
static PyObject *launch(PyObject *, PyObject *arguments) {
    float a;
    unsigned long long x, y, stream;
    int n;
    if (!PyArg_ParseTuple(arguments, "fKKiK", &a, &x, &y, &n, &stream)) return nullptr;
    const launchpath::configuration at{{(n + 255u) / 256, 1, 1}, {256, 1, 1}, 0, 0, stream};
    try {
        launchpath::check(saxpy(at, a, reinterpret_cast<const float *>(x), reinterpret_cast<float *>(y), n));
    } catch (const launchpath::error &error) {
        return PyErr_Format(PyExc_RuntimeError, "status %d: %s", error.status, error.what());
    }
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"launch", launch, METH_VARARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "module_cpp", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};

PyMODINIT_FUNC PyInit_module_cpp() { return launchpath_import() == 0 ? PyModule_Create(&module) : nullptr; }
