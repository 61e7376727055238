# Boundaries: public functions as callers get them, whose errors lose launchpath's entries in their tracebacks. A boundary has
# no frame: neither tracebacks nor the levels of warnings count it. `_tracebacks.py` makes them, and has the rule.

cimport cython

cdef extern from "Python.h":
    PyObject *result_of "PyObject_Vectorcall"(
        PyObject *callable, PyObject **args, size_t nargsf, PyObject *names) except NULL
    object new_method "PyMethod_New"(object function, object instance)
    unsigned long Py_TPFLAGS_METHOD_DESCRIPTOR


@cython.final
cdef class Boundary:
    """A function whose errors are given to `trim` before its caller gets them; in all else it is like the function."""

    cdef vectorcallfunc vectorcall
    cdef object function
    cdef object trim
    cdef dict __dict__
    cdef object __weakref__

    def __cinit__(self, function not None, trim not None):
        self.vectorcall = <vectorcallfunc>boundary_call
        self.function = function
        self.trim = trim

    def __get__(self, instance, owner):
        return self if instance is None else new_method(self, instance)

    def __getitem__(self, key):
        raise TypeError(f"{self.__name__} is a function: call it first, {self.__name__}(...)")

    def __enter__(self):
        hint = getattr(self, "enter_instead", None) or f"call it first, with {self.__name__}(...)"
        raise TypeError(f"{self.__name__} is a function, it cannot be entered: {hint}")

    def __exit__(self, *error):
        raise TypeError(f"{self.__name__} is a function, it cannot be entered")

    def __getattr__(self, name):
        instead = getattr(self.function, "names_instead", {}).get(name)
        text = f"function {getattr(self.function, '__name__', '')!r} has no attribute {name!r}"
        raise AttributeError(f"{text}: {instead}" if instead else text, name=name, obj=None if instead else self)

    def __reduce__(self):
        return self.__qualname__       # by its name, as functions are pickled

    def __repr__(self):
        return repr(self.function)


cdef PyObject *boundary_call(PyObject *callable, PyObject **args, size_t nargsf, PyObject *names) except NULL:
    cdef Boundary boundary = <Boundary><object>callable
    try:
        return result_of(<PyObject *>boundary.function, args, nargsf, names)
    except BaseException as error:
        boundary.trim(error)
        raise error        # not a bare one: that would raise it with the traceback that it had before


cdef Boundary _boundary_probe = Boundary(print, print)
install_vectorcall(Boundary, <char *>&_boundary_probe.vectorcall - <char *><PyObject *>_boundary_probe)
# Called as a method it gets the instance as its first argument, without a bound method.
(<PyTypeObject *><PyObject *>Boundary).tp_flags |= Py_TPFLAGS_METHOD_DESCRIPTOR
(<PyTypeObject *><PyObject *>Boundary).tp_name = b"launchpath.function"      # as `help` heads it
PyType_Modified(Boundary)
