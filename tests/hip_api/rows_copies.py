"""Wrong input of copies, fills, HIP's arrays and symbols."""

from .rows import ANY, BAD, DOWN, HUGE, UP, WITHIN, each, rows

GONE = "AMD's runtime returns it for every stream that is gone, and its own tests ask for it"
STREAMS = (BAD, "gone_stream")
ARRAYS = (None, BAD, "gone_array")
KIND = "AMD's runtime returns it for a kind of copy that there is not"
ARRAY = "AMD's runtime returns it for an array that is null, and lists the codes of memory"
CREATE = "AMD's runtime checks the description, and lists the code for too much memory only"
SYMBOL = "AMD's runtime returns it for what is no variable"
DIRECTION = "AMD's runtime returns it for a copy in the other direction"

ENDS = ((None, "host"), ("memory", None), (None, None))


def _ends(*more):
    return [(*ends, *more) for ends in ENDS]


def _fill(*more, count):
    """Return fills of no memory, of memory that is gone, and of more bytes than there are."""
    return [(None, *more, count), ("gone_memory", *more, count), ("host", *more, count), ("memory", *more, HUGE)]


def _async(arguments):
    return [(*each_of, None) for each_of in arguments]


def _plane(*ends):
    return [(to, 20, source, 20, 10, 4, ANY) for to, source in ends]


ROWS = [
    *rows("hipMemcpy", "InvalidValue", ("memory", "other", -1, WITHIN)),
    *rows("hipMemcpy2D", "InvalidValue", *each(5, ("memory", 20, "other", 20, 10, 4, ANY), -4)),
    *rows("hipMemset", "InvalidValue", ("memory", 0, -1)),
    *rows("hipMemset2D", "InvalidValue", ("memory", 16, 0, 4, -1), ("memory", 16, 0, -4, 1)),
    *rows("hipMemcpyHtoA", "InvalidValue", ("array", -4, "host", 4), ("array", 0, "host", -4)),
    *rows("hipMemcpyAtoA", "InvalidValue", ("array", -4, "array", 0, 4), ("array", 0, "array", -4, 4)),
    *rows("hipMemcpy2DToArray", "InvalidValue", *each(1, ("array", 0, 0, "host", 16, 8, 2, UP), -4)),
    *rows("hipMemcpy2DToArray", "InvalidValue", *each(6, ("array", 0, 0, "host", 16, 8, 2, UP), -2)),
    *rows("hipMemcpyToSymbol", "InvalidValue", (b"counters", "host", -4, 0, UP), (b"counters", "host", 4, -4, UP)),
    *rows("hipMemcpy hipMemcpy_spt", "InvalidValue", *_ends(64, UP), ("memory", "other", HUGE, WITHIN)),
    *rows("hipMemcpy hipMemcpy_spt", "InvalidMemcpyDirection", ("memory", "other", 64, 99), why=KIND),
    *rows("hipMemcpyAsync hipMemcpyAsync_spt hipMemcpyWithStream", "InvalidValue", *_ends(64, UP, None)),
    *rows("hipMemcpyAsync hipMemcpyWithStream", "InvalidValue", ("memory", "other", HUGE, WITHIN, "stream")),
    *rows("hipMemcpyAsync hipMemcpyWithStream", "InvalidMemcpyDirection", ("memory", "other", 64, -9, None), why=KIND),
    *rows(
        "hipMemcpyAsync hipMemcpyAsync_spt",
        "ContextIsDestroyed",
        *each(4, ("memory", "other", 64, WITHIN, 0), *STREAMS),
        why=GONE,
    ),
    *rows("hipMemcpyWithStream", "ContextIsDestroyed", *each(4, ("memory", "other", 64, WITHIN, 0), *STREAMS)),
    *rows("hipMemcpyHtoD hipMemcpyDtoH hipMemcpyDtoD", "InvalidValue", *_ends(64), ("memory", "other", HUGE)),
    *rows("hipMemcpyHtoDAsync hipMemcpyDtoHAsync hipMemcpyDtoDAsync", "InvalidValue", *_ends(64, None)),
    *rows(
        "hipMemcpyHtoDAsync hipMemcpyDtoHAsync hipMemcpyDtoDAsync",
        "InvalidValue",
        ("memory", "other", HUGE, None),
        *each(3, ("memory", "other", 64, None), *STREAMS),
    ),
    *rows("hipMemcpy2D hipMemcpy2D_spt", "InvalidValue", *_plane(*ENDS), ("memory", 20, "other", 20, 10, 999, ANY)),
    *rows("hipMemcpy2D hipMemcpy2D_spt", "InvalidPitchValue", ("memory", 5, "other", 20, 10, 4, ANY)),
    *rows("hipMemcpy2D hipMemcpy2D_spt", "InvalidPitchValue", ("memory", 20, "other", 5, 10, 4, ANY)),
    *rows("hipMemcpy2D hipMemcpy2D_spt", "InvalidMemcpyDirection", ("memory", 20, "other", 20, 10, 4, 99)),
    *rows("hipMemcpy2DAsync hipMemcpy2DAsync_spt", "InvalidValue", *_async(_plane(*ENDS))),
    *rows("hipMemcpy2DAsync hipMemcpy2DAsync_spt", "InvalidPitchValue", ("memory", 5, "other", 20, 10, 4, ANY, None)),
    *rows("hipMemcpy2DAsync", "InvalidMemcpyDirection", ("memory", 20, "other", 20, 10, 4, 99, None)),
    *rows(
        "hipMemcpy2DAsync hipMemcpy2DAsync_spt",
        "ContextIsDestroyed",
        *each(7, ("memory", 20, "other", 20, 10, 4, ANY, None), *STREAMS),
        why=GONE,
    ),
    # Boxes.
    *rows("hipMemcpy3D hipMemcpy3D_spt", "InvalidValue", (None,), (0,), ("no_copy",), ("small_copy",)),
    *rows("hipMemcpy3DAsync hipMemcpy3DAsync_spt", "InvalidValue", (None, None), ("no_copy", None)),
    *rows("hipMemcpy3DAsync hipMemcpy3DAsync_spt", "InvalidValue", *each(1, ("right_copy", None), *STREAMS)),
    *rows("hipMemcpy3DPeer", "InvalidValue", (None,)),
    *rows("hipMemcpy3DPeer", "InvalidDevice", ("peers",)),
    *rows("hipMemcpy3DPeerAsync", "InvalidValue", (None, None), *each(1, ("right_peers", None), *STREAMS)),
    *rows("hipMemcpy3DPeerAsync", "InvalidDevice", ("peers", None)),
    *rows("hipDrvMemcpy3D", "InvalidValue", (None,), ("no_driver_copy",)),
    *rows("hipDrvMemcpy3DAsync", "InvalidValue", (None, None), ("no_driver_copy", None)),
    *rows("hipDrvMemcpy3DAsync", "InvalidValue", *each(1, ("right_driver_copy", None), *STREAMS)),
    *rows("hipMemcpyParam2D hipDrvMemcpy2DUnaligned", "InvalidValue", (None,), ("no_rows",)),
    *rows("hipMemcpyParam2DAsync", "InvalidValue", (None, None), ("no_rows", None)),
    *rows("hipMemcpyParam2DAsync", "InvalidValue", *each(1, ("right_rows", None), *STREAMS)),
    *rows(
        "hipMemcpyPeer", "InvalidDevice", ("memory", 1000, "other", "number", 64), ("memory", "number", "other", -1, 64)
    ),
    *rows(
        "hipMemcpyPeer",
        "InvalidValue",
        (None, "number", "other", "number", 64),
        ("memory", "number", None, "number", 64),
    ),
    *rows("hipMemcpyPeer", "InvalidValue", ("memory", "number", "other", "number", HUGE)),
    *rows("hipMemcpyPeerAsync", "InvalidDevice", ("memory", 1000, "other", "number", 64, None)),
    *rows("hipMemcpyPeerAsync", "InvalidValue", (None, "number", "other", "number", 64, None)),
    *rows("hipMemcpyPeerAsync", "InvalidValue", *each(5, ("memory", "number", "other", "number", 64, None), *STREAMS)),
    # Fills.
    *rows("hipMemset hipMemset_spt hipMemsetD8 hipMemsetD16 hipMemsetD32", "InvalidValue", *_fill(0, count=8)),
    *rows(
        "hipMemsetAsync hipMemsetAsync_spt hipMemsetD8Async hipMemsetD16Async hipMemsetD32Async",
        "InvalidValue",
        *_async(_fill(0, count=8)),
        *each(3, ("memory", 0, 8, None), *STREAMS),
    ),
    *rows(
        "hipMemset2D hipMemset2D_spt hipMemsetD2D8 hipMemsetD2D16 hipMemsetD2D32",
        "InvalidValue",
        *[(None, 16, 0, 4, 4), ("host", 16, 0, 4, 4), ("memory", 2, 0, 4, 4), ("memory", 16, 0, 4, 999)],
    ),
    *rows(
        "hipMemset2DAsync hipMemset2DAsync_spt hipMemsetD2D8Async hipMemsetD2D16Async hipMemsetD2D32Async",
        "InvalidValue",
        *[(None, 16, 0, 4, 4, None), ("memory", 2, 0, 4, 4, None), ("memory", 16, 0, 4, 999, None)],
        *each(5, ("memory", 16, 0, 4, 4, None), *STREAMS),
    ),
    *rows(
        "hipMemset3D hipMemset3D_spt",
        "InvalidValue",
        (None, 0, "flat"),
        ("no_pitched", 0, "flat"),
        ("pitched", 0, "wide"),
    ),
    *rows("hipMemset3D hipMemset3D_spt", "InvalidValue", ("pitched", 0, None)),
    *rows(
        "hipMemset3DAsync hipMemset3DAsync_spt", "InvalidValue", (None, 0, "flat", None), ("pitched", 0, "wide", None)
    ),
    *rows("hipMemset3DAsync hipMemset3DAsync_spt", "InvalidValue", *each(3, ("pitched", 0, "flat", None), *STREAMS)),
    # HIP's arrays.
    *rows("hipArrayCreate hipArray3DCreate", "InvalidValue", (None,), (0,)),
    *rows("hipArrayCreate", "InvalidValue", ("no_array",)),
    *rows("hipArray3DCreate", "InvalidValue", ("no_array3",)),
    *rows(
        "hipMallocArray", "InvalidValue", (None, 8, 4, 0), ("channels", 0, 4, 0), ("odd_channels", 8, 4, 0), why=CREATE
    ),
    *rows("hipMallocArray", "InvalidValue", ("channels", 8, 4, 1 << 20), why=CREATE),
    *rows("hipMallocArray", "OutOfMemory", ("channels", 1 << 40, 1 << 15, 0)),
    *rows(
        "hipMalloc3DArray",
        "InvalidValue",
        (None, "flat", 0),
        ("channels", None, 0),
        ("odd_channels", "flat", 0),
        why=CREATE,
    ),
    *rows("hipMalloc3DArray", "OutOfMemory", ("channels", "cube", 0)),
    *rows("hipCreateChannelDesc", "InvalidValue", (8, 0, 0, 0, 99), why="AMD's returns a struct, not a code"),
    *rows("hipFreeArray hipArrayDestroy", "InvalidValue", *each(0, (None,), *ARRAYS)),
    *rows("hipArrayGetDescriptor hipArray3DGetDescriptor hipArrayGetInfo", "InvalidHandle", *each(0, (None,), *ARRAYS)),
    *rows("hipMemcpyHtoA", "InvalidHandle", *each(0, (None, 0, "host", 4), *ARRAYS), why=ARRAY),
    *rows("hipMemcpyDtoA", "InvalidHandle", *each(0, (None, 0, "memory", 4), *ARRAYS), why=ARRAY),
    *rows("hipMemcpyHtoAAsync", "InvalidHandle", *each(0, (None, 0, "host", 4, None), *ARRAYS), why=ARRAY),
    *rows("hipMemcpyHtoA", "InvalidValue", ("array", 0, None, 4), ("array", 0, "host", 999), ("array", 999, "host", 4)),
    *rows("hipMemcpyDtoA", "InvalidValue", ("array", 0, None, 4), ("array", 0, "memory", 999)),
    *rows("hipMemcpyHtoAAsync", "InvalidValue", ("array", 0, None, 4, None), ("array", 0, "host", 999, None)),
    *rows("hipMemcpyHtoAAsync", "InvalidValue", *each(4, ("array", 0, "host", 4, None), *STREAMS)),
    *rows("hipMemcpyAtoH", "InvalidHandle", *each(1, ("host", None, 0, 4), *ARRAYS), why=ARRAY),
    *rows("hipMemcpyAtoD", "InvalidHandle", *each(1, ("memory", None, 0, 4), *ARRAYS), why=ARRAY),
    *rows("hipMemcpyAtoHAsync", "InvalidHandle", *each(1, ("host", None, 0, 4, None), *ARRAYS), why=ARRAY),
    *rows("hipMemcpyAtoH", "InvalidValue", (None, "array", 0, 4), ("host", "array", 0, 999)),
    *rows("hipMemcpyAtoD", "InvalidValue", (None, "array", 0, 4), ("memory", "array", 0, 999)),
    *rows("hipMemcpyAtoHAsync", "InvalidValue", (None, "array", 0, 4, None), ("host", "array", 0, 999, None)),
    *rows("hipMemcpyAtoHAsync", "InvalidValue", *each(4, ("host", "array", 0, 4, None), *STREAMS)),
    *rows("hipMemcpyAtoA", "InvalidHandle", *each(0, (None, 0, "array", 0, 4), *ARRAYS), why=ARRAY),
    *rows("hipMemcpyAtoA", "InvalidHandle", *each(2, ("array", 0, None, 0, 4), *ARRAYS), why=ARRAY),
    *rows("hipMemcpyAtoA", "InvalidValue", ("array", 0, "array", 0, 999)),
    *rows("hipMemcpyToArray", "InvalidHandle", *each(0, (None, 0, 0, "host", 4, UP), *ARRAYS), why=ARRAY),
    *rows("hipMemcpyToArray", "InvalidValue", ("array", 0, 0, None, 4, UP), ("array", 0, 99, "host", 4, UP)),
    *rows(
        "hipMemcpyToArray", "InvalidMemcpyDirection", ("array", 0, 0, "host", 4, DOWN), ("array", 0, 0, "host", 4, 99)
    ),
    *rows(
        "hipMemcpyFromArray hipMemcpyFromArray_spt",
        "InvalidHandle",
        *each(1, ("host", None, 0, 0, 4, DOWN), *ARRAYS),
        why=ARRAY,
    ),
    *rows("hipMemcpyFromArray hipMemcpyFromArray_spt", "InvalidValue", (None, "array", 0, 0, 4, DOWN)),
    *rows("hipMemcpyFromArray hipMemcpyFromArray_spt", "InvalidMemcpyDirection", ("host", "array", 0, 0, 4, UP)),
    *rows(
        "hipMemcpy2DToArray hipMemcpy2DToArray_spt",
        "InvalidHandle",
        *each(0, (None, 0, 0, "host", 16, 16, 2, UP), *ARRAYS),
        why=ARRAY,
    ),
    *rows("hipMemcpy2DToArray hipMemcpy2DToArray_spt", "InvalidValue", ("array", 0, 0, None, 16, 16, 2, UP)),
    *rows("hipMemcpy2DToArray hipMemcpy2DToArray_spt", "InvalidValue", ("array", 0, 3, "host", 16, 16, 2, UP)),
    *rows("hipMemcpy2DToArray hipMemcpy2DToArray_spt", "InvalidPitchValue", ("array", 0, 0, "host", 8, 16, 2, UP)),
    *rows(
        "hipMemcpy2DToArray hipMemcpy2DToArray_spt", "InvalidMemcpyDirection", ("array", 0, 0, "host", 16, 16, 2, DOWN)
    ),
    *rows(
        "hipMemcpy2DToArrayAsync hipMemcpy2DToArrayAsync_spt",
        "InvalidValue",
        ("array", 0, 0, None, 16, 16, 2, UP, None),
    ),
    *rows(
        "hipMemcpy2DToArrayAsync hipMemcpy2DToArrayAsync_spt",
        "ContextIsDestroyed",
        *each(8, ("array", 0, 0, "host", 16, 16, 2, UP, None), *STREAMS),
        why=GONE,
    ),
    *rows(
        "hipMemcpy2DFromArray hipMemcpy2DFromArray_spt",
        "InvalidHandle",
        *each(2, ("host", 16, None, 0, 0, 16, 2, DOWN), *ARRAYS),
        why=ARRAY,
    ),
    *rows("hipMemcpy2DFromArray hipMemcpy2DFromArray_spt", "InvalidValue", (None, 16, "array", 0, 0, 16, 2, DOWN)),
    *rows(
        "hipMemcpy2DFromArray hipMemcpy2DFromArray_spt", "InvalidPitchValue", ("host", 8, "array", 0, 0, 16, 2, DOWN)
    ),
    *rows("hipMemcpy2DFromArray", "InvalidMemcpyDirection", ("host", 16, "array", 0, 0, 16, 2, UP)),
    *rows(
        "hipMemcpy2DFromArrayAsync hipMemcpy2DFromArrayAsync_spt",
        "InvalidValue",
        (None, 16, "array", 0, 0, 16, 2, DOWN, None),
    ),
    *rows(
        "hipMemcpy2DFromArrayAsync hipMemcpy2DFromArrayAsync_spt",
        "ContextIsDestroyed",
        *each(8, ("host", 16, "array", 0, 0, 16, 2, DOWN, None), *STREAMS),
        why=GONE,
    ),
    *rows(
        "hipMemcpy2DArrayToArray", "InvalidHandle", *each(0, (0, 0, 0, "array", 0, 0, 16, 2, ANY), *ARRAYS), why=ARRAY
    ),
    *rows("hipMemcpy2DArrayToArray", "InvalidValue", ("array", 0, 3, "array", 0, 0, 16, 2, ANY)),
    *rows("hipMemcpy2DArrayToArray", "InvalidMemcpyDirection", ("array", 0, 0, "array", 0, 0, 16, 2, UP)),
    # Symbols.
    *rows("hipGetSymbolAddress hipGetSymbolSize", "InvalidSymbol", (None,), (b"nobody",), ("host",), why=SYMBOL),
    *rows(
        "hipMemcpyToSymbol hipMemcpyToSymbol_spt",
        "InvalidValue",
        (b"counters", None, 4, 0, UP),
        (b"counters", "host", 4, 16, UP),
    ),
    *rows("hipMemcpyToSymbol hipMemcpyToSymbol_spt", "InvalidSymbol", (None, "host", 4, 0, UP), why=SYMBOL),
    *rows("hipMemcpyToSymbol", "InvalidMemcpyDirection", (b"counters", "host", 4, 0, DOWN), why=DIRECTION),
    *rows(
        "hipMemcpyFromSymbol hipMemcpyFromSymbol_spt",
        "InvalidValue",
        (None, b"counters", 4, 0, DOWN),
        ("host", b"counters", 20, 0, DOWN),
    ),
    *rows("hipMemcpyFromSymbol hipMemcpyFromSymbol_spt", "InvalidSymbol", ("host", b"nobody", 4, 0, DOWN), why=SYMBOL),
    *rows("hipMemcpyFromSymbol", "InvalidMemcpyDirection", ("host", b"counters", 4, 0, UP), why=DIRECTION),
    *rows(
        "hipMemcpyToSymbolAsync hipMemcpyToSymbolAsync_spt",
        "InvalidValue",
        (b"counters", None, 4, 0, UP, None),
        *each(5, (b"counters", "host", 4, 0, UP, None), *STREAMS),
    ),
    *rows("hipMemcpyToSymbolAsync", "InvalidSymbol", (b"nobody", "host", 4, 0, UP, None), why=SYMBOL),
    *rows(
        "hipMemcpyFromSymbolAsync hipMemcpyFromSymbolAsync_spt",
        "InvalidValue",
        (None, b"counters", 4, 0, DOWN, None),
        *each(5, ("host", b"counters", 4, 0, DOWN, None), *STREAMS),
    ),
    *rows("hipMemcpyFromSymbolAsync", "InvalidSymbol", ("host", None, 4, 0, DOWN, None), why=SYMBOL),
]
