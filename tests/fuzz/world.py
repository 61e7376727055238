"""What odd calls are made on: a device with all that a program has on one, and what should not be used any more."""

from contextlib import suppress
from typing import Any

import numpy as np

import launchpath as lp
from launchpath._compiler import Parameter, Signature
from launchpath._compiler.signature import pack
from tests.simulated import Machine

LIMIT = 64 << 20  # bytes of device memory that calls may take

SOURCE = """
struct Struct { int a; float b; };
struct Params { int n; float x; };
__device__ int counter;
__constant__ float table[4];
__global__ void odd(int* a, const float* b, void* c, signed char i8, unsigned char u8, short i16, unsigned short u16,
                    int i32, unsigned u32, long long i64, unsigned long long u64, float f32, double f64, bool flag,
                    Struct s, long long* ints, double* reals) {
    if (!ints || !reals) return;
    ints[0] = i8; ints[1] = u8; ints[2] = i16; ints[3] = u16; ints[4] = i32; ints[5] = u32; ints[6] = i64;
    ints[7] = (long long)u64; ints[8] = flag; reals[0] = f32; reals[1] = f64;
}
__global__ void fields(const Params* p) {}
__global__ void total(const float* x, int n, float* sum) { if (sum) *sum = n; }
"""
NUMBERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool", "float32", "float64")
_PARAMETERS = (
    ("a", "int *", "pointer", 8, "int32", False), ("b", "const float *", "pointer", 8, "float32", True),
    ("c", "void *", "pointer", 8, None, False), ("i8", "signed char", "int8", 1, None, False),
    ("u8", "unsigned char", "uint8", 1, None, False), ("i16", "short", "int16", 2, None, False),
    ("u16", "unsigned short", "uint16", 2, None, False), ("i32", "int", "int32", 4, None, False),
    ("u32", "unsigned", "uint32", 4, None, False), ("i64", "long long", "int64", 8, None, False),
    ("u64", "unsigned long long", "uint64", 8, None, False), ("f32", "float", "float32", 4, None, False),
    ("f64", "double", "float64", 8, None, False), ("flag", "bool", "bool", 1, None, False),
    ("s", "Struct", "struct", 8, None, False), ("ints", "long long *", "pointer", 8, "int64", False),
    ("reals", "double *", "pointer", 8, "float64", False),
)  # fmt: skip
_TOTAL = (
    ("x", "const float *", "pointer", 8, "float32", True), ("n", "int", "int32", 4, None, False),
    ("sum", "float *", "pointer", 8, "float32", False),
)  # fmt: skip


def _signature(name: str, rows: tuple[Any, ...]) -> Signature:
    aligns = [(size, 4 if kind == "struct" else size) for _, _, kind, size, _, _ in rows]
    offsets, total = pack(aligns)
    parameters = [
        Parameter(called, ctype, kind, size, align, offset, pointee, const)
        for (called, ctype, kind, size, pointee, const), (_, align), offset in zip(rows, aligns, offsets, strict=True)
    ]
    return Signature(name, tuple(parameters), total)


class World:
    """A device and what is on it. `things` are the objects, by name; `sane` what fits parameters of a name."""

    def __init__(self, device: str) -> None:
        self.machine = Machine(2, check=False) if device == "simulated" else None
        if self.machine is not None:
            self.device, self.other = self.machine.devices
            kernels = {name: self._simulated(name, rows) for name, rows in (("odd", _PARAMETERS), ("total", _TOTAL))}
            self.program: Any = None
        else:
            self.device = lp.device(device)
            others = [candidate for candidate in lp.devices() if candidate is not self.device]
            self.other = others[0] if others else None
            self.program = lp.compile(SOURCE, self.device)
            kernels = {name: self.program[name] for name in ("odd", "total")}
        self.restore()
        self.before = self.device.memory_info()["arrays"]
        self.odd = kernels["odd"]
        self.things = self._things(kernels)
        self.sane = self._sane()

    def _simulated(self, name: str, rows: tuple[Any, ...]) -> lp.Kernel:
        assert self.machine is not None
        signature = _signature(name, rows)
        self.machine.device.driver_device.implement(name, lambda call: None, [])  # type: ignore[attr-defined]
        return self.machine.kernel(name, signature)

    def _things(self, kernels: dict[str, lp.Kernel]) -> dict[str, Any]:
        device, odd = self.device, kernels["odd"]
        stream = lp.Stream(blocking=False, device=device)
        returning = kernels["total"].returning("sum")
        x = lp.zeros(16, "float32", device)
        freed = lp.zeros(4, "int32", device)
        freed.free()
        result = returning[1, 1, stream](x, 3)
        read = returning[1, 1, stream](x, 3)
        read.get()
        event = stream.record(timing=True)
        with stream.hold() as hold:
            pass
        things = {
            "device": device, "stream": stream, "blocking": lp.Stream(device=device), "legacy": device.legacy_stream,
            "per thread": device.per_thread_stream, "event": event, "untimed": stream.record(), "never": lp.Event(),
            "floats": x, "ints": lp.asarray(np.arange(12, dtype="i4").reshape(3, 4), device=device),
            "scalar": lp.zeros((), "int32", device), "none": lp.zeros(0, "float32", device), "view": x[2:4],
            "records": lp.zeros(3, [("a", "f4"), ("b", "i4")], device), "freed": freed, "kernel": odd,
            "total": kernels["total"], "launcher": odd[1, 1, stream], "returning": returning, "result": result,
            "read": read, "returning launcher": returning[1, 1], "hold": hold, "pointer": lp.DevicePointer(0),
            "far": lp.DevicePointer(2**64 - 1), "in": lp.In(np.ones(4, "f4")), "out": lp.Out(np.ones(4, "i4")),
            "inout": lp.InOut(np.ones(4, "i4")), "allocation": x.allocation, "signature": odd.signature,
            "parameter": odd.signature.parameters[0], "bare result": lp.Result.__new__(lp.Result),
            "bare in": lp.In.__new__(lp.In), "bare out": lp.Out.__new__(lp.Out), "bare program": lp.Program.__new__(lp.Program),
            "texture": lp.Texture(x), "bare texture": lp.Texture.__new__(lp.Texture),
        }  # fmt: skip
        if self.program is not None:
            things |= {
                "program": self.program, "symbol": self.program.symbol("counter"), "table": self.program.symbol("table"),
                "fields": self.program.fields.by_fields, "fields launcher": self.program.fields.by_fields[1, 1],
                "loaded": self.program.binary(),
            }  # fmt: skip
        if self.other is not None:
            things |= {
                "other device": self.other, "other stream": lp.Stream(device=self.other),
                "other array": lp.zeros(4, "float32", self.other),
            }  # fmt: skip
        return things

    def _sane(self) -> dict[str, Any]:
        return {
            "shape": (4,), "dtype": "float32", "device": self.device, "stream": self.things["stream"], "data": [1.0, 2.0],
            "out": np.ones(16, "f4"), "source": np.ones(16, "f4"), "value": 1, "grid": 1, "block": 1, "shared": 0,
            "event": self.things["event"], "end": self.things["event"], "function": len, "timing": False, "on": True,
            "size": LIMIT, "which": 0, "blocking": False, "priority": 0, "kernel": self.things["kernel"], "most": 8,
            "key": 0, "name": "counter", "array": np.ones(4, "f4"), "address": 0, "copy": None, "max_version": None,
            "zero": False, "path_or_bytes": self.things.get("loaded", b""), "spec": "", "arguments": b"",
        }  # fmt: skip

    def restore(self) -> None:
        """Put back what a call may have changed for the whole process."""
        for device in filter(None, (self.device, self.other)):
            device.set_memory_limit(LIMIT)
        lp.skip_uploads(True)

    def close(self) -> str:
        """Let all of it go; says what is left."""
        for stream in self.things.values():
            # The thread's default stream outlives the world: so would a capture on it, and all that the capture holds.
            if isinstance(stream, lp.Stream):
                with suppress(lp.LaunchpathError):
                    if stream.capturing:
                        stream.end_capture()
        stream = None
        for device in (self.device, self.other) * 3:
            with suppress(lp.HostFunctionError):
                if device is not None:
                    device.synchronize()
        device = None
        self.things.clear()
        self.sane.clear()
        self.odd = None  # type: ignore[assignment]
        if self.machine is not None:
            self.device = self.other = None  # type: ignore[assignment]
            self.machine.kept.clear()
            self.machine.machine.automatic = True
            for device in self.machine.devices:
                device.close()
            self.machine.device = None  # type: ignore[assignment]
            self.machine.devices.clear()
            kinds = [report for report in self.machine.machine.close() if report.kind == "leak"]
            return "; ".join(report.text for report in kinds)
        return ""
