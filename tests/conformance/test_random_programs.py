"""Random programs over everything at once: all kinds of streams, events, holds, host functions, memory, devices.

A program follows one chain of launches from stream to stream, each ordered after the one before it by what the program
does. Around it, streams, events and arrays that all threads share are used in every way; it must not be disturbed.
"""

from __future__ import annotations

import random

import pytest

import launchpath as lp

from .calls import Call

PROGRAMS = 300


class Chain:
    """Launches that count only if each comes after the one before."""

    def __init__(self, chance, device, follow, shared):
        self.chance, self.device, self.follow = chance, device, follow
        self.events, streams = shared
        own = [lp.Stream(blocking=chance.random() < 0.5, device=device) for _ in range(2)]
        self.streams = [*own, device.per_thread_stream, *[stream for stream in streams if stream.device is device]]
        self.at = lp.zeros(1, "int32", device)
        self.length, self.arrays = 0, []
        self.stream = device.legacy_stream
        self.move()

    def launch(self):
        self.follow[1, 1, self.stream](self.at, self.length)
        self.length += 1

    def move(self):
        event = self.stream.record(timing=self.chance.random() < 0.3)
        self.stream = self.chance.choice(self.streams)
        self.stream.wait(event)

    def hold(self):
        with self.stream.hold():
            self.launch()

    def allocate(self):
        self.arrays.append(lp.empty(self.chance.randrange(1, 5000), "uint8", self.device))
        self.arrays[-1].fill(1, self.chance.choice(self.streams))

    def free(self):
        if self.arrays:
            self.arrays.pop(self.chance.randrange(len(self.arrays)))

    def any_stream(self, what):
        stream, event = self.chance.choice(self.streams), self.chance.choice(self.events)
        what(stream, event)

    def run(self):
        actions = [
            (12, self.launch),
            (4, self.move),
            (1, self.hold),
            (1, self.allocate),
            (1, self.free),
            (1, lambda: self.any_stream(lambda stream, event: stream.wait(event))),
            (1, lambda: self.any_stream(lambda stream, event: stream.record(event))),
            (1, lambda: self.any_stream(lambda stream, event: (stream.query(), event.query()))),
            (1, lambda: self.any_stream(lambda stream, event: stream.host_function(event.query))),
            (0.3, lambda: self.any_stream(lambda stream, event: (stream.synchronize(), event.synchronize()))),
            (0.1, self.device.synchronize),
        ]
        weights, does = zip(*actions, strict=True)
        for action in self.chance.choices(does, weights, k=self.chance.randrange(5, 80)):
            action()
        return int(self.at.to_numpy(self.stream)[0]), self.length


@pytest.fixture(scope="module")
def shared():
    streams = [lp.Stream(blocking=i % 2 == 0, device=device) for device in lp.devices() for i in range(3)]
    return [lp.Event(timing=i % 2 == 0) for i in range(6)], [
        *streams,
        *(device.legacy_stream for device in lp.devices()),
    ]


def results(seed, devices, programs, shared):
    chance = random.Random(seed)
    for _ in range(PROGRAMS):
        device = chance.choice(devices)
        yield Chain(chance, device, programs(device).follow, shared).run()


@pytest.mark.parametrize("seed", range(3))
def test_a_random_program_does_its_work_in_order(device, programs, shared, seed):
    for got, wanted in results(seed, [device], programs, shared):
        assert got == wanted


@pytest.mark.parametrize("seed", range(3))
def test_random_programs_on_several_threads_and_devices(two_devices, programs, shared, seed):
    for device in two_devices:
        programs(device)
    calls = [Call(lambda i=i: list(results(100 * seed + i, two_devices, programs, shared))) for i in range(4)]
    for call in calls:
        for got, wanted in call.result():
            assert got == wanted
