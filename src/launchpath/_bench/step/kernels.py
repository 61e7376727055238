"""The kernels of ``bench step``, the arrays that they read and write, and a check of what they have computed.

Kernel *i* adds ``in[j] * a + (i + 1)`` to ``out[j]``. Each launch has an output array of its own, which holds the sum
over all steps: a launch that is lost, runs twice, or has a wrong argument, changes it. All values are whole numbers,
which float32 holds exactly.
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

MOST_KERNELS = 100  # a step with more launches uses each kernel again
THREADS = 256  # of a launch; each adds to one float
FIXED_ARGUMENT = 3.0  # the kernels' argument `a` where it does not change


@dataclass(frozen=True)
class Case:
    """The launches of a step that is measured.

    Launch *i* is of kernel *i* modulo the number of kernels.
    """

    launches: int  # how many
    changed: str  # which launches get another argument in each step: ``none``, ``one`` or ``all``
    # Of how many non-blocking streams: launch *i* is on stream *i* modulo their number. 0: all launches are on the
    # legacy default stream.
    streams: int = 0

    @property
    def changing_launches(self) -> range:
        """The numbers of the launches that get another argument in each step. A single one is in the middle."""
        if self.changed == "one":
            return range(self.launches // 2, self.launches // 2 + 1)
        return range(self.launches if self.changed == "all" else 0)

    def row_case(self, measure: str) -> dict[str, int | str]:
        """Give the keys and values by which a result's row names the case.

        Parameters
        ----------
        measure : str
            What the row's time is of: ``host`` or ``completion``.
        """
        case: dict[str, int | str] = {"launches": self.launches, "changed": self.changed, "measure": measure}
        return {**case, "streams": self.streams} if self.streams else case


def kernel_name(index: int) -> str:
    """Give a kernel's name in the source."""
    return f"step{index:03}"


def mangled_name(index: int) -> str:
    """Give a kernel's name as C++ mangles it: an entry point of this name tells launchpath the kernel's parameters."""
    return f"_Z{len(kernel_name(index))}{kernel_name(index)}PKfPfif"


def hip_source(count: int) -> str:
    """Write the first `count` kernels in HIP C++."""
    return "".join(
        f"__global__ void {kernel_name(i)}(const float* in, float* out, int n, float a) {{\n"
        "    int j = blockIdx.x * blockDim.x + threadIdx.x;\n"
        f"    if (j < n) out[j] += in[j] * a + {i + 1}.0f;\n"
        "}\n"
        for i in range(count)
    )


def ptx_source(count: int) -> str:
    """Write the first `count` kernels in PTX, which CUDA's driver compiles without NVRTC."""
    return HEAD + "".join(
        _PTX.replace("NAME", mangled_name(i)).replace("CONSTANT", f"0f{struct.pack('>f', i + 1).hex().upper()}")
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
    """The kernels on a device, with one input array and an output array for each launch.

    Parameters
    ----------
    device : Device
    launches : int
        The launches of the largest case.
    """

    def __init__(self, device: Device, launches: int) -> None:
        self.device, count = device, min(MOST_KERNELS, launches)
        is_cuda = device.info["driver"] == "cuda"
        self.program: Program = (
            load(ptx_source(count).encode(), device)
            if is_cuda
            else compile(hip_source(count), device, name="<benchmark>")
        )
        self.kernels = [self.program[mangled_name(i) if is_cuda else kernel_name(i)] for i in range(count)]
        self._input_values = np.arange(THREADS, dtype="float32") % 5 + 1
        self.input = asarray(self._input_values, device=device)  # all launches read it
        self._output_rows: Array = zeros((launches, THREADS), "float32", device)
        self.outputs: list[Array] = [self._output_rows[i] for i in range(launches)]  # by the number of the launch

    @property
    def entries(self) -> list[str]:
        """The kernels' names in the device's binary, in the order of `kernels`."""
        names = {signature.name: entry for entry, signature in self.program._image.kernels}
        return [names[kernel.name] for kernel in self.kernels]

    def clear(self) -> None:
        """Set all outputs to 0, and wait until they are."""
        self._output_rows.fill(0.0)
        self.device.synchronize()

    def check(self, subject: str, case: Case, values: Sequence[float]) -> None:
        """Check that every launch of some steps has run once in each, with its own arguments, since `clear`.

        Parameters
        ----------
        subject : str
            Who launched, for the error.
        case : Case
        values : sequence of float
            For each step, the argument of the launches whose argument changes.

        Raises
        ------
        LaunchpathError
            An output has another value than so many steps leave in it.
        """
        argument_sums = np.empty((case.launches, 1), "float32")  # of a launch, over the steps
        argument_sums[:] = len(values) * FIXED_ARGUMENT
        argument_sums[list(case.changing_launches)] = sum(values)
        constants = np.arange(case.launches, dtype="float32").reshape(-1, 1) % len(self.kernels) + 1
        expected = argument_sums * self._input_values + len(values) * constants
        outputs = self._output_rows.to_numpy()[: case.launches]
        wrong_places = np.argwhere(outputs != expected)
        if len(wrong_places):
            place = tuple(wrong_places[0])
            raise LaunchpathError(
                f"{subject}, {case}: expected {expected[place]:g} from launch {place[0]} after {len(values)} steps, "
                f"got {outputs[place]:g}: the launches did not do what they must, so there are no figures"
            )
