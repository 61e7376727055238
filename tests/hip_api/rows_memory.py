"""Wrong input of the functions of memory and pools."""

from .rows import BAD, FAR, HUGE, each, rows

STREAMS = (BAD, "gone_stream")
POOLS = (None, BAD, "gone_pool")
FLAGS = "AMD's runtime checks the flags, and lists the code for too much memory only"
NULL = "AMD's runtime returns it for the null pointer, and its own tests ask for it"
REGISTER = "AMD's runtime returns it; the function's list has one code, or none"
MANAGED = "launchpath's own: the device has no managed memory"

ROWS = [
    *rows("hipMalloc hipMallocHost hipMemAllocHost", "OutOfMemory", (HUGE,)),
    *rows("hipMallocAsync", "OutOfMemory", (HUGE, None), (HUGE, "stream")),
    *rows("hipMallocAsync", "InvalidValue", *each(1, (64, None), *STREAMS)),
    *rows("hipHostMalloc", "OutOfMemory", (HUGE, 0)),
    *rows("hipHostAlloc", "OutOfMemory", (HUGE, 0)),
    *rows("hipHostAlloc", "InvalidValue", (64, 1 << 20)),
    *rows("hipHostMalloc", "InvalidValue", (64, 1 << 20), (64, 0xC0000000), why=FLAGS),
    *rows("hipExtMallocWithFlags", "OutOfMemory", (HUGE, 0)),
    *rows("hipExtMallocWithFlags", "InvalidValue", (64, 1 << 20), (4, 2), (64, 2)),
    *rows("hipMallocManaged", "InvalidValue", (64, 0), (64, 77), (0, 1)),
    *rows("hipMallocPitch", "OutOfMemory", (1 << 40, 1 << 15), why='AMD\'s documentation says "Error code"'),
    *rows("hipMemAllocPitch", "OutOfMemory", (1 << 40, 1 << 15, 4), why='AMD\'s documentation says "Error code"'),
    *rows("hipMemAllocPitch", "InvalidValue", (64, 4, 3), why="CUDA's, whose function it is; AMD's takes any size"),
    *rows("hipMalloc3D", "InvalidValue", (None,)),
    *rows("hipMalloc3D", "OutOfMemory", ("cube",), why="AMD's runtime returns it when there is not so much memory"),
    *rows("hipMallocPitch", "InvalidValue", (-5, 3), (5, -3), why='AMD\'s documentation says "Error code"'),
    *rows("hipFree", "InvalidDevicePointer", ("inside",), ("gone_memory",), ("pinned",), ("host",)),
    *rows("hipFreeAsync", "InvalidValue", (None, None), ("gone_memory", None), ("inside", None), ("pinned", "stream")),
    *rows("hipFreeAsync", "InvalidValue", *each(1, ("memory", None), *STREAMS)),
    *rows("hipHostFree hipFreeHost", "InvalidValue", ("memory",), ("in_pinned",), ("host",), (BAD,)),
    *rows("hipHostGetFlags", "InvalidValue", (None,), ("memory",), ("host",)),
    *rows("hipHostGetDevicePointer", "InvalidValue", (None, 0), ("memory", 0), ("host", 0), ("pinned", 1)),
    *rows("hipMemGetAddressRange", "NotFound", (None,), ("host",), ("gone_memory",)),
    *rows("hipMemPtrGetInfo", "InvalidValue", (None,), ("host",), ("gone_memory",)),
    *rows("hipPointerGetAttributes", "InvalidValue", (None,), ("host",), ("gone_memory",)),
    *rows("hipPointerGetAttribute", "InvalidValue", (None, 2, "memory"), ("place", 999, "memory"), ("place", 2, None)),
    *rows("hipPointerGetAttribute", "InvalidValue", ("place", 2, "host"), ("place", 2, "gone_memory")),
    *rows("hipPointerSetAttribute", "InvalidValue", (None, 6, "memory"), ("place", 999, "memory"), ("place", 6, None)),
    *rows("hipPointerSetAttribute", "InvalidValue", ("place", 6, "host"), ("place", 2, "memory")),
    *rows("hipHostRegister", "InvalidValue", (None, 64, 0), ("host", 0, 0), ("host", 64, 1 << 20), why=REGISTER),
    *rows("hipHostRegister", "HostMemoryAlreadyRegistered", ("pinned", 64, 0), ("memory", 4, 0), why=REGISTER),
    *rows("hipHostUnregister", "InvalidValue", (None,), why=NULL),
    *rows("hipHostUnregister", "HostMemoryNotRegistered", ("host",), ("pinned",), ("memory",), why=REGISTER),
    # Pools.
    *rows("hipDeviceGetDefaultMemPool", "InvalidDevice", (-1,), (FAR,)),
    *rows("hipDeviceGetMemPool", "InvalidValue", (-1,), (FAR,)),
    *rows("hipDeviceSetMemPool", "InvalidDevice", (-1, "pool"), (FAR, "pool"), ("another", "pool")),
    *rows("hipDeviceSetMemPool", "InvalidValue", *each(1, ("number", None), *POOLS)),
    *rows("hipMallocFromPoolAsync", "InvalidValue", *each(1, (64, None, None), *POOLS)),
    *rows("hipMallocFromPoolAsync", "InvalidValue", *each(2, (64, "pool", None), *STREAMS)),
    *rows("hipMallocFromPoolAsync", "OutOfMemory", (HUGE, "pool", None)),
    *rows("hipMemGetDefaultMemPool", "InvalidValue", (None, 1), ("nowhere", 1), ("no_kind", 1), ("here", 99)),
    *rows(
        "hipMemGetMemPool", "InvalidValue", (None, 1), ("nowhere", 1), ("here", 99), why="as hipMemGetDefaultMemPool"
    ),
    *rows("hipMemPoolCreate", "InvalidValue", (None,), ("no_pool",), ("far_pool",)),
    *rows("hipMemPoolDestroy", "InvalidValue", *each(0, (None,), *POOLS), ("default_pool",)),
    *rows("hipMemPoolTrimTo", "InvalidValue", *each(0, (None, 0), *POOLS)),
    *rows("hipMemPoolGetAttribute", "InvalidValue", *each(0, (None, 1, "place"), *POOLS)),
    *rows("hipMemPoolGetAttribute", "InvalidValue", ("pool", 99, "place"), ("pool", 1, None), ("pool", 5, None)),
    *rows("hipMemPoolSetAttribute", "InvalidValue", *each(0, (None, 8, "place"), *POOLS)),
    *rows("hipMemPoolSetAttribute", "InvalidValue", ("pool", 99, "place"), ("pool", 8, None), ("pool", 5, "place")),
    *rows("hipMemPoolSetAccess", "InvalidValue", *each(0, (None, "far_access", 1), *POOLS)),
    *rows("hipMemPoolSetAccess", "InvalidValue", ("pool", None, 1), ("pool", "far_access", 0)),
    *rows("hipMemPoolSetAccess", "InvalidValue", ("pool", "far_access", 1)),
    *rows("hipMemPoolGetAccess", "InvalidValue", *each(0, (None, "here"), *POOLS)),
    *rows("hipMemPoolGetAccess", "InvalidValue", ("pool", None), ("pool", "nowhere"), ("pool", "no_kind")),
    # Advice.
    *rows("hipMemAdvise", "InvalidValue", (None, 64, 1, "number"), ("memory", 64, 1, "number")),
    *rows(
        "hipMemAdvise", "InvalidValue", ("memory", 0, 1, "number"), ("memory", 64, 99, "number"), ("memory", 64, 1, FAR)
    ),
    *rows("hipMemAdvise_v2", "InvalidValue", (None, 64, 1, "here"), ("memory", 64, 1, "here"), ("memory", 64, 1, None)),
    *rows("hipMemAdvise_v2", "InvalidValue", ("memory", 64, 99, "here"), ("memory", 64, 1, "nowhere")),
    *rows("hipMemPrefetchAsync", "InvalidValue", (None, 64, "number", None), ("memory", 64, "number", None)),
    *rows("hipMemPrefetchAsync", "InvalidValue", ("memory", 0, "number", None), ("memory", 64, FAR, None)),
    *rows("hipMemPrefetchAsync", "InvalidValue", *each(3, ("memory", 64, "number", None), *STREAMS)),
    *rows("hipMemPrefetchAsync_v2", "InvalidValue", (None, 64, "here", 0, None), ("memory", 64, "here", 1, None)),
    *rows("hipMemPrefetchAsync_v2", "InvalidValue", ("memory", 64, None, 0, None), ("memory", 64, "nowhere", 0, None)),
    *rows("hipMemPrefetchAsync_v2", "InvalidValue", *each(4, ("memory", 64, "here", 0, None), *STREAMS)),
    *rows("hipMemRangeGetAttribute", "InvalidValue", (None, 4, 1, "memory", 64), ("place", 4, 99, "memory", 64)),
    *rows("hipMemRangeGetAttribute", "InvalidValue", ("place", 3, 1, "memory", 64), ("place", 4, 1, None, 64)),
    *rows(
        "hipStreamAttachMemAsync", "InvalidValue", (None, None, 0, 1), (None, "memory", 0, 1), (None, "memory", 0, 77)
    ),
    *rows("hipStreamAttachMemAsync", "InvalidValue", *each(0, (None, "memory", 0, 1), *STREAMS)),
]
