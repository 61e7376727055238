"""The kernels of ``bench step``, and the arrays that they work on.

Kernel *i* adds ``in[j] * a + (i + 1)`` to ``out[j]``, so every launch of every step shows in the result. All values are
whole numbers, which float32 holds exactly.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from launchpath._bench.ptx import HEAD, INDEX
from launchpath._memory.array import Array
from launchpath._memory.creation import asarray, zeros
from launchpath._programs.compilation import compile
from launchpath._programs.loading import load
from launchpath._programs.program import Program
from launchpath._streams.device import Device
from launchpath.errors import LaunchpathError

KERNELS = 100  # at most
THREADS = 256  # of a launch; each adds to a float
FIXED = 3.0  # the last argument where it does not change


@dataclass(frozen=True)
class Case:
    """The launches of a step."""

    launches: int  # launch *i* is of kernel *i*, modulo their number, and writes an array of its own
    changed: str  # ``none``, ``one`` or ``all``: how many get another last argument in each step
    # launch *i* is on stream *i*, modulo their number, of so many non-blocking streams. 0: all are on the legacy
    # default stream
    streams: int = 0

    @property
    def changes(self) -> range:
        """The launches whose argument changes: a single one is in the middle."""
        if self.changed == "one":
            return range(self.launches // 2, self.launches // 2 + 1)
        return range(self.launches if self.changed == "all" else 0)

    def measured(self, measure: str) -> dict[str, int | str]:
        """Give the case of a row: ``measure`` is ``host`` or ``completion``."""
        case: dict[str, int | str] = {"launches": self.launches, "changed": self.changed, "measure": measure}
        return {**case, "streams": self.streams} if self.streams else case


def name(index: int) -> str:
    """Give a kernel's name."""
    return f"step{index:03}"


def mangled(index: int) -> str:
    """Give a kernel's name as the entry point of a binary, which then carries its signature."""
    return f"_Z{len(name(index))}{name(index)}PKfPfif"


def hip_source(count: int) -> str:
    """Write the first kernels in HIP C++."""
    return "".join(
        f"__global__ void {name(i)}(const float* in, float* out, int n, float a) {{\n"
        "    int j = blockIdx.x * blockDim.x + threadIdx.x;\n"
        f"    if (j < n) out[j] += in[j] * a + {i + 1}.0f;\n"
        "}\n"
        for i in range(count)
    )


def ptx_source(count: int) -> str:
    """Write the first kernels in PTX, for which the driver is compiler enough."""
    return HEAD + "".join(
        _PTX.replace("NAME", mangled(i)).replace("CONSTANT", f"0f{struct.pack('>f', i + 1).hex().upper()}")
        for i in range(count)
    )


_PTX = f"""
.visible .entry NAME(.param .u64 input, .param .u64 output, .param .u32 n, .param .f32 a) {{
    .reg .pred %p<2>; .reg .f32 %f<5>; .reg .b32 %r<6>; .reg .b64 %d<6>;
    ld.param.u64 %d1, [input];
    ld.param.u64 %d2, [output];
    ld.param.u32 %r1, [n];
    ld.param.f32 %f1, [a];
{INDEX}\
    cvta.to.global.u64 %d1, %d1;
    cvta.to.global.u64 %d2, %d2;
    mul.wide.s32 %d3, %r5, 4;
    add.s64 %d4, %d1, %d3;
    add.s64 %d5, %d2, %d3;
    ld.global.f32 %f2, [%d4];
    ld.global.f32 %f3, [%d5];
    fma.rn.f32 %f4, %f2, %f1, CONSTANT;
    add.f32 %f3, %f3, %f4;
    st.global.f32 [%d5], %f3;
done:
    ret;
}}
"""


class StepKernels:
    """The kernels on a device, and arrays for so many launches."""

    def __init__(self, device: Device, launches: int) -> None:
        self.device, count = device, min(KERNELS, launches)
        ptx = device.info["driver"] == "cuda"
        # from PTX on CUDA devices, which needs no NVRTC; elsewhere from HIP C++
        self.program: Program = (
            load(ptx_source(count).encode(), device) if ptx else compile(hip_source(count), device, name="<benchmark>")
        )
        # 100 of them, or as many as there are launches
        self.kernels = [self.program[mangled(i) if ptx else name(i)] for i in range(count)]
        self._values = np.arange(THREADS, dtype="float32") % 5 + 1
        self.inputs = asarray(self._values, device=device)  # of `THREADS` floats, which all launches read
        self._all: Array = zeros((launches, THREADS), "float32", device)
        self.outputs: list[Array] = [self._all[i] for i in range(launches)]  # for each launch, of `THREADS` floats

    @property
    def entries(self) -> list[str]:
        """Names of the kernels in the device's binary."""
        names = {signature.name: entry for entry, signature in self.program._image.kernels}
        return [names[kernel.name] for kernel in self.kernels]

    def clear(self) -> None:
        """Set the outputs to 0, and wait for that."""
        self._all.fill(0.0)
        self.device.synchronize()

    def check(self, subject: str, case: Case, values: Sequence[float]) -> None:
        """See that every launch of some steps has run once, with its own arguments, since `clear`.

        Parameters
        ----------
        subject : str
        case : Case
        values : sequence of float
            The argument that changed, for each of the steps.

        Raises
        ------
        LaunchpathError
            A float has another value.
        """
        expected = np.empty((case.launches, 1), "float32")
        expected[:] = len(values) * FIXED
        expected[list(case.changes)] = sum(values)
        constants = np.arange(case.launches, dtype="float32").reshape(-1, 1) % len(self.kernels) + 1
        expected = expected * self._values + len(values) * constants
        written_values = self._all.to_numpy()[: case.launches]
        wrong = np.argwhere(written_values != expected)
        if len(wrong):
            place = tuple(wrong[0])
            raise LaunchpathError(
                f"{subject}, {case}: expected {expected[place]:g} from launch {place[0]} after {len(values)} steps, "
                f"got {written_values[place]:g}: the launches did not do what they must, so there are no figures"
            )
