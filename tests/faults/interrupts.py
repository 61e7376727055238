"""Interrupts: KeyboardInterrupt at every bytecode of launchpath's own Python, and real signals at any moment.

`python -m tests.faults.interrupts --count 10000 --seed 7 --device simulated --device intel` runs as many, and prints the seed.
"""

import argparse
import dis
import functools
import gc
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from tests.simulated import Machine

N = 16
OURS = str(Path(lp.__file__).parent)
SOURCE = "__global__ void mix(unsigned *dst, const unsigned *src, unsigned n, unsigned tag) { for (unsigned i = 0; i < n; ++i) dst[i] = 3 * dst[i] + src[i] + tag; }"
WITHIN = 2.0  # seconds in which a wait must be left, on a machine that may be busy


class Interrupt(KeyboardInterrupt):
    """What a test's signal handler, or its trace function, raises."""


class Scene:
    """A device with streams, arrays and a kernel, and what can be done with them."""

    def __init__(self, device: lp.Device, kernel: lp.Kernel) -> None:
        self.device, self.kernel = device, kernel
        self.stream, self.other = lp.Stream(device=device), lp.Stream(blocking=False, device=device)
        self.host = np.arange(N, dtype=np.uint32)
        self.a, self.b = (lp.asarray(self.host, device=device) for _ in range(2))
        self.staged, self.read = lp.InOut(self.host.copy()), lp.In(self.host)
        self.returning = kernel.returning(dst=N)
        self.launcher = kernel[1, 1]
        self.region, self.stepped = lp.Step(), lp.step(self.commands)
        self.check()
        gc.collect()
        self.arrays = device.memory_info()["arrays"]

    def with_stream(self) -> None:
        with self.stream:
            self.launcher(self.a, self.b, N, 1)

    def with_nested(self) -> None:
        with self.device, self.stream, self.other:
            with self.device:
                lp.zeros(N, "uint32")
            self.launcher(self.a, self.b, N, 1)

    def launch(self) -> None:
        self.kernel[1, 1, self.stream](self.a, self.b, N, tag=2)
        self.kernel.bind(1, 1, stream=self.other)(self.a, self.b, N, 2)

    def launch_staged(self) -> None:
        self.kernel[1, 1, self.stream](self.staged, self.read, N, 3)
        self.kernel[1, 1, self.other](self.staged, lp.In(self.host), N, 3)
        out = lp.Out(np.zeros(N, np.uint32))
        self.kernel[1, 1](out, self.read, N, 3)
        self.staged.get()
        out.get()

    def launch_returning(self) -> None:
        result = self.returning[1, 1, self.stream](self.b, N, 4)
        dropped = self.returning[1, 1](self.b, N, 4)
        result.get()
        del dropped

    def allocate(self) -> None:
        a = lp.empty(N, "uint32", self.device)
        b = lp.zeros(N, "uint32", stream=self.stream)
        lp.asarray(self.host, device=self.device)
        a.free()
        del b

    def copy(self) -> None:
        self.a.copy_from(self.host, self.stream)
        self.b.copy_from(self.a, self.other)
        self.b.fill(5)
        self.a.to_numpy(self.stream)
        self.a.copy_to(np.zeros(N, np.uint32))

    def assign(self) -> None:
        self.a[::8] = self.host[::8]
        with self.other:
            self.b.reshape(-1, 8)[:, 1] = 3
            self.b[...] = self.a.copy()
            self.a.astype("float32")
        repr(self.a)
        int(self.b[3])

    def wait(self) -> None:
        event = self.stream.record()
        self.other.wait(event)
        self.a.fill(6, self.other)
        event.synchronize()
        self.other.query()
        self.stream.synchronize()
        self.device.synchronize()

    def time(self) -> None:
        start, end = lp.Event(timing=True), lp.Event(timing=True)
        self.stream.record(start)
        self.a.fill(7, self.stream)
        self.stream.record(end)
        start.elapsed_time(end)

    def host_function(self) -> None:
        ran = threading.Event()
        self.stream.host_function(ran.set)
        self.stream.synchronize()

    def hold(self) -> None:
        with self.stream.hold():
            self.a.fill(8, self.stream)

    def make_stream(self) -> None:
        stream = lp.Stream(blocking=False, device=self.device)
        self.a.fill(9, stream)
        with stream:
            lp.current_stream()
        self.device.per_thread_stream.query()

    def commands(self) -> None:
        self.launch()
        self.a.fill(3, self.stream)
        self.other.wait(self.stream.record())
        self.b.copy_from(self.a, self.other)

    def step(self) -> None:
        with self.region:
            self.commands()
            self.allocate()
        self.stepped()

    def check(self) -> None:
        """Everything is as if nothing had happened: no stream or step entered, nothing held, launches right."""
        assert _core.entered() == []
        with pytest.raises(lp.LaunchpathError, match="leave it on the thread that entered it"):
            self.region.__exit__(None, None, None)
        recorded = self.region.report().commands
        self.device.synchronize()
        assert self.stream.query() and self.other.query()
        self.a.copy_from(self.host)
        self.b.copy_from(self.host)
        self.launcher(self.a, self.b, N, 10)
        assert self.region.report().commands == recorded
        wanted = self.a.to_numpy()
        self.staged.get()
        self.staged.array[:] = self.host
        self.kernel[1, 1, self.other](self.staged, self.read, N, 10)
        np.testing.assert_array_equal(self.staged.get(), wanted)
        assert self.returning[1, 1](self.b, N, 0).get().shape == (N,)

    def check_leaks(self) -> None:
        gc.collect()
        self.device.synchronize()
        live = self.device.memory_info()["arrays"]
        assert live <= self.arrays + 8, f"{live} arrays are alive, {self.arrays} were"


OPERATIONS: dict[str, Callable[[Scene], None]] = {
    name: getattr(Scene, name)
    for name in (
        "with_stream", "with_nested", "launch", "launch_staged", "launch_returning", "allocate", "copy", "wait", "time",
        "host_function", "hold", "make_stream", "step",
    )
}  # fmt: skip


@functools.cache
def leaving(code: CodeType) -> frozenset[int]:
    """Where a `with` has ended and calls `__exit__`: Python heeds no signal there, only a trace function gets in between."""
    steps = list(dis.get_instructions(code))
    offsets = set()
    for i in range(len(steps) - 3):
        if all(step.opname == "LOAD_CONST" and step.argval is None for step in steps[i : i + 3]):
            end = next((j for j in range(i + 3, min(i + 6, len(steps))) if steps[j].opname == "CALL"), None)
            if end is not None and steps[end].arg == 2:
                start = i - 1 if i and steps[i - 1].opname in ("SWAP", "NOP") else i
                offsets.update(step.offset for step in steps[start : end + 1])
    return frozenset(offsets)


def interrupt_at(number: int, operation: Callable[[], None]) -> bool:
    """Run it, and raise at this bytecode of launchpath's own frames; False if it ended before."""
    seen = 0
    raised = False

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        if not frame.f_code.co_filename.startswith(OURS):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return count

    def count(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal seen, raised
        if event == "opcode" and frame.f_lasti not in leaving(frame.f_code):
            if seen == number:
                raised = True
                raise Interrupt
            seen += 1
        return count

    sys.settrace(trace)
    try:
        operation()
    except Interrupt:
        pass
    finally:
        sys.settrace(None)
    return raised


def interrupt_by_signal(seconds: float, operation: Callable[[], None]) -> bool:
    """Run it again and again until a real signal comes, whose handler raises."""

    def ring(*_: object) -> None:
        raise Interrupt

    before = signal.signal(signal.SIGALRM, ring)
    since = time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        while time.monotonic() - since < WITHIN:
            operation()
    except Interrupt:
        return True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return False


def simulated() -> Scene:
    machine = Machine(check=False, record=False)
    machine.machine.background()
    scene = Scene(machine.device, machine.kernel())
    scene.machine = machine  # type: ignore[attr-defined]
    return scene


def close(scene: Scene) -> None:
    """End a simulated machine, and the thread that runs its commands."""
    machine = scene.machine  # type: ignore[attr-defined]
    scene.__dict__.clear()
    gc.collect()
    machine.__exit__(None)


def real(name: str) -> Scene:
    device = lp.device(name)
    return Scene(device, lp.compile(SOURCE, device).mix)


def lengths(scene: Scene) -> dict[str, int]:
    """How many bytecodes of launchpath's each operation has."""
    longest = {}
    for name, operation in OPERATIONS.items():
        most = 0

        def count(frame: FrameType, event: str, arg: Any) -> Any:
            nonlocal most
            if not frame.f_code.co_filename.startswith(OURS):
                return None
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
            most += event == "opcode" and frame.f_lasti not in leaving(frame.f_code)
            return count

        sys.settrace(count)
        try:
            operation(scene)
        finally:
            sys.settrace(None)
        longest[name] = most
    return longest


def run(scene: Scene, count: int, chance: random.Random) -> int:
    """Interrupt so many times, a quarter of them by real signals; returns how many came."""
    long = lengths(scene)
    names = list(OPERATIONS)
    came = 0
    for turn in range(count):
        name = chance.choice(names)
        operation = OPERATIONS[name]
        if turn % 4 == 0:
            at: float = chance.uniform(1e-5, 3e-3)
            came += interrupt_by_signal(at, lambda operation=operation: operation(scene))  # type: ignore[misc]
        else:
            at = chance.randrange(max(long[name], 1))
            came += interrupt_at(int(at), lambda operation=operation: operation(scene))  # type: ignore[misc]
        try:
            scene.check()
        except BaseException as error:
            error.add_note(f"turn {turn}: {name} interrupted at {at}")
            raise
    scene.check_leaks()
    return came


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--device", action="append")
    options = parser.parse_args()
    seed = random.SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
    devices = options.device or ["simulated", *(device.name for device in lp.devices())]
    for name in devices:
        print(f"{name}: SEED={seed}", flush=True)
        scene = simulated() if name == "simulated" else real(name)
        came = run(scene, options.count // len(devices), random.Random(f"{seed}:{name}"))
        print(f"{name}: {came:,} interrupts, nothing wrong", flush=True)


if __name__ == "__main__":
    main()
