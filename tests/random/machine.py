"""Runs a part's steps on devices."""

import ctypes
import threading
import time
from typing import Any

import numpy as np

import launchpath as lp

from .drawing.draft import SHARED_EVENTS
from .graphs import Graphs
from .kernels import Kernels
from .launches import Launches
from .recorder import ONE_LAUNCH, Recorder, launches_of
from .step import Step
from .values import Numbers, data

POLL_S = 0.0002
AHEAD = 60  # streams of each kind that are made and dropped before a program begins


class Shared:
    """What all parts of a program use: devices, streams, events, an array for each device to count in, traces."""

    def __init__(self, devices: list[lp.Device], streams: tuple[str, ...], kernels: list[Kernels]) -> None:
        self.devices, self.kernels, self.recorder = devices, kernels, Recorder()
        self.streams = [lp.Stream(blocking=kind == "blocking", device=devices[0]) for kind in streams]
        self.events = [lp.Event(timing=number % 2 == 1) for number in range(SHARED_EVENTS)]
        self.counters = [lp.zeros(1, "uint32", device) for device in devices]
        self.crowd = threading.Lock()  # of the thread that makes many streams at once
        self.counting = [kernel.count[1, 1] for kernel in kernels]  # launchers that all threads use
        for device in devices:
            device.synchronize()
            # A library that may wait for the device to make a stream has these for a thread that holds one back.
            for kind in (False, True):
                [lp.Stream(blocking=kind, device=device) for _ in range(AHEAD)]


class Machine(Launches, Graphs):
    """One thread's streams, arrays and events on the devices, by the numbers that its steps have for them."""

    def __init__(self, shared: Shared) -> None:
        super().__init__()
        self.shared, self.devices, self.kernels = shared, shared.devices, list(shared.kernels)
        self.streams: dict[int, lp.Stream] = {}
        self.legacy: set[int] = set()
        self.arrays: dict[int, lp.Array] = {}
        self.events: dict[int, lp.Event] = {}
        self.results: dict[int, Any] = {}
        self.holds: dict[int, Any] = {}
        self.steps: dict[int, lp.Step] = {}
        self.entered: list[int] = []
        self.kept_back: list[int] = []  # numbers of launches that a step may keep back
        self.seen: set[int] = set()
        self.seen_lock = threading.Lock()

    def do(self, step: Step) -> Any:
        """Do a step, whose launches the recorder notes; return what it gave."""
        call = getattr(self, step.name)
        calls, runs = self._launches(step)
        if calls + runs == 0:
            return call(**step.arguments)
        recorder = self.shared.recorder
        number = recorder.note(step, calls, runs)
        with lp.external_correlation_id(number):
            result = call(**step.arguments)
        recorder.noted[number].end = time.monotonic_ns()
        self.kept_back.append(number)
        self._submitted()
        return result

    def _launches(self, step: Step) -> tuple[int, int]:
        """Count the calls of launch that a step is, and the launches that the driver gets."""
        arguments = step.arguments
        if step.name in ONE_LAUNCH:
            return 1, 1
        if step.name == "crowd":
            return arguments["streams"], arguments["streams"]
        if step.name in ("freeze", "capture"):
            n = launches_of(arguments["rows"])
            return n, n if step.name == "freeze" else 0
        if step.name in ("launch_frozen", "launch_captured"):
            n = launches_of(self.rows[arguments["graph"]]) * arguments["times"]
            return n if self.graphs[arguments["graph"]] is None else 0, n
        return 0, 0

    def _submitted(self) -> None:
        """Outside of all steps the driver has what was launched."""
        if not self.entered:
            for number in self.kept_back:
                self.shared.recorder.noted[number].submitted = time.monotonic_ns()
            self.kept_back.clear()

    def release_all(self) -> None:
        """Let go of what is held, and leave all steps, after a failure."""
        while self.holds:
            self.holds.popitem()[1].release()
        while self.entered:
            self.leave_step(self.entered[-1])

    def begin(self, seed: int, size: int) -> None:
        self.source = lp.In(data(seed, size))
        self.out = lp.Out(np.zeros(size, np.uint32))
        self.both = lp.InOut(data(seed + 1 & 0xFFFFFFFF, size))
        self.size = size

    # -- streams and events

    def legacy_stream(self, stream: int, device: int) -> None:
        self.streams[stream] = self.devices[device].legacy_stream
        self.legacy.add(stream)

    def per_thread_stream(self, stream: int, device: int) -> None:
        self.streams[stream] = self.devices[device].per_thread_stream

    def shared_stream(self, stream: int, device: int, index: int) -> None:
        self.streams[stream] = self.shared.streams[index]

    def new_stream(self, stream: int, device: int, blocking: bool, priority: int) -> None:
        self.streams[stream] = lp.Stream(blocking=blocking, priority=priority, device=self.devices[device])

    def drop_stream(self, stream: int) -> None:
        del self.streams[stream]

    def record(self, stream: int, event: int, timing: bool) -> None:
        self.events[event] = self.streams[stream].record(timing=timing)

    def record_again(self, stream: int, event: int) -> None:
        self.streams[stream].record(self.events[event])

    def wait(self, stream: int, event: int) -> None:
        self.streams[stream].wait(self.events[event])

    def drop_event(self, event: int) -> None:
        del self.events[event]

    def shared_event(self, stream: int, event: int, how: str) -> None:
        if how == "record":
            self.streams[stream].record(self.shared.events[event])
        elif how == "wait":
            self.streams[stream].wait(self.shared.events[event])
        else:
            self.shared.events[event].query()

    def query(self, stream: int, event: int | None) -> None:
        self.streams[stream].query()
        if event is not None:
            self.events[event].query()

    def event_waited(self, event: int, how: str, notes: list[int]) -> list[int]:
        _wait(self.events[event], how)
        return self._seen(notes)

    def stream_waited(self, stream: int, how: str, notes: list[int]) -> list[int]:
        _wait(self.streams[stream], how)
        return self._seen(notes)

    def device_waited(self, device: int, notes: list[int]) -> list[int]:
        self.devices[device].synchronize()
        return self._seen(notes)

    def _seen(self, notes: list[int]) -> list[int]:
        with self.seen_lock:
            return [note for note in notes if note in self.seen]

    def hold(self, stream: int, hold: int) -> None:
        self.holds[hold] = self.streams[stream].hold()

    def release(self, hold: int) -> None:
        self.holds.pop(hold).release()

    # -- arrays

    def new_array(self, array: int, stream: int, how: str, seed: int, size: int) -> None:
        numbers, device = data(seed, size), self.streams[stream].device
        if how == "asarray":
            self.arrays[array] = lp.asarray(numbers, device=device)
            return
        order = self.streams[stream] if how == "ordered" else None
        self.arrays[array] = lp.empty(size, "uint32", device, order)
        self.arrays[array].copy_from(numbers, self.streams[stream])

    def drop_array(self, array: int, free: bool) -> None:
        if free:
            self.arrays[array].free()
        del self.arrays[array]

    def fill(self, stream: int, array: int, value: int, way: str) -> None:
        if way == "with":
            with self.streams[stream]:
                self.arrays[array].fill(value)
        else:
            self.arrays[array].fill(value, self.streams[stream])

    def copy(self, stream: int, target: int, source: int, way: str) -> None:
        if way == "to":
            self.arrays[source].copy_to(self.arrays[target], self.streams[stream])
        else:
            self.arrays[target].copy_from(self.arrays[source], self.streams[stream])

    def copy_across(self, stream: int, target: int, source: int) -> None:
        self.arrays[source].copy_to(self.arrays[target], self.streams[stream])

    def upload(self, stream: int, array: int, seed: int) -> None:
        numbers = data(seed, self.size)
        self.arrays[array].copy_from(numbers, self.streams[stream])
        numbers[:] = 0

    def read(self, stream: int, array: int) -> Numbers:
        return self.arrays[array].to_numpy(self.streams[stream])

    # -- host functions

    def host_function(self, stream: int, array: int, a: int, b: int, note: int, nap: float) -> None:
        words = (ctypes.c_uint32 * self.size).from_address(self.arrays[array].pointer)

        def change() -> None:
            if nap:
                time.sleep(nap)
            numbers = np.frombuffer(words, np.uint32)
            with np.errstate(over="ignore"):
                numbers[:] = numbers * np.uint32(a) + np.uint32(b)
            self._note(note)

        self.streams[stream].host_function(change)

    def host_note(self, stream: int, note: int, allocates: bool) -> None:
        device = self.streams[stream].device
        if allocates:
            self.streams[stream].host_function(lambda: (lp.empty(64, "uint32", device), self._note(note)))
        else:
            self.streams[stream].host_function(self._note, note)

    def _note(self, note: int) -> None:
        with self.seen_lock:
            self.seen.add(note)

    # -- steps

    def enter_step(self, number: int) -> None:
        self.steps.setdefault(number, lp.Step()).__enter__()
        self.entered.append(number)

    def leave_step(self, number: int) -> None:
        self.entered.remove(number)
        self.steps[number].__exit__(None, None, None)
        self._submitted()

    # -- traces

    def begin_trace(self, **options: Any) -> None:
        self.shared.recorder.begin(**options)

    def pause_trace(self) -> None:
        self.shared.recorder.pause()

    def resume_trace(self) -> None:
        self.shared.recorder.resume()

    def end_trace(self, patience: float) -> None:
        self.shared.recorder.end(patience)

    # -- the rest

    def recompile(self, device: int, variant: int) -> None:
        self.kernels[device] = Kernels(self.devices[device], variant)

    def trim(self, device: int) -> None:
        self.devices[device].trim_memory()
        self.devices[device].memory_info()
        lp.argument_counts()


def _wait(waited: lp.Stream | lp.Event, how: str) -> None:
    if how == "synchronize":
        waited.synchronize()
    while not waited.query():
        time.sleep(POLL_S)
