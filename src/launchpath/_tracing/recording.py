"""The recording of a trace: the devices whose work is recorded, and the time in which it is."""

from __future__ import annotations

from typing import Protocol

from launchpath import _core
from launchpath._streams.device import Device
from launchpath._tracing.facts import device_facts
from launchpath._tracing.sources import TimeSources


class WriteFacts(Protocol):
    """Writes facts about the trace, by their names, to its file."""

    def __call__(self, **facts: object) -> None:
        """Write."""


class Recording:
    """What is recorded between the begin and the end of a trace.

    It can be switched on and off. While it is on, the layer that writes records is on each device. The trace calls this
    under its lock.

    Parameters
    ----------
    sources : TimeSources
        Where the times of CUDA devices come from.
    write_facts : callable
    """

    def __init__(self, sources: TimeSources, write_facts: WriteFacts) -> None:
        self._sources, self._write_facts = sources, write_facts
        self._devices: list[Device] = []  # a device's index is its number in the file
        self._is_on = False
        self._waits_left_out_before = 0  # of all devices, before they were added

    def add(self, device: Device) -> None:
        """Let a device take part; a device that does already stays as it is."""
        if device in self._devices:
            return
        self._devices.append(device)
        self._waits_left_out_before += device.ordering_counts()[1]
        self._write_facts(devices=[device_facts(each) for each in self._devices])
        if self._is_on:
            self._put_layer(len(self._devices) - 1)

    def switch(self, on: bool) -> None:
        """Record on all devices from now on, or no more."""
        self._is_on = on
        if on:
            for number in range(len(self._devices)):
                self._put_layer(number)
        _core.trace_record(on)
        if not on:
            self._take_layers()

    def abort(self) -> None:
        """Record no more, whatever an interrupt has left in between."""
        try:
            _core.trace_record(False)
        finally:
            self._take_layers()

    def end(self) -> int:
        """Forget the devices, after `abort`.

        Returns
        -------
        int
            How many waits of commands were left out since the devices were added, because others imply them.
        """
        waits_left_out = sum(device.ordering_counts()[1] for device in self._devices) - self._waits_left_out_before
        if self._sources.end():
            self._write_facts(times=self._sources.facts())
        self._devices = []
        return max(waits_left_out, 0)

    def _put_layer(self, number: int) -> None:
        if self._sources.record(self._devices[number], number):
            self._write_facts(times=self._sources.facts())

    def _take_layers(self) -> None:
        for number, device in enumerate(self._devices):
            _core.trace_device(device, number, False)
