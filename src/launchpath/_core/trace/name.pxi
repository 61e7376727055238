# Names of kernels: each has a number, which records have in its place.

import struct

cdef enum:
    PUBLISH_PATIENCE = 200000      # microseconds that the end of a trace waits for launches under way


cdef dict kept_names = {}          # bytes of a kernel's name -> its number and these bytes


cdef bytes kept_name(str name):
    """A kernel's name, kept for ever: its number, and then the bytes. Error messages and records point to it."""
    cdef bytes text = name.encode("utf-8", "backslashreplace")
    cdef bytes kept = kept_names.get(text)
    if kept is None:
        number = len(kept_names) + 1
        if number >= RANGE_NAMES:
            number = 0             # records then have no name
        kept = kept_names.setdefault(text, struct.pack("=I", number) + text)
        if name_watcher is not None and number:
            name_watcher(struct.unpack_from("=I", kept)[0], name)
    return kept


cdef object name_watcher = None    # told of new names while there is a trace: (number, name)


def kernel_names():
    """The names of kernels, by number, that there have been in this process."""
    return {struct.unpack_from("=I", kept)[0]: text.decode() for text, kept in list(kept_names.items())}


def trace_names_to(function):
    """Name the function that is told of new kernels' names, or None."""
    global name_watcher
    name_watcher = function
