"""Odd arguments in each place of each function of HIP's, in a process of its own: it writes each call before it is made.

    python -m tests.fuzz.hip_arguments DEVICE FIRST STEP SECONDS LOG

A case is a call of a function that is right but for one argument, or for two. Cases have numbers; every STEP-th is run from
FIRST on, as long as there is time. The last line of the output has what is wrong, how many cases there were, and the next
one; None after the last.
"""

import ctypes
import faulthandler
import gc
import inspect
import json
import mmap
import os
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

import launchpath as lp
from launchpath import hip, hiprtc
from launchpath.hip._devices import current
from tests.hip_api.test_wrong_input import ROWS
from tests.hip_api.world import build

PATIENCE = 60  # seconds for one call
LIMIT = 64 << 20  # bytes of device memory that calls may take
ROUND = 60  # calls on the same things, which they may destroy: then these are odd too
_BASES = 3  # calls of a function that are changed
# A stream that waits for a value holds others back, which the program would have to let go.
_HOLD = ("hipStreamWaitValue32", "hipStreamWaitValue64")
_RTC: dict[str, tuple[Any, ...]] = {
    "hiprtcCreateProgram": ("source", b"odd.hip", 1, [b"int x;"], [b"odd.h"]), "hiprtcDestroyProgram": ("program",),
    "hiprtcAddNameExpression": ("new_program", b"odd<int>"), "hiprtcCompileProgram": ("new_program", 1, [b"-DA=1"]),
    "hiprtcGetProgramLogSize": ("program",), "hiprtcGetProgramLog": ("program", "room"), "hiprtcGetCodeSize": ("program",),
    "hiprtcGetCode": ("program", "room"), "hiprtcGetLoweredName": ("program", b"odd"), "hiprtcGetErrorString": (1,),
}  # fmt: skip


class _Hostile:
    """It raises whatever it is asked."""

    def __int__(self) -> int:
        raise RuntimeError("hostile")

    __index__ = __len__ = __float__ = __int__  # type: ignore[assignment]

    def __iter__(self) -> Any:
        raise TypeError("hostile")


def _edge() -> int:
    """Return an address behind which 4 bytes are: an access to more ends the process."""
    page = mmap.PAGESIZE
    memory = mmap.mmap(-1, 2 * page)
    place = ctypes.addressof(ctypes.c_ubyte.from_buffer(memory))
    protect = ctypes.CDLL(None).mprotect
    protect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    assert protect(place + page, page, 0) == 0
    _mapped.append(memory)
    return place + page - 4


_mapped: list[Any] = []


def _plain() -> dict[str, Any]:
    """Values of Python's and of ctypes', by what they are called."""
    short, c_int = (ctypes.c_ubyte * 2)(), ctypes.c_int(7)
    memory, edge = mmap.mmap(-1, 1 << 20), _edge()
    place = ctypes.addressof(ctypes.c_ubyte.from_buffer(memory))
    read_only = np.zeros(4, "u1")
    read_only.flags.writeable = False
    numbers = [
        0, 1, 2, 7, -1, -2, 1 << 16, 1 << 31, (1 << 31) - 1 << 20, 1 << 32, 1 << 63, (1 << 64) - 1, 1 << 64,
        -(1 << 63), 1 << 200,
    ]  # fmt: skip
    return {hex(number): number for number in numbers} | {
        "None": None, "True": True, "1.5": 1.5, "nan": float("nan"), "inf": float("inf"), "'x'": "x", "''": "", "'\\0'": "\0",
        "'\\ud800'": "\ud800", "b''": b"", "b'k'": b"k", "b'\\xff'": b"\xff", "bytearray": bytearray(3), "[]": [], "[1]": [1],
        "[None]": [None], "[1.5]": [1.5], "()": (), "(0, 0)": (0, 0), "(1, 2, 3, 4)": (1, 2, 3, 4), "('x',)": ("x",), "dict": {}, "set": {1},
        "object": object(), "type": int, "function": print, "lambda": lambda *_: None, "complex": 1j, "hostile": _Hostile(),
        "c_int": c_int, "c_ubyte[2]": short, "pointer to c_int": ctypes.pointer(c_int), "byref": ctypes.byref(c_int),
        "c_void_p(1)": ctypes.c_void_p(1), "c_void_p(-1)": ctypes.c_void_p(-1), "c_void_p": ctypes.c_void_p(place), "edge": edge, "c_void_p(edge)": ctypes.c_void_p(edge),
        "c_char_p": ctypes.c_char_p(b"k"), "address": place, "[c_int]": [c_int], "(c_int,)": (c_int,),
        "null pointer": ctypes.POINTER(ctypes.c_int)(), "ndarray": np.zeros(2, "f4"), "no ndarray": np.zeros(0), "rows": np.zeros((4, 4))[:, ::2],
        "read-only": read_only, "int64": np.int64(3), "memoryview": memoryview(b"abc"), "iterator": iter([1]), "range": range(3),
        "Pointer(1)": hip._types.bindings.Pointer.fromObj(1), "Pointer(0)": hip._types.bindings.Pointer.fromObj(0),
        "Pointer": hip._types.bindings.Pointer.fromObj(place), "Pointer(edge)": hip._types.bindings.Pointer.fromObj(edge), "kept": (memory,),
    }  # fmt: skip


class Cases:
    """All calls, by number."""

    def __init__(self, device: Any) -> None:
        self.device = device
        self.held = False  # a stream waits for ever
        self.bases: dict[str, list[tuple[Any, ...]]] = {}
        for row in ROWS:
            if "another" not in row.arguments:
                self.bases.setdefault(row.function, []).append(row.arguments)
        for name, arguments in self.bases.items():
            # Those with most that is there come first.
            arguments.sort(key=lambda each: -sum(isinstance(value, (str, int)) and bool(value) for value in each))
            parameters = len(inspect.signature(getattr(hip, name)).parameters)
            self.bases[name] = [*dict.fromkeys(map(_hashable, arguments))][:_BASES] or [(None,) * parameters]
        self.functions = {name: getattr(hip, name) for name in sorted(hip.SUPPORTED)} | {
            name: getattr(hiprtc, name) for name in _RTC
        }
        self.names = [name for name in sorted(self.functions) if inspect.signature(self.functions[name]).parameters]
        self.renew()

    def renew(self) -> None:
        """Make all things anew."""
        current.choose(self.device)
        while hip.hipDeviceSynchronize()[0] != 0:  # an odd host function has failed, which each wait says once
            pass
        self.world = build(hip)
        source = b'extern "C" __global__ void odd(int* a) {}'
        for name in ("program", "new_program"):
            setattr(self.world, name, hiprtc.hiprtcCreateProgram(source, b"odd.hip", 0, None, None)[1])
        hiprtc.hiprtcCompileProgram(self.world.program, 0, None)
        self.world.source, self.world.room = source, bytearray(1 << 16)
        self.odd = _plain() | {name: value for name, value in vars(self.world).items() if name != "hip"}
        for name in ("memory", "stream", "event", "kernel", "graph", "executable", "module", "array"):
            self.odd[f"int({name})"] = int(getattr(self.world, name))

    def all(self) -> Iterator[tuple[str, tuple[Any, ...], int, str]]:
        """Give each case: the function, what it is called with, which of that is odd, and what that is called."""
        labels = list(self.odd)
        for name in self.names:
            bases = [_RTC[name]] if name in _RTC else self.bases.get(name, [])
            count = len(inspect.signature(self.functions[name]).parameters)
            for base in [*bases, (None,) * count]:
                for place in range(count):
                    for label in labels:
                        yield name, base, place, label

    def call(self, name: str, base: tuple[Any, ...], place: int, label: str) -> str:
        """Make a call, and give what is wrong with what it did."""
        arguments = [getattr(self.world, each) if isinstance(each, str) else each for each in base]
        count = len(inspect.signature(self.functions[name]).parameters)
        arguments = (arguments + [None] * count)[:count]
        arguments[place] = self.odd[label]
        try:
            result = self.functions[name](*arguments)
        except TypeError as error:
            return "" if "expected a" in str(error) else f"TypeError: {error}"
        except BaseException as error:
            return "" if self.odd[label].__class__ is _Hostile else f"{type(error).__name__}: {error}"
        finally:
            current.choose(self.device)
        if not isinstance(result, tuple) or not hasattr(result[0], "name"):
            return f"returned {result!r}"
        self.held = self.held or (name in _HOLD and result[0] == 0)
        return ""


def _hashable(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(tuple(each) if isinstance(each, list) else each for each in arguments)


def main(index: str, first: int, step: int, seconds: float, log: str) -> None:
    device = lp.devices()[int(index)]
    device.set_memory_limit(LIMIT)
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    cases = Cases(device)
    until, problems, made, following = time.monotonic() + seconds, [], 0, None
    for number, (name, base, place, label) in enumerate(cases.all()):
        if number < first or (number - first) % step:
            continue
        if cases.held or time.monotonic() > until:
            following = number
            break
        if made % ROUND == ROUND - 1:
            cases.renew()
        made += 1
        text = f"{number} {name}{base}, {label} in place {place}"
        os.truncate(file, 0)
        os.lseek(file, 0, os.SEEK_SET)
        os.write(file, f"{text}\n".encode("utf-8", "backslashreplace"))
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        wrong = cases.call(name, base, place, label)
        faulthandler.cancel_dump_traceback_later()
        if wrong:
            problems.append(f"{text}: {wrong}"[:400])
    print(json.dumps({"problems": problems, "made": made, "next": following}))
    sys.stdout.flush()
    os._exit(0)  # streams may be held back, by what was asked for


if __name__ == "__main__":
    faulthandler.enable()
    gc.disable()
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), sys.argv[5])
