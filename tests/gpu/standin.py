"""launchpath's CUDA and HIP drivers on the stand-in library, for tests: devices, kernels, and what the library saw."""

from __future__ import annotations

import ctypes
import gc
import os
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import launchpath as lp
from launchpath import _core
from launchpath._drivers.workarounds import in_force
from tests.standin.build import ROOT, library
from tests.standin.client import IMAGE, soon
from tests.standin.control import Call, Control
from tests.unit.support.kernels import signature

OUT = object()
DRIVERS = ("cuda", "hip")
LIVE = (
    "streams", "events", "memory", "bytes", "pinned", "managed", "pools", "modules", "graphs", "arrays", "textures", "user_objects",
    "contexts",
)  # fmt: skip

# What kernels.c takes; a pointer's element type follows its colon.
SIGNATURES = {
    "fill": ("pointer:float32", "float32", "int32"),
    "saxpy": ("float32", "const pointer:float32", "pointer:float32", "int32"),
    "add16": ("pointer:int32", *["int32"] * 15),
    "increment": ("pointer:int32", "int32"),
    "spin": ("pointer", "uint32"),
    "wait_us": ("int32",),
    "fails": ("int32",),
    "nothing": (),
    "deep": (),
    "raw": ("pointer", "uint64", "uint64"),
    "shape": ("pointer:uint32",),
    "texels": ("pointer", "texture"),
}


def _names() -> dict[str, dict[str, str]]:
    """Read the functions' names in either library, by field, from the table that the driver is compiled with."""
    library = ROOT / "src" / "launchpath" / "_core" / "driver" / "gpu" / "library"
    text = (library / "functions.h").read_text()
    rows = re.findall(r'GPU_FUNCTION\((\w+), "(\w*)", "(\w*)"', text)
    return {"cuda": {row[0]: row[1] for row in rows}, "hip": {row[0]: row[2] for row in rows}}


NAMES = _names()


class Standin:
    """One driver of this process, on a stand-in library of its own.

    ``control`` steers the CUDA library, under HIP too, where the HIP library forwards to it.
    """

    def __init__(self, driver: str, folder: Path, stream_ordered: bool = True) -> None:
        path = shutil.copy(library("cuda"), folder / f"libcuda-{driver}.so")
        self.control = Control(path)
        os.environ["STANDIN_KERNELS"] = str(library("kernels"))  # read when a kernel is first looked for
        with _environment(HIP_FORWARD_CUDA=str(path)):
            if driver == "hip":
                path = shutil.copy(library("hip"), folder / "libhip.so")
            else:
                os.environ["STANDIN_CUPTI_CUDA"] = str(path)  # read when CUPTI is attached
            _core.gpu_load(driver, str(path))
            drivers, _ = _core.gpu_devices(driver, stream_ordered, in_force(driver))
        self._begin([lp.Device(driver_device) for driver_device in drivers])

    @classmethod
    def alone(cls) -> Standin:
        """Return the only driver of a process that was started with `tests.standin.build.environment`."""
        self = cls.__new__(cls)
        forwarded = os.environ.get("HIP_FORWARD_CUDA")
        self.control = Control(forwarded or os.environ["LAUNCHPATH_CUDA_LIBRARY"])
        self._begin(devices())
        return self

    def _begin(self, devices: list[lp.Device]) -> None:
        self.devices, self.device = devices, devices[0]
        self.driver = self.device.info["driver"]
        self.call = NAMES[self.driver]
        self._kernels: dict[tuple[int, str], lp.Kernel] = {}
        self._programs: dict[int, Any] = {}
        self._let_go: list[tuple[int, int]] = []
        for device in devices:
            assert device.legacy_stream
        for ordinal in range(len(devices)):  # what lives as long as the devices is made before anything is counted
            for name in SIGNATURES:
                self.kernel(name, ordinal)
            with suppress(lp.DriverError):  # the library may lack what it needs
                stream = self.stream(ordinal=ordinal)
                stream.hold().release()
                stream.host_function(int)
                stream.synchronize()

    def __repr__(self) -> str:
        return self.driver

    # -- what runs

    def load(self, image: bytes = IMAGE, ordinal: int = 0) -> Any:
        """Load a module, as the core sees it."""
        return self.devices[ordinal].driver_device.load(image)

    def kernel(self, name: str, ordinal: int = 0) -> lp.Kernel:
        """Return a kernel of kernels.c."""
        key = (ordinal, name)
        if key not in self._kernels:
            if ordinal not in self._programs:
                self._programs[ordinal] = self.load(IMAGE, ordinal)
            self._kernels[key] = self.adapt(self._programs[ordinal], name, *SIGNATURES[name], ordinal=ordinal)
        return self._kernels[key]

    def waiting(self, name: str, truly: bool = True, ordinal: int = 0, **more: Any) -> lp.Kernel:
        """Return a kernel of kernels.c that waits at its entry for the kernel before it; if not `truly`, so it is said."""
        lines = f"waits {name}\n".encode() if truly else b""
        program = self.load(IMAGE + lines, ordinal)
        return self.adapt(program, name, *SIGNATURES[name], ordinal=ordinal, waits=True, **more)

    def adapt(
        self, program: Any, name: str, *kinds: str, symbol: str | None = None, ordinal: int = 0, waits: bool = False,
        **more: Any,
    ) -> lp.Kernel:  # fmt: skip
        """Give a kernel of a module its signature."""
        kernel_signature = signature(*kinds, name=name, **more)
        return lp.Kernel(program.kernel(symbol or name, waits=waits), self.devices[ordinal], kernel_signature)

    def stream(self, kind: str = "nonblocking", ordinal: int = 0, **more: Any) -> lp.Stream:
        """Make a stream, or give one of the device's own."""
        device = self.devices[ordinal]
        if kind == "legacy":
            return device.legacy_stream
        if kind == "per-thread":
            return device.per_thread_stream
        return lp.Stream(blocking=kind == "blocking", device=device, **more)

    def zeros(self, count: int = 16, dtype: str = "int32", ordinal: int = 0) -> lp.Array:
        """Make an array of zeros, which are there."""
        stream = self.stream(ordinal=ordinal)
        array = lp.zeros(count, dtype, stream=stream)
        stream.synchronize()
        return array

    # -- what the library saw

    def calls(self, *names: str, clear: bool = True) -> list[Call]:
        """Return the calls of the CUDA library since the last time, those of these names or all."""
        return [call for call in self.control.calls(clear) if not names or call.name in names]

    def counts(self, *names: str) -> dict[str, int]:
        """Count the calls of each of these names since the last time, and begin to record anew."""
        return dict(Counter(call.name for call in self.calls(*names)))

    def forget_calls(self) -> None:
        """Begin to record anew."""
        self.control.calls()

    def cuda(self, name: str, *arguments: object, ordinal: int = 0) -> int:
        """Call the CUDA library as foreign code does, with a device current meanwhile; return what it writes first, if anything."""
        with self.current(ordinal):
            return self.bare(name, *arguments)

    def bare(self, name: str, *arguments: object) -> int:
        """Call the CUDA library with whatever is current; `OUT` among the arguments is where it writes."""
        result = ctypes.c_uint64(0)
        numbers = [ctypes.c_uint64(argument) if isinstance(argument, int) else argument for argument in arguments]
        wide = [ctypes.byref(result) if argument is OUT else argument for argument in numbers]
        code = getattr(self.control.c, name)(*wide)
        assert code == 0, (name, code)
        return result.value

    def held(self, handle: int, ordinal: int = 0) -> Callable[[], None]:
        """Let a stream of the library wait, as foreign code does, until what is returned is called."""
        word = self.cuda("cuMemHostAlloc", OUT, 4, 1, ordinal=ordinal)
        at = ctypes.c_uint32.from_address(word)
        at.value = 0
        self.cuda("cuStreamWaitValue32_v2", handle, word, 1, 0, ordinal=ordinal)
        self._let_go.append((ordinal, word))

        def release() -> None:
            at.value = 1

        return release

    @contextmanager
    def current(self, ordinal: int | None) -> Iterator[int]:
        """Make a device's context, or none, current on this thread; give the context."""
        before = self.bare("cuCtxGetCurrent", OUT)
        context = 0
        if ordinal is not None:
            context = self.bare("cuDevicePrimaryCtxRetain", OUT, ordinal)
            self.bare("cuDevicePrimaryCtxRelease_v2", ordinal)  # ours holds it
        self.bare("cuCtxSetCurrent", context)
        try:
            yield context
        finally:
            self.bare("cuCtxSetCurrent", before)

    def cuda_name(self, field: str) -> str:
        """Return the function of the CUDA library in which a field of the table ends, in either driver."""
        return NAMES["cuda"][field] or NAMES["cuda"][field.removeprefix("hip_")]

    def own_name(self, field: str) -> str:
        """Return the function of this driver's own library for a field of the table, whichever of a pair it is."""
        return self.call[field] or self.call.get(f"hip_{field}", "") or self.call[field.removeprefix("hip_")]

    def settle(self, generation: int = 2) -> None:
        """Let everything end, and give back what is not in use any more, cycles of that generation included."""
        self.control.resume()
        self.control.forgive()
        gc.collect(generation)
        for _, word in self._let_go:
            ctypes.c_uint32.from_address(word).value = 1
        for device in self.devices:
            device.synchronize()
        assert soon(lambda: not self.control.live("destroying"))
        for device in self.devices:
            device.trim_memory()
        for ordinal, word in self._let_go:
            self.cuda("cuMemFreeHost", word, ordinal=ordinal)
        self._let_go.clear()

    def live(self) -> dict[str, int]:
        """Count what the library holds for us, without the streams that are kept for the next ones."""
        kept = {"streams": sum(device.driver_device.kept_streams for device in self.devices)}
        return {what: self.control.live(what) - kept.get(what, 0) for what in LIVE}


def devices() -> list[lp.Device]:
    """Return the CUDA and HIP devices of a process that has them to itself."""
    return [device for device in lp.devices() if device.info["driver"] in DRIVERS]


@contextmanager
def _environment(**variables: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def image(*kernels: str, variables: str = "") -> bytes:
    """Make an image of lines like ``nothing nothing 0``: name, symbol, bytes, places."""
    return ("STANDIN1\n" + "".join(f"kernel {kernel}\n" for kernel in kernels) + variables).encode()
