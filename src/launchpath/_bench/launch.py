"""The cost of a launch: with 0, 2 and 16 arguments, against C and other libraries, and beside a busy Python thread."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from launchpath._bench.callers import callers, figures
from launchpath._bench.kernels import ARGUMENTS, GPU, Kernels
from launchpath._bench.measure import Loop, Probe, Size, any_moment, busy_thread, held, interleave
from launchpath._bench.peer import NOT_HERE, Missing, Working, peers
from launchpath._bench.result import Figure, Result, Row
from launchpath._streams.device import Device

OVER_C = 0.15  # microseconds
PYOPENCL_OVER = {2: 3.0, 16: 10.0}
BESIDE_BUSY_THREAD = 2.0
SPELLED = {"anew": 0.20, "by name": 0.15}  # microseconds over a kept launcher and arguments by position

# On CUDA and HIP devices.
GPU_OVER_C, GPU_TIMES_C = 0.12, 1.06
WITH_TENSORS, ADOPTED = "launchpath-torch", "launchpath-adopted-triton"
PEER_OVER = {("cuda-core", 16): 1.4, ("cupy", 16): 2.0, ("triton", 16): 4.0}  # others 1
A_TENSOR = 0.02  # microseconds more than launchpath's own array
TRITON_OVER_ADOPTED = {2: 2.8, 16: 4.0}


def run(device: Device, size: Size | None = None) -> Result:
    """Measure on one device."""
    size = Size() if size is None else size
    result = Result("launch", device.name)
    gpu = device.info["driver"] in GPU
    with device:
        kernels = Kernels(device)
        probes = _launchpath(kernels, size)
        probes += _peers(kernels, size, result) if gpu else _pyopencl(kernels, size, result)
        others = callers(kernels, size, result)
        try:
            result.rows = interleave(probes + others.probes, size)
        finally:
            others.close()
    _figures(result, gpu)
    figures(result, gpu)
    return result


def compare(device: Device, size: Size) -> Result:
    """Measure the ordinary launch alone: launchpath's, C's and other libraries', with 2 and 16 arguments.

    Returns
    -------
    Result
        Without figures.
    """
    result = Result("launch", device.name)
    with device:
        kernels = Kernels(device)
        probes = []
        for arguments in ARGUMENTS[1:]:
            for subject, loop in (("c", kernels.c(arguments)), ("launchpath", kernels.launchpath(arguments))):
                if loop is not None:
                    probes.append(_held(kernels, subject, {"arguments": arguments}, loop, size))
        others = _peers if device.info["driver"] in GPU else _pyopencl
        probes += [probe for probe in others(kernels, size, result) if probe.group in ARGUMENTS[1:]]
        result.rows = interleave(probes, size)
    return result


def _launchpath(kernels: Kernels, size: Size) -> list[Probe]:
    probes = []
    for arguments in ARGUMENTS:
        for changing in (True, False) if arguments else (True,):
            case = {"arguments": arguments} if changing else {"arguments": arguments, "changing": False}
            for subject, loop in (
                ("launchpath", kernels.launchpath(arguments, changing)),
                ("c", kernels.c(arguments, changing)),
                ("python", kernels.python(arguments) if changing else None),
            ):
                if loop is not None:
                    probes.append(_held(kernels, subject, case, loop, size))
    for spelling in SPELLED:
        written: dict[str, Any] = {"arguments": 2, "spelling": spelling}
        probes.append(_held(kernels, "launchpath", written, kernels.spelled(spelling), size))
    chance = random.Random(0)
    loop = kernels.launchpath(2)

    def beside_busy_thread() -> list[float]:
        def later(values: Sequence[Any]) -> int:
            any_moment(chance)
            return loop(values)

        with busy_thread():
            return [held(kernels.stream, later, size.launches)]

    probes.append(Probe("launchpath", [{"arguments": 2, "busy_thread": True}], beside_busy_thread, 2))
    return probes


def _held(kernels: Kernels, subject: str, case: Mapping[str, Any], loop: Loop, size: Size) -> Probe:
    return Probe(subject, [case], lambda: [held(kernels.stream, loop, size.launches)], case["arguments"])


def _peers(kernels: Kernels, size: Size, result: Result) -> list[Probe]:
    def probe(peer: Working, arguments: int) -> Probe:
        return Probe(peer.peer.subject, [{"arguments": arguments}], lambda: [peer.held(arguments)], arguments)

    others = peers()
    if others is None:
        result.left_out.append(NOT_HERE)
        return []
    probes = []
    for kind in others.LAUNCHES:
        try:
            peer = Working(kind, kernels, size.launches)
        except Missing as error:
            result.left_out.append((kind.subject, str(error)))
            continue
        result.versions[kind.subject] = peer.peer.version
        probes += [probe(peer, arguments) for arguments in kind.arguments]
    return probes


def _pyopencl(kernels: Kernels, size: Size, result: Result) -> list[Probe]:
    others = peers()
    if others is None:
        result.left_out.append(NOT_HERE)
        return []
    try:
        peer = others.PyOpenCL(kernels)
    except Missing as error:
        result.left_out.append(("pyopencl", str(error)))
        return []
    result.versions["pyopencl"] = peer.version

    def probe(subject: str, arguments: int, typed: bool) -> Probe:
        loop = peer.loop(arguments, typed)
        return Probe(subject, [{"arguments": arguments}], lambda: [peer.held(loop, size.launches)], arguments)

    probes = [probe("pyopencl", arguments, False) for arguments in ARGUMENTS]
    return probes + [probe("pyopencl-typed", arguments, True) for arguments in ARGUMENTS[1:]]


def _figures(result: Result, gpu: bool) -> None:
    for row in result.rows:
        if row.subject == "launchpath":
            if row.case.get("spelling"):
                more = row.minus(result.find("launchpath", arguments=2))
                limit = SPELLED[row.case["spelling"]]
                result.figures.append(Figure(row, "over kept, by position", more, "us", at_most=limit))
            elif not row.case.get("busy_thread"):
                _over_c(result, row, gpu)
        elif row.subject == "python":
            result.figures.append(Figure(row, "over c", row.minus(result.find("c", **row.case)), "us"))
        elif row.subject not in ("c", "c++", "numba", "hip"):
            _over_launchpath(result, row, gpu)
    result.compare(
        result.find("launchpath", arguments=2, busy_thread=True),
        result.find("launchpath", arguments=2),
        "over alone",
        at_most=BESIDE_BUSY_THREAD,
    )


def _over_c(result: Result, row: Row, gpu: bool) -> None:
    changing = row.case.get("changing", True)
    for other in [other for other in result.rows if other.subject == "c" and other.case == row.case]:
        limit = GPU_OVER_C if gpu else OVER_C
        more = row.minus(other)
        result.figures.append(Figure(row, "over c", more, "us", at_most=limit if changing else None))
        if gpu:
            result.compare(row, other, "over c", at_most=GPU_TIMES_C if changing else None)


def _over_launchpath(result: Result, row: Row, gpu: bool) -> None:
    launchpath, arguments = result.find("launchpath", **row.case), row.case["arguments"]
    if row.subject == WITH_TENSORS:
        a_tensor = row.minus(launchpath) / (arguments // 2)
        result.figures.append(Figure(row, "a tensor, over launchpath", a_tensor, "us", at_most=A_TENSOR))
        return
    if row.subject == ADOPTED:
        result.compare(row, launchpath, "over launchpath")
        return
    required = PEER_OVER.get((row.subject, arguments), 1.0) if gpu else None
    if row.subject == "pyopencl":
        required = PYOPENCL_OVER.get(arguments)
    result.compare(row, launchpath, "over launchpath", at_least=required)
    adopted = [other for other in result.rows if other.subject == ADOPTED and other.case == row.case]
    if row.subject == "triton" and adopted:
        result.compare(row, adopted[0], "over adopted", at_least=TRITON_OVER_ADOPTED.get(arguments))
