"""A client of CUPTI in Python, for the tests of its stand-in."""

import ctypes
import threading
import time
from typing import NamedTuple

from .cupti_control import KINDS, CuptiControl

ENTER, EXIT = 0, 1
LAUNCH, GRAPH_LAUNCH, FILL_BYTES, CONTEXT = 307, 514, 216, 304
MULTIPLE_SUBSCRIBERS = 39


class CallbackData(ctypes.Structure):
    """``CUpti_CallbackData``."""

    _fields_ = (
        ("site", ctypes.c_int),
        ("name", ctypes.c_char_p),
        ("parameters", ctypes.c_void_p),
        ("result", ctypes.POINTER(ctypes.c_int)),
        ("symbol", ctypes.c_char_p),
        ("context", ctypes.c_void_p),
        ("context_number", ctypes.c_uint32),
        ("data", ctypes.POINTER(ctypes.c_uint64)),
        ("number", ctypes.c_uint32),
    )


CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32, ctypes.POINTER(CallbackData))
SIZES = ctypes.POINTER(ctypes.c_size_t)
REQUEST = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_void_p), SIZES, SIZES)
COMPLETE = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t
)  # fmt: skip
CLOCK = ctypes.CFUNCTYPE(ctypes.c_uint64)


class Heard(NamedTuple):
    """A callback."""

    thread: int
    site: int
    call: int
    number: int
    result: int | None


class Record(NamedTuple):
    """A record, as launchpath reads it."""

    kind: int
    number: int
    start: int
    end: int
    at: int


class CuptiClient(CuptiControl):
    """A subscriber that keeps all callbacks and records."""

    def __init__(self, path: str, reader: ctypes.CDLL) -> None:
        super().__init__(path)
        self.reader = reader
        self.heard: list[Heard] = []
        self.buffers: list[list[Record]] = []  # the records of each
        self.delivery_threads: list[int] = []  # of each buffer
        self.size, self.most = 65536, 0
        self.memory: dict[int, ctypes.Array[ctypes.c_char]] = {}
        self.also = lambda at: None  # called by each callback
        self._kept = (
            CALLBACK(self._called),
            REQUEST(self._requested),
            COMPLETE(self._delivered),
            CLOCK(time.monotonic_ns),
        )
        self.subscriber = ctypes.c_void_p()

    def code(self, name: str, *arguments: object) -> int:
        return int(getattr(self.c, name)(*arguments))

    def __call__(self, name: str, *arguments: object) -> None:
        code = self.code(name, *arguments)
        assert code == 0, (name, code)

    def subscribe(self) -> int:
        handle = ctypes.c_void_p()
        code = self.code("cuptiSubscribe", ctypes.byref(handle), self._kept[0], None)
        if code == 0:
            self.subscriber = handle
        return code

    def begin(self, *watched: int, kinds: tuple[int, ...] = KINDS, clock: bool = True) -> None:
        """Subscribe, watch these calls and have records of these kinds."""
        assert self.subscribe() == 0
        if clock:
            self("cuptiActivityRegisterTimestampCallback", self._kept[3])
        self("cuptiActivityRegisterCallbacks", self._kept[1], self._kept[2])
        for kind in kinds:
            self("cuptiActivityEnable", kind)
        for call in watched:
            self.watch(call)

    def watch(self, call: int, on: bool = True) -> None:
        self("cuptiEnableCallback", int(on), self.subscriber, 1, call)

    def flush(self, forced: bool = False) -> None:
        self("cuptiActivityFlushAll", int(forced))

    def end(self) -> None:
        self("cuptiFinalize")

    @property
    def records(self) -> list[Record]:
        return [record for buffer in self.buffers for record in buffer]

    def _called(self, data, domain, call, at) -> None:
        at = at.contents
        result = at.result.contents.value if at.result else None
        self.heard.append(Heard(threading.get_ident(), at.site, call, at.number, result))
        assert domain == 1
        self.also(at)

    def _requested(self, buffer, size, most) -> None:
        memory = ctypes.create_string_buffer(self.size)
        self.memory[ctypes.addressof(memory)] = memory
        buffer[0], size[0], most[0] = ctypes.addressof(memory), self.size, self.most

    def _delivered(self, context, stream, buffer, size, valid) -> None:
        records: list[Record] = []
        at = ctypes.c_void_p()
        while (
            self.code("cuptiActivityGetNextRecord", ctypes.c_void_p(buffer), ctypes.c_size_t(valid), ctypes.byref(at))
            == 0
        ):
            number, start, end = ctypes.c_uint32(), ctypes.c_uint64(), ctypes.c_uint64()
            read = self.reader.read_record(at, ctypes.byref(number), ctypes.byref(start), ctypes.byref(end))
            assert read == 1
            kind = ctypes.c_int32.from_address(at.value or 0).value
            records.append(Record(kind, number.value, start.value, end.value, (at.value or 0) - buffer))
        self.delivery_threads.append(threading.get_native_id())
        self.buffers.append(records)


def launches(cuda, stream, count=1, name="nothing"):
    """Launch a kernel that takes nothing."""
    function = cuda.function(name)
    for _ in range(count):
        cuda.launch(function, stream=stream)
