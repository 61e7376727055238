# Living kernels, textures and streams: a graph finds those that its commands use, to hold them. Not by weak references: their
# callbacks are Python code, in which a signal's exception would be lost.

cdef extern from "Python.h":
    Py_ssize_t Py_REFCNT(PyObject *value)

# Addresses of the objects; each is taken out when its object goes.
cdef dict kernels_by_handle = {}
cdef dict streams_by_identity = {}     # of their queues
cdef dict textures_by_object = {}      # of the driver's: what kernels are given
cdef dict textures_by_handle = {}      # the same, by what copies are given


cdef object living_object(dict addresses, uint64_t key):
    """The object whose address is noted, or None."""
    address = addresses.get(key)
    if address is None or Py_REFCNT(<PyObject *><uintptr_t>address) == 0:
        return None
    return <object><PyObject *><uintptr_t>address
