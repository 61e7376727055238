"""The functions of launchpath_host.h that need no Python, called through ctypes."""

import ctypes
from ctypes import CFUNCTYPE, c_int, c_uint32, c_uint64, c_void_p

from launchpath import _core

SUCCESS, NOT_READY, ASK = 0, 600, -1
_BEFORE = 9  # entries: register_binary and those up to has_failed
_TYPES = {
    "allocate": (c_uint64, c_uint64),
    "free": (c_uint64,),
    "copy": (c_uint64, c_uint64, c_uint64, c_uint32, c_uint64),
    "copy_and_wait": (c_uint64, c_uint64, c_uint64, c_uint32),
    "fill": (c_uint64, c_uint32, c_uint64, c_uint64),
    "fill_default": (c_uint64, c_uint32, c_uint64),
    "event_record": (c_uint64, c_uint64),
    "event_query": (c_uint64,),
    "event_synchronize": (c_uint64,),
    "stream_wait_event": (c_uint64, c_uint64, c_uint32),
    "stream_query": (c_uint64,),
    "stream_synchronize": (c_uint64,),
    "device_synchronize": (),
    "get_device": (c_uint64,),
    "set_device": (c_uint32,),
}


class HostTable:
    """Each entry as a method that gives its result."""

    def __init__(self):
        library = ctypes.CDLL(_core.__file__)
        library.launchpath_host_table.restype = c_void_p
        address = library.launchpath_host_table()
        _, size = (c_uint32 * 2).from_address(address)
        assert size == 8 + 8 * (_BEFORE + len(_TYPES)), "launchpath_host.h has other entries than this file"
        entries = (c_void_p * (_BEFORE + len(_TYPES))).from_address(address + 8)[_BEFORE:]
        for (name, types), entry in zip(_TYPES.items(), entries, strict=True):
            setattr(self, name, CFUNCTYPE(c_int, *types)(entry))

    def allocated(self, size):
        """Give the address of new memory; None: Python is to be asked."""
        place = c_uint64()
        code = self.allocate(ctypes.addressof(place), size)
        assert code in (SUCCESS, ASK)
        return place.value if code == SUCCESS else None
