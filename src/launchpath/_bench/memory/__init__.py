"""The cost of memory: allocations, copies and temporaries, beside C, CuPy and torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from launchpath._bench.kernels import GPU
from launchpath._bench.measure import LAUNCHES, WARM_UP, Loop, Probe, Size, interleave
from launchpath._bench.memory.figures import (
    MEDIUM,
    SMALL,
    STREAMS,
    TEMPORARY,
    Amount,
    add_figures,
    allocating,
    copying,
    pooled,
    temporary,
)
from launchpath._bench.memory.subjects import C, Host, Launchpath, Subject, sizes_of
from launchpath._bench.peer import NOT_HERE, Missing, needed, peers
from launchpath._bench.result import Result, Row
from launchpath._memory.creation import empty
from launchpath._streams.device import Device
from launchpath._streams.stream import Stream

IN_A_ROW = {SMALL: 64, MEDIUM: 8}  # copies before a wait; of large copies one
LARGE_SHARE, TEMPORARIES_SHARE = 10, 15  # of the blocks
CHECKED = 7.0


def run(device: Device, size: Size | None = None) -> Result:
    """Measure on one device.

    Parameters
    ----------
    device : Device
    size : Size, optional
        With fewer launches than usual the large copies, the temporaries and the arrays that wait become fewer too.

    Returns
    -------
    Result
        ``launchpath``, and on CUDA and HIP devices ``c`` and the libraries that are installed.
    """
    size = Size() if size is None else size
    amount = Amount.of(device.info["driver"] in GPU, size.launches)
    result = Result("memory", device.name, measured="time of a call")
    with device:
        host = Host(device, sizes_of(amount))
        subjects = _subjects(host, result)
        few = {share: max(min(size.blocks, 2), size.blocks // share) for share in (LARGE_SHARE, TEMPORARIES_SHARE)}
        total = size.blocks + sum(few.values())
        result.rows = _rows([*_small(device, subjects, amount, size)], size.blocks, size, 0, total)
        done = size.blocks
        result.rows += _rows(_large(subjects, amount), few[LARGE_SHARE], size, done, total)
        for subject in subjects:  # their large arrays are not of the temporaries' memory
            subject.trim()
        held: dict[tuple[str, str], int] = {}
        done += few[LARGE_SHARE]
        probes = _temporaries(subjects, amount, held, result)
        result.rows += [
            replace(row, held=held[row.subject, row.case["work"]])
            for row in _rows(probes, few[TEMPORARIES_SHARE], size, done, total)
        ]
    add_figures(result, amount)
    return result


def _rows(probes: Sequence[Probe], blocks: int, size: Size, done: int, total: int) -> list[Row]:
    """Measure some of the probes: rounds are counted after those that are done."""
    return interleave(probes, Size(blocks, size.launches, lambda round_, _: size.step(done + round_, total)))


def _subjects(host: Host, result: Result) -> list[Subject]:
    driver = host.device.info["driver"]
    subjects: list[Subject] = [Launchpath(host)]
    others = peers()
    if others is None and driver in GPU:
        result.left_out.append(NOT_HERE)
    for kind in (C, *(others.MEMORY if others else ())):
        try:
            with needed(kind.package):
                if driver not in GPU:
                    raise Missing("it is measured on CUDA and HIP devices only")
                subject = kind(host)
                _check(subject, host)
        except Missing as error:
            result.left_out.append((kind.subject, str(error)))
            continue
        if subject.version:
            result.versions[kind.subject] = subject.version
        subjects.append(subject)
    return subjects


def _check(subject: Subject, host: Host) -> None:
    """See that what goes in comes out, for every size and kind of memory."""
    for (size, pinned), array in host.arrays.items():
        copy_in, copy_out = (subject.copy(operation, size, pinned, True) for operation in ("in", "out"))
        if copy_in is None or copy_out is None:
            raise Missing("it has no copies both ways")
        array.fill(CHECKED)
        copy_in([0])
        array.fill(0.0)
        copy_out([0])
        if not (array == CHECKED).all():
            raise Missing(f"a copy of {size} bytes in and out gives other values")


def _probe(subject: Subject, case: Mapping[str, Any], loop: Loop, count: int, warm: bool = True) -> Probe:
    """Give the probe of a loop: some repetitions first, then those on the clock, then a wait for what they began."""
    values, before = range(count), range(min(count, WARM_UP))

    def block() -> list[float]:
        if warm:
            loop(before)
            subject.synchronize()
        took = loop(values)
        subject.synchronize()
        return [took / count / 1e3]

    return Probe(subject.subject, [case], block, (case["operation"], case["bytes"]))


def _small(device: Device, subjects: Sequence[Subject], amount: Amount, size: Size) -> list[Probe]:
    streams = {"current": None, "blocking": Stream(device=device), "non-blocking": Stream(False, device=device)}
    probes = []
    for name in STREAMS:
        for subject in subjects:
            loop = subject.allocate(streams[name])
            if loop is not None:
                probes.append(_probe(subject, allocating(name), loop, size.launches))
    for subject in subjects:
        if isinstance(subject, Launchpath):
            probes.append(_waiting(device, subject, amount, size))
            probes += [
                _probe(subject, pooled(nbytes), subject.pool(nbytes), size.launches) for nbytes in (SMALL, TEMPORARY)
            ]
    for nbytes, in_a_row in IN_A_ROW.items():
        for pinned in (False, True):
            for operation, complete in (("in", False), ("in", True), ("out", True)):
                case = copying(operation, nbytes, pinned, complete)
                for subject in subjects:
                    loop = subject.copy(operation, nbytes, pinned, complete)
                    if loop is not None:
                        probes.append(_probe(subject, case, loop, min(in_a_row, size.launches)))
    return probes


def _waiting(device: Device, subject: Launchpath, amount: Amount, size: Size) -> Probe:
    """Give the probe of allocations while freed arrays wait for a command that may use all of them and is held back."""
    stream = Stream(False, device=device)
    used = empty(SMALL // 4, device=device, stream=stream)
    loop, count = subject.allocate(), SMALL // 4

    def block() -> list[float]:
        arrays = [empty(count) for _ in range(amount.waiting)]
        hold = stream.hold()
        try:
            used.fill(1.0, stream)
            arrays.clear()
            loop(range(WARM_UP))
            took = loop(range(size.launches))
            waits = device.memory_info()["waiting"]
        finally:
            hold.release()
            stream.synchronize()
        if waits < amount.waiting * SMALL:
            raise RuntimeError(f"expected {amount.waiting:,} freed arrays to wait for the stream, got {waits:,} bytes")
        return [took / size.launches / 1e3]

    return Probe(subject.subject, [allocating("current", amount.waiting)], block, ("allocate", SMALL))


def _large(subjects: Sequence[Subject], amount: Amount) -> list[Probe]:
    probes = []
    for operation, pinned in (("in", False), ("in", True), ("out", False), ("out", True), ("new", False)):
        case = copying(operation, amount.large, pinned)
        for subject in subjects:
            loop = subject.copy(operation, amount.large, pinned, True)
            if loop is not None:
                probes.append(_probe(subject, case, loop, 1, warm=False))
    return probes


def _temporaries(
    subjects: Sequence[Subject], amount: Amount, held: dict[tuple[str, str], int], result: Result
) -> list[Probe]:
    """Give the probes of temporaries, which note the most that a subject's pool held of their memory."""
    probes = []
    for work in ("fill", "kernel"):
        for subject in subjects:
            loop = subject.temporaries(work)
            if loop is None:
                if work == "kernel" and isinstance(subject, Launchpath) and amount.gpu:
                    result.left_out.append(("temporaries with a kernel", "the kernel is PTX, for CUDA devices"))
                continue
            probes.append(_temporary_probe(subject, work, loop, amount.temporaries, held))
    return probes


def _temporary_probe(subject: Subject, work: str, loop: Loop, count: int, held: dict[tuple[str, str], int]) -> Probe:
    """First all of them in a row, for what is held; then so few at a time that the host never waits for the device."""
    before = subject.held()
    key, values = (subject.subject, work), range(count)

    def block() -> list[float]:
        loop(values)
        held[key] = max(held.get(key, 0), subject.held() - before)
        subject.synchronize()
        took = 0
        for begin in range(0, count, LAUNCHES):
            took += loop(values[begin : begin + LAUNCHES])
            subject.synchronize()
        return [took / count / 1e3]

    return Probe(subject.subject, [temporary(work, count)], block, "temporaries")
