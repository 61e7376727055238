"""A capture on the stand-in, with whatever the calls need that are made meanwhile."""

import ctypes
import struct
from types import SimpleNamespace

from tests.standin.client import GLOBAL, NON_BLOCKING, RELAXED, THREAD_LOCAL, on_thread

ACTIVE, INVALID = 1, 2
MODES = (GLOBAL, THREAD_LOCAL, RELAXED)
UNSUPPORTED, INVALIDATED, MERGE, UNMATCHED, UNJOINED, ISOLATION, IMPLICIT, EVENT, THREAD = range(900, 909)
POOL = struct.pack("iiiiQ64x", 1, 0, 1, 0, 0)
HOST_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Scene(SimpleNamespace):
    """A stream that is captured, others that are not, and whatever calls need."""


def scene(cuda, flags=NON_BLOCKING, mode=GLOBAL):
    begun = Scene(
        stream=cuda.stream(flags),
        other=cuda.stream(NON_BLOCKING),
        blocking=cuda.stream(),
        outside=cuda.event(),
        new=cuda.event(),
        inside=cuda.event(),
        timed=cuda.event(0),
        memory=cuda.allocate(64),
        more=cuda.allocate(64),
        host=cuda.pinned(64),
        pool=cuda.out("cuMemPoolCreate", POOL),
        module=cuda.load(b"STANDIN1\nkernel nothing nothing 0\nglobal table 4\n"),
    )
    begun.pooled = cuda.out("cuMemAllocFromPoolAsync", 64, begun.pool, begun.other)
    begun.function = cuda.function("nothing")
    cuda("cuEventRecord", begun.outside, begun.other)
    cuda("cuEventRecord", begun.timed, begun.other)
    cuda("cuCtxSynchronize")
    cuda.capture(begun.stream, mode)
    cuda.write(begun.stream, begun.memory, 1)
    cuda("cuEventRecord", begun.inside, begun.stream)
    return begun


def ended(cuda, stream):
    """End a capture: the code, and the graph."""
    graph = ctypes.c_uint64(1)
    code = cuda.code("cuStreamEndCapture", stream, ctypes.byref(graph))
    return code, graph.value


def elsewhere(cuda, function):
    """What a function returns on a thread of its own, which has a context."""
    values = []

    def run():
        cuda.current(cuda.context)
        values.append(function())

    on_thread(run).join()
    return values[0]


def out():
    return ctypes.byref(ctypes.c_uint64())
