"""A large trace with evidence, and what its findings cost in time and memory.

    python -m benchmarks.findings.trace_file FILE [--records 10000000] [--processors 2]

Records are commands and calls: a command has three further slots (details, evidence, times), a call one (evidence).
Each of eight threads repeats a step: it sends the same bytes, launches 24 kernels, reads a value back and synchronizes.
The file is written once. `launchpath why` then reads it, on so many processors; the memory is that of all its processes
together, as the system counts it (their shares of what they have in common).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy

from benchmarks.trace_file import _block, _flush, _measure, _name
from launchpath._trace.format import (
    ARGUMENTS,
    BLOCKING,
    CALL,
    COMMAND,
    CONTENT,
    COPY,
    COUNTERS,
    DETAIL,
    DEVICE_TO_HOST,
    EVIDENCE,
    HEADER,
    HOST_TO_DEVICE,
    LAUNCH,
    LAYOUTS,
    META,
    NAMES,
    PAGEABLE,
    SITE_NAMES,
    SLOT,
    TIMED,
    TIMES,
)

THREADS, LAUNCHES, KERNELS = 8, 24, 6
COMMANDS = LAUNCHES + 2  # of a step: a copy there, the launches, a copy back; then a call
STEPS = 512  # that a thread writes at a time
TICKS = 3  # in a nanosecond
BETWEEN, RUNS = 4000, 2500  # nanoseconds between commands, and of a kernel
SITES = ("/home/user/simulate.py:57 step", "/home/user/simulate.py:41 step", "/home/user/simulate.py:63 step")
SECONDS, MEMORY = 30, 1 << 30  # at most


def write(path: Path, records: int) -> int:
    """Write a file of at least so many records, and return how many it has."""
    random = numpy.random.default_rng(5)
    meta = (
        b'{"process": {"pid": 1, "host": "node0"}, "mode": "device", "findings": true, '
        b'"entries": ["launch", "copy", "queue_finish"], '
        b'"devices": [{"name": "GPU 0", "driver": "cuda", "ordinal": 0}], "api": ["Stream.synchronize"]}'
    )
    names = [_name(number) for number in range(1, KERNELS + 1)]
    names += [_site(SITE_NAMES + number, text) for number, text in enumerate(SITES)]
    at, number, now, written = [0] * (THREADS + 2), 1, 1000, 0
    with path.open("wb") as file:
        _block(file, HEADER, numpy.array([1] + [0] * (len(COUNTERS) - 1), "<u8").tobytes())
        _block(file, META, meta, count=len(meta))
        _block(file, NAMES, b"".join(names), count=len(names))
        while written < records:
            _measure(file, at, now)
            for thread in range(THREADS):
                host, device = _steps(random, number, now + thread * 300, thread)
                _flush(file, at, thread, host)
                _flush(file, at, THREADS, device)
                number += STEPS * (COMMANDS + 1)
                written += STEPS * (COMMANDS + 1)
            now += STEPS * _step_time()
        _measure(file, at, now + 10**9)
    return written


def _step_time() -> int:
    return (COMMANDS + 3) * BETWEEN


def _steps(random: numpy.random.Generator, first: int, now: int, thread: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Return the slots of some steps of a thread, and the times of their commands."""
    shape = (STEPS, COMMANDS)
    place = numpy.broadcast_to(numpy.arange(COMMANDS), shape)
    steps = numpy.arange(STEPS)[:, None]
    begin = now + steps * _step_time() + place * BETWEEN + random.integers(0, 300, shape)
    number = first + steps * (COMMANDS + 1) + place
    there, back = place == 0, place == COMMANDS - 1
    launch = ~(there | back)
    command, detail, evidence, times = (
        numpy.zeros(shape, LAYOUTS[kind]) for kind in (COMMAND, DETAIL, EVIDENCE, TIMES)
    )
    direction = numpy.where(there, HOST_TO_DEVICE, numpy.where(back, DEVICE_TO_HOST, 0))
    command["kind"], command["flags"], command["correlation"] = COMMAND, TIMED | direction, number
    command["begin"], command["driver_begin"] = begin * TICKS, (begin + 300) * TICKS
    command["driver_end"], command["end"] = (begin + 2000) * TICKS, (begin + 2200) * TICKS
    command["stream"], command["name"] = thread + 1, numpy.where(launch, 1 + place % KERNELS, 0)
    detail["kind"], detail["command"] = DETAIL, numpy.where(launch, LAUNCH, COPY)
    detail["bytes"] = numpy.where(launch, 4 << 32 | 64, numpy.where(there, 1 << 20, 4))
    detail["to"] = numpy.where(launch, 128 << 32 | 1, 0x7000_0000 + thread * 0x100_0000)
    detail["source"] = numpy.where(launch, 1 << 32 | 1, 0x1000_0000 + thread * 0x100_0000)
    evidence["kind"], evidence["correlation"] = EVIDENCE, number
    evidence["flags"] = numpy.where(launch, ARGUMENTS | CONTENT, CONTENT | PAGEABLE | BLOCKING)
    evidence["count"], evidence["site"] = launch * 4, SITE_NAMES + numpy.where(there, 0, numpy.where(launch, 1, 2))
    evidence["content"] = numpy.where(there, 77, numpy.where(launch, 1000 + place, number))
    evidence["arguments"] = place.astype("u8") << 8 | (steps % 251).astype("u8")
    times["kind"], times["correlation"], times["command"] = TIMES, number, detail["command"]
    times["enqueued"], times["name"], times["stream"] = command["driver_begin"], command["name"], thread + 1
    times["started"] = begin + 900
    times["ended"] = times["started"] + random.integers(RUNS - 500, RUNS + 500, shape).astype("u8")
    call, behind = (numpy.zeros((STEPS, 1), LAYOUTS[kind]) for kind in (CALL, EVIDENCE))
    end = (now + steps * _step_time() + COMMANDS * BETWEEN).astype("u8")
    call["kind"], call["entry"], call["correlation"] = CALL, 2, first + steps * (COMMANDS + 1) + COMMANDS
    call["begin"], call["end"], call["stream"] = end * TICKS, (end + BETWEEN) * TICKS, thread + 1
    behind["kind"], behind["correlation"], behind["site"] = EVIDENCE, call["correlation"], SITE_NAMES + 2
    raw = [numpy.ascontiguousarray(each).view(f"V{SLOT}") for each in (command, detail, evidence)]
    commands = numpy.stack(raw, axis=2).reshape(STEPS, 3 * COMMANDS)
    calls = [numpy.ascontiguousarray(each).view(f"V{SLOT}").reshape(STEPS, 1) for each in (call, behind)]
    return numpy.concatenate([commands, *calls], axis=1).reshape(-1), times.reshape(-1).view(f"V{SLOT}")


def _site(number: int, text: str) -> bytes:
    data = text.encode()
    return numpy.array([number, len(data)], "<u4").tobytes() + data.ljust(-(-len(data) // 8) * 8, b"\0")


def measured(path: Path, processors: int) -> tuple[float, int]:
    """Run `launchpath why` on a file: its seconds, and the bytes that its processes took at most together."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "launchpath", "why", "--json", os.path.join(folder, "why.json"), os.fspath(path)]
        began, most = time.monotonic(), 0
        started = subprocess.Popen(words)
        os.sched_setaffinity(started.pid, sorted(os.sched_getaffinity(0))[:processors])
        while started.poll() is None:
            most = max(most, sum(map(_memory, _tree(started.pid))))
            time.sleep(0.02)
        if started.returncode:
            sys.exit(f"launchpath why: exit code {started.returncode}")
        return time.monotonic() - began, most


def _tree(process: int) -> list[int]:
    """Return a process and all that it has started."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    except OSError:
        children = []
    return [process, *(each for child in children for each in _tree(int(child)))]


def _memory(process: int) -> int:
    """Return the bytes of a process, its share of common ones included; the pages of the trace's file do not count."""
    try:
        for line in Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss_Anon:"):
                return int(line.split()[1]) << 10
    except OSError:
        pass
    return 0


def main() -> int:
    """Write the file if it is not there, and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--records", type=int, default=10_000_000, help="commands and calls (10000000)")
    parser.add_argument("--processors", type=int, default=2)
    parser.add_argument("--write-only", action="store_true")
    asked = parser.parse_args()
    if not asked.file.exists():
        print(f"{write(asked.file, asked.records)} records, {asked.file.stat().st_size >> 20} MiB")
    if asked.write_only:
        return 0
    seconds, most = measured(asked.file, asked.processors)
    print(f"{seconds:.1f} s, {most >> 20} MiB, on {asked.processors} processors")
    return int(seconds > SECONDS or most > MEMORY)


if __name__ == "__main__":
    sys.exit(main())
