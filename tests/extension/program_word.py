"""What `test_extension.py` runs with the core that has the kind: words in order, in steps, in graphs, in records."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import numpy as np

import launchpath as lp
from launchpath import _core
from tests.simulated import Machine


def ordered(device: lp.Device) -> None:
    """Two streams write in turn, each after the other's event."""
    streams = [lp.Stream(device=device), lp.Stream(device=device)]
    array = lp.zeros(4, "uint32", device)
    for value in range(1, 9):
        stream = streams[value % 2]
        _core.write_word(array, stream, 0, value)
        streams[(value + 1) % 2].wait(stream.record())
    assert array.to_numpy(stream=streams[1]).tolist() == [8, 0, 0, 0]


def kept_back(device: lp.Device) -> None:
    """A step takes them as any other command, and knows them again."""
    stream, array, step = lp.Stream(device=device), lp.zeros(4, "uint32", device), lp.Step()
    for run in range(4):
        with step:
            for index in range(4):
                _core.write_word(array, stream, index, 10 * run + index)
        assert array.to_numpy(stream=stream).tolist() == [10 * run + index for index in range(4)]
        if run == 1:  # the first run also orders the array's memory
            before = step.counts()["new_sequences"]
    counts = step.counts()
    assert counts["new_sequences"] == before, counts
    assert counts["compared"], counts


def in_a_graph(device: lp.Device) -> None:
    """A graph holds the memory that a word goes to."""
    stream, array = lp.Stream(device=device), lp.zeros(4, "uint32", device)
    target = lp.zeros(4, "uint32", device)
    stream.synchronize()
    stream.begin_capture()
    _core.write_word(array, stream, 2, 7)
    target.copy_from(array, stream)
    graph = stream.end_capture()
    del array
    gc.collect()
    graph.instantiate().launch(stream)
    assert target.to_numpy(stream=stream).tolist() == [0, 0, 7, 0]


def recorded(device: lp.Device, folder: Path) -> None:
    """It has its line in the log, its times, and its name in a trace."""
    stream, array = lp.Stream(device=device), lp.zeros(4, "uint32", device)
    stream.synchronize()
    _core.time_commands(device)
    _core.log_driver_calls(device)
    _core.write_word(array, stream, 1, 5)
    _core.log_driver_calls(device, False)
    stream.synchronize()
    assert [call for call, *_ in _core.command_times(device)] == ["write_word"]
    _core.time_commands(device, False)
    with lp.trace(folder / "word.lptrace"):
        _core.write_word(array, stream, 1, 6)
        stream.synchronize()
    (rows,) = lp.read_trace(folder / "word.lptrace").dispatches()
    assert rows["command"].tolist() == ["write_word"]
    assert rows["bytes"].tolist() == [4]
    assert np.array_equal(array.to_numpy(stream=stream), [0, 6, 0, 0])


def main() -> None:
    folder = Path(sys.argv[1])
    with Machine() as machine:
        for work in (ordered, kept_back, in_a_graph):
            work(machine.device)
    for device in lp.devices():
        for work in (ordered, kept_back, in_a_graph):
            work(device)
        recorded(device, folder)
        (folder / "word.lptrace").unlink()


if __name__ == "__main__":
    main()
