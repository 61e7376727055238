"""What a launch costs: with 0, 2 and 16 arguments, against C and PyOpenCL, and beside a busy Python thread."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from launchpath.bench.kernels import ARGUMENTS, Kernels
from launchpath.bench.measure import Loop, Probe, Size, any_moment, busy_thread, held, interleave
from launchpath.bench.pyopencl_peer import Missing, PyOpenCL
from launchpath.bench.result import Figure, Result
from launchpath.device import Device

OVER_C = 0.15  # microseconds
PYOPENCL_OVER = {2: 3.0, 16: 10.0}
BESIDE_BUSY_THREAD = 2.0


def run(device: Device, size: Size | None = None) -> Result:
    """Measure on one device.

    Parameters
    ----------
    device : Device
    size : Size, optional

    Returns
    -------
    Result
    """
    size = Size() if size is None else size
    result = Result("launch", device.name)
    with device:
        kernels = Kernels(device)
        probes = _own(kernels, size)
        try:
            probes += _pyopencl(PyOpenCL(kernels), size)
        except Missing as error:
            result.left_out.append(("pyopencl", str(error)))
        result.rows = interleave(probes, size)
    _figures(result)
    return result


def _own(kernels: Kernels, size: Size) -> list[Probe]:
    probes = []
    for arguments in ARGUMENTS:
        for changing in (True, False) if arguments else (True,):
            case = {"arguments": arguments} if changing else {"arguments": arguments, "changing": False}
            for subject, loop in (
                ("launchpath", kernels.launchpath(arguments, changing)),
                ("c", kernels.c(arguments, changing)),
            ):
                if loop is not None:
                    probes.append(_held(kernels, subject, case, loop, size))
    chance = random.Random(0)
    loop = kernels.launchpath(2)

    def beside_busy_thread() -> list[float]:
        def later(values: Sequence[Any]) -> int:
            any_moment(chance)
            return loop(values)

        with busy_thread():
            return [held(kernels.stream, later, size.launches)]

    probes.append(Probe("launchpath", [{"arguments": 2, "busy_thread": True}], beside_busy_thread))
    return probes


def _held(kernels: Kernels, subject: str, case: Mapping[str, object], loop: Loop, size: Size) -> Probe:
    return Probe(subject, [case], lambda: [held(kernels.stream, loop, size.launches)])


def _pyopencl(peer: PyOpenCL, size: Size) -> list[Probe]:
    def probe(subject: str, arguments: int, typed: bool) -> Probe:
        loop = peer.loop(arguments, typed)
        return Probe(subject, [{"arguments": arguments}], lambda: [peer.held(loop, size.launches)])

    probes = [probe("pyopencl", arguments, False) for arguments in ARGUMENTS]
    return probes + [probe("pyopencl-typed", arguments, True) for arguments in ARGUMENTS[1:]]


def _figures(result: Result) -> None:
    for row in result.rows:
        case = row.case
        if row.subject == "c" or case.get("busy_thread"):
            continue
        if row.subject == "launchpath":
            c = [other for other in result.rows if other.subject == "c" and other.case == case]
            limit = OVER_C if case.get("changing", True) else None
            result.figures += [Figure(row, "over c", row.us - other.us, "us", at_most=limit) for other in c]
            continue
        required = PYOPENCL_OVER.get(case["arguments"]) if row.subject == "pyopencl" else None
        own = result.find("launchpath", **case)
        result.figures.append(Figure(row, "over launchpath", row.us / own.us, at_least=required))
    result.compare(
        result.find("launchpath", arguments=2, busy_thread=True),
        result.find("launchpath", arguments=2),
        "over alone",
        at_most=BESIDE_BUSY_THREAD,
    )
