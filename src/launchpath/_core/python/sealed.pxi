# Types whose instances launchpath alone makes. An instance of `__new__` alone would hold null pointers, which its
# methods follow: so `__new__` is refused to Python code. In the core itself Cython makes `X.__new__(X)` a C call.

cdef extern from "Python.h":
    ctypedef struct sealed_type "PyTypeObject":
        object (*tp_new)(type kind, PyObject *args, PyObject *names)
        vectorcallfunc tp_vectorcall


cdef object refuse_new(type kind, PyObject *args, PyObject *names):
    raise TypeError(f"only launchpath creates objects of {kind.__name__}; they cannot be pickled or copied")


cdef seal(type of):
    (<sealed_type *>of).tp_new, (<sealed_type *>of).tp_vectorcall = refuse_new, NULL
    PyType_Modified(of)


for _sealed in (DriverDevice, DriverProgram, DriverKernel, OpenCLDevice, GPUDevice, SimulatedDevice, SimulatedHistory,
                Allocation, Pool, Block, Hold, LeftCopy, Launcher, PinnedMemory, BaselineCall, AwaitedMark):
    seal(_sealed)
del _sealed
