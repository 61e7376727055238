"""User objects on the stand-in whose functions keep what they are called with, and graphs to have references to them."""

import ctypes
import threading

from tests.standin.client import soon
from tests.standin.graphs.scene import ACTIVE, HOST_FUNCTION

MOVE = 1


class Objects:
    """Makes objects, and keeps what their functions were called with, and where."""

    def __init__(self, cuda, library=None, prefix="cu"):
        self.cuda, self.library, self.prefix = cuda, library or cuda, prefix
        self.calls, self.threads = [], []
        self.function = HOST_FUNCTION(self._called)

    def _called(self, data):
        self.threads.append(threading.get_native_id())
        self.calls.append(data)

    def new(self, data, count=1):
        return self.library.out(f"{self.prefix}UserObjectCreate", data, self.function, count, 1)

    def code(self, name, *arguments):
        return self.library.code(self.prefix + name, *arguments)

    def retain(self, graph, object_, count=1, flags=0):
        self.library(f"{self.prefix}GraphRetainUserObject", graph, object_, count, flags)

    def moved(self, graph, data):
        """Give the graph the only reference to a new object."""
        object_ = self.new(data)
        self.retain(graph, object_, 1, MOVE)
        return object_

    def are(self, *wanted):
        """These have been destroyed, in that order, and no others are about to be."""
        return soon(lambda: not self.cuda.live("destroying")) and tuple(self.calls) == wanted


def capturing(cuda, stream):
    """The graph of a stream's capture, while it lasts."""
    status, graph = ctypes.c_int(), ctypes.c_uint64()
    cuda("cuStreamGetCaptureInfo_v2", stream, ctypes.byref(status), None, ctypes.byref(graph), None, None)
    assert status.value == ACTIVE
    return graph.value


def captured(cuda, stream, *kernels):
    """A graph of those kernels: (name, arguments)."""
    cuda.capture(stream)
    for name, packed in kernels:
        cuda.launch(name, packed, stream)
    return cuda.captured(stream)


def waiting(cuda, stream):
    """A graph whose launches wait until a word is 1, and the word."""
    word = cuda.word()
    cuda.capture(stream)
    cuda("cuStreamWaitValue32_v2", stream, ctypes.addressof(word), 1, 0)
    return cuda.captured(stream), word
