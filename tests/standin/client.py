"""CUDA's calls on the stand-in from Python: what the stand-in's own tests are written with."""

import ctypes
import struct
import threading
import time
from collections.abc import Callable

from tests.patience import PATIENCE

from .control import Control

NON_BLOCKING = 1
LEGACY, PER_THREAD = 0, 2
GLOBAL, THREAD_LOCAL, RELAXED = 0, 1, 2  # modes of a capture
NOT_READY = 600
IMAGE = (
    b"STANDIN1\n"
    b"kernel fill fill 16 0:8,8:4,12:4\n"
    b"kernel saxpy saxpy 28 0:4,8:8,16:8,24:4\n"
    b"kernel add16 add16 68 0:8,"
    + b",".join(b"%d:4" % (8 + 4 * i) for i in range(15))
    + b"\nkernel increment increment 12 0:8,8:4\n"
    b"kernel spin spin 12 0:8,8:4\n"
    b"kernel wait_us wait_us 4 0:4\n"
    b"kernel fails fails 4 0:4\n"
    b"kernel nothing nothing 0\n"
    b"kernel deep deep 0\n"
    b"kernel raw raw 24 0:8,8:8,16:8\n"
    b"kernel shape shape 8 0:8\n"
    b"kernel texels texels 16 0:8,8:8\n"
    b"kernel missing missing 0\n"
    b"global table 64\n"
)


class CudaError(Exception):
    """A call failed; `code` says how."""

    def __init__(self, name: str, code: int):
        super().__init__(f"{name}: {code}")
        self.code = code


class Cuda(Control):
    """The stand-in with device 0's context current on this thread."""

    def __init__(self, path: str):
        super().__init__(path)
        self("cuInit", 0)

    def begin(self) -> None:
        """Make a context, and a module with the kernels of kernels.c."""
        self.context = self.retain(0)
        self.current(self.context)
        self.module = self.load(IMAGE)

    def __call__(self, name: str, *arguments: object) -> None:
        """Call a function; raise CudaError unless it succeeds."""
        code = self.code(name, *arguments)
        if code:
            raise CudaError(name, code)

    def code(self, name: str, *arguments: object) -> int:
        """Call a function and return its code; integers are 64 bits wide, which suits all but floats."""
        wide = [
            ctypes.c_uint64(argument & (1 << 64) - 1) if isinstance(argument, int) else argument
            for argument in arguments
        ]
        return int(getattr(self.c, name)(*wide))

    def out(self, name: str, *arguments: object, kind: type = ctypes.c_uint64) -> int:
        """Call a function that writes its first argument, and return that."""
        result = kind()
        self(name, ctypes.byref(result), *arguments)
        return result.value

    def retain(self, device: int) -> int:
        return self.out("cuDevicePrimaryCtxRetain", device)

    def current(self, context: int) -> None:
        self("cuCtxSetCurrent", context)

    def stream(self, flags: int = 0) -> int:
        return self.out("cuStreamCreateWithPriority", flags, 0)

    def event(self, flags: int = 0) -> int:
        return self.out("cuEventCreate", flags)

    def allocate(self, size: int) -> int:
        return self.out("cuMemAlloc_v2", size)

    def pinned(self, size: int) -> int:
        return self.out("cuMemHostAlloc", size, 0)

    def word(self) -> ctypes.c_uint32:
        """Return a word of pinned memory, 0."""
        word = ctypes.c_uint32.from_address(self.pinned(4))
        word.value = 0
        return word

    def hold(self, stream: int) -> Callable[[], None]:
        """Let the stream wait until what is returned is called."""
        word = self.word()
        self("cuStreamWaitValue32_v2", stream, ctypes.addressof(word), 1, 0)

        def release() -> None:
            word.value = 1

        return release

    def load(self, image: bytes) -> int:
        return self.out("cuModuleLoadDataEx", image, 0, None, None)

    def function(self, name: str, module: int | None = None) -> int:
        return self.out("cuModuleGetFunction", module or self.module, name.encode())

    def launch(
        self, name: str | int, packed: bytes = b"", stream: int = 0, grid=(1, 1, 1), block=(1, 1, 1), shared: int = 0
    ) -> None:
        """Launch from packed bytes."""
        code = self.launch_code(name, packed, stream, grid, block, shared)
        if code:
            raise CudaError("cuLaunchKernel", code)

    def launch_code(self, name, packed=b"", stream=0, grid=(1, 1, 1), block=(1, 1, 1), shared=0) -> int:
        function = self.function(name) if isinstance(name, str) else name
        bytes_, size = ctypes.create_string_buffer(packed, max(len(packed), 1)), ctypes.c_size_t(len(packed))
        extra = (ctypes.c_void_p * 5)(1, ctypes.addressof(bytes_), 2, ctypes.addressof(size), 0)
        return self.code("cuLaunchKernel", function, *grid, *block, shared, stream, None, extra)

    def capture(self, stream: int, mode: int = GLOBAL) -> None:
        """Begin to capture a stream."""
        self("cuStreamBeginCapture_v2", stream, mode)

    def captured(self, stream: int) -> int:
        """End a stream's capture, and return the graph."""
        graph = ctypes.c_uint64()
        self("cuStreamEndCapture", stream, ctypes.byref(graph))
        return graph.value

    def capturing(self, stream: int) -> int:
        """Whether a stream is captured: 0; 1; 2: it was, but its capture has become invalid."""
        status = ctypes.c_int()
        self("cuStreamIsCapturing", stream, ctypes.byref(status))
        return status.value

    def instantiate(self, graph: int, flags: int = 0) -> int:
        return self.out("cuGraphInstantiateWithFlags", graph, flags)

    def write(self, stream: int, address: int, value: int) -> None:
        """Fill four bytes, in the stream's order."""
        self("cuMemsetD32Async", address, value, 1, stream)

    def read(self, address: int, count: int = 1) -> list[int]:
        """Read numbers of 32 bits when all work has ended."""
        self("cuCtxSynchronize")
        return list(struct.unpack(f"{count}I", ctypes.string_at(address, 4 * count)))

    def is_over(self, stream: int) -> bool:
        code = self.code("cuStreamQuery", stream)
        if code not in (0, NOT_READY):
            raise CudaError("cuStreamQuery", code)
        return code == 0


class Hip(Cuda):
    """HIP's calls: those that a test needs have the names and shapes of CUDA's."""

    def __init__(self, path):
        self.c = ctypes.CDLL(path)
        self.c.hipGetErrorName.restype = self.c.hiprtcGetErrorString.restype = ctypes.c_char_p

    def launch_code(self, function, packed, end=3, cooperative=False):
        bytes_, size = ctypes.create_string_buffer(packed, max(len(packed), 1)), ctypes.c_size_t(len(packed))
        extra = (ctypes.c_void_p * 5)(1, ctypes.addressof(bytes_), 2, ctypes.addressof(size), end)
        return self.code("hipModuleLaunchKernel", function, 1, 1, 1, 1, 1, 1, 0, 0, None, extra)


def on_thread(function: Callable[[], object]) -> threading.Thread:
    """Start a function on a thread of its own."""
    thread = threading.Thread(target=function)
    thread.start()
    return thread


def soon(condition: Callable[[], object], seconds: float = PATIENCE) -> bool:
    """Wait until that is true."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.001)
    return True
