"""The constructors of a program, which launchpath calls before `main`, and not the loader.

The loader would call them while it holds its lock. A constructor may call HIP's functions, which start threads that
load libraries: these would wait for the lock, and the constructor for them.
"""

from __future__ import annotations

import struct

# Tags of the dynamic section that name the array of constructors, and its size.
_ARRAY_TAGS = (25, 27)  # DT_INIT_ARRAY, DT_INIT_ARRAYSZ
_HIDDEN = 0x6000_0100  # added to a tag: one of the numbers for systems, which loaders skip
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_ENTRY = struct.Struct("<QQ")
_DYNAMIC = 2  # PT_DYNAMIC


def hide(path: str) -> None:
    """Hide the constructors of a program from the loader; see `launchpath_constructors` in `link`."""
    with open(path, "r+b") as file:
        header = _HEADER.unpack(file.read(_HEADER.size))
        first, size, count = header[5], header[9], header[10]
        for number in range(count):
            file.seek(first + number * size)
            kind, _, offset, _, _, length, *_ = _SEGMENT.unpack(file.read(_SEGMENT.size))
            if kind != _DYNAMIC:
                continue
            for place in range(offset, offset + length, _ENTRY.size):
                file.seek(place)
                tag, value = _ENTRY.unpack(file.read(_ENTRY.size))
                if tag in _ARRAY_TAGS:
                    file.seek(place)
                    file.write(_ENTRY.pack(tag + _HIDDEN, value))
