# Names that `dir` and completion show of the public classes' bases: Python's own completion asks the bases of a class
# as well.

from launchpath._listed import ListedType

cdef extern from "Python.h":
    ctypedef struct listed_type "PyTypeObject":
        PyObject *tp_dict
    void Py_SET_TYPE(object of, type kind)


cdef show_public(type of):
    """Make a class of the core's an instance of `ListedType`: before any class derives from it, which takes its base's
    type."""
    # Types in C keep their module in their name, where `type` looks: that of their own type would come before.
    (<dict>(<listed_type *>of).tp_dict)["__module__"] = of.__module__
    Py_INCREF(ListedType)
    Py_SET_TYPE(of, ListedType)
    PyType_Modified(of)


for _base in (DeviceBase, QueueBase, EventBase, FollowerBase, ArrayBase, StagedBase, KernelBase,
              StepBase, GraphBase, ExecutableBase):
    show_public(_base)
del _base
