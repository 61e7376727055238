"""The functions of launchpath.h, called through ctypes."""

import ctypes
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_double, c_int, c_size_t, c_uint32, c_uint64, c_void_p

import launchpath as lp

(
    SUCCESS, NOT_READY, INVALID_VALUE, INVALID_HANDLE, INVALID_CONFIGURATION, NOT_FOUND, COMPILE_FAILED, OUT_OF_MEMORY,
    LAUNCH_FAILURE, DRIVER_ERROR, EMPTY_STACK, FULL_STACK, NOT_AVAILABLE, UNKNOWN,
) = range(14)  # fmt: skip
COOPERATIVE = TIMING = NON_BLOCKING = 1


class Symbol(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("kernels", c_uint64 * 4)]


class Configuration(ctypes.Structure):
    _fields_ = [
        ("grid", c_uint32 * 3), ("block", c_uint32 * 3), ("shared", c_uint32), ("flags", c_uint32),
        ("stream", c_uint64),
    ]  # fmt: skip


_AT, _LAUNCHED = POINTER(Configuration), (c_void_p, c_size_t, c_void_p)
_TYPES = {
    "launch_symbol": (POINTER(Symbol), _AT, *_LAUNCHED),
    "launch_symbol_packed": (POINTER(Symbol), _AT, c_char_p, c_size_t),
    "launch": (c_uint64, _AT, *_LAUNCHED),
    "launch_packed": (c_uint64, _AT, c_char_p, c_size_t),
    "find": (c_char_p, c_uint64, POINTER(c_uint64)),
    "parameter": (c_uint64, c_size_t, POINTER(c_size_t), POINTER(c_size_t)),
    "push": (_AT,),
    "pop": (_AT,),
    "stream_create": (c_uint32, c_int, POINTER(c_uint64)),
    "stream_destroy": (c_uint64,),
    "stream_query": (c_uint64,),
    "stream_synchronize": (c_uint64,),
    "stream_wait": (c_uint64, c_uint64),
    "event_create": (c_uint32, POINTER(c_uint64)),
    "event_destroy": (c_uint64,),
    "event_record": (c_uint64, c_uint64),
    "event_query": (c_uint64,),
    "event_synchronize": (c_uint64,),
    "event_elapsed": (c_uint64, c_uint64, POINTER(c_double)),
}


class Table:
    """Each function as a method; ``with_gil`` calls them as an extension module would that keeps the GIL."""

    def __init__(self, with_gil=False):
        functions = lp.c_interface().functions
        make = ctypes.PYFUNCTYPE if with_gil else CFUNCTYPE
        for name, types in _TYPES.items():
            setattr(self, name, make(c_int, *types)(functions[name]))
        self._text = make(c_char_p)(functions["error_text"])

    def text(self):
        return self._text().decode()


class Arguments:
    """The values of a launch, their addresses, and their sizes.

    A call takes the whole of it: the addresses alone do not keep the values.
    """

    def __init__(self, *values):
        self.values = values
        self.addresses = (c_void_p * len(values))(*[ctypes.addressof(value) for value in values])
        self._as_parameter_ = self.addresses
        self.sizes = (c_size_t * len(values))(*[ctypes.sizeof(value) for value in values])

    def __len__(self):
        return len(self.values)


def at(grid=1, block=64, shared=0, flags=0, stream=None):
    handle = 0 if stream is None else stream if isinstance(stream, int) else stream.c_handle
    return Configuration((grid, 1, 1), (block, 1, 1), shared, flags, handle)
