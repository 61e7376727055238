# Vectorcall: types of ours whose instances are called without a tuple and a dict.

from cpython.ref cimport Py_DECREF, Py_INCREF, PyObject

cdef extern from "Python.h":
    ctypedef PyObject *(*vectorcallfunc)(PyObject *callable, PyObject **args, size_t nargsf, PyObject *names)
    Py_ssize_t PyVectorcall_NARGS(size_t nargsf)
    PyObject *new_reference "Py_NewRef"(PyObject *value) noexcept
    PyObject *PyVectorcall_Call(PyObject *callable, PyObject *args, PyObject *names)
    object call_vector "PyVectorcall_Call"(object callable, object args, object names)
    void PyType_Modified(type kind)
    ctypedef struct PyTypeObject:
        Py_ssize_t tp_vectorcall_offset
        unsigned long tp_flags
        const char *tp_name
        PyObject *(*tp_call)(PyObject *callable, PyObject *args, PyObject *names)
    unsigned long Py_TPFLAGS_HAVE_VECTORCALL


cdef install_vectorcall(type of, Py_ssize_t offset):
    """Let instances of a type be called by the function at that place in them."""
    # Cython's own __call__ makes a tuple and a dict per call, a third of the cost of everything launchpath adds to a
    # launch.
    cdef PyTypeObject *kind = <PyTypeObject *>of
    kind.tp_vectorcall_offset = offset
    kind.tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL
    kind.tp_call = PyVectorcall_Call
    PyType_Modified(of)
