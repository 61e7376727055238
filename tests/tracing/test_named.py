"""Launches by name in traces: one record each, however the names are looked up."""

from itertools import permutations
from pathlib import Path

import pytest

import launchpath as lp
from launchpath import _core
from launchpath._trace import format
from tests.fixtures import arrays
from tests.simulated import Machine
from tests.tracing.raw import read

MODES = ("host", "device", "serialized")


@pytest.mark.parametrize("mode", MODES)
def test_a_launch_by_name_is_one_call(machine: Machine, stream: lp.Stream, path: Path, mode: str) -> None:
    machine.machine.background()
    a, b = arrays(machine, 2)
    launcher = machine.kernel()[1, 1, stream]
    values = {"dst": a, "src": b, "n": 16, "tag": 5}
    assert set(values) == {parameter.name for parameter in machine.kernel().signature.parameters}
    with lp.trace(path, mode=mode) as trace:
        for names in permutations(values):  # 24: more than are remembered
            launcher(**{name: values[name] for name in names})
        launcher(a, b, n=16, tag=5)
        launcher(a, b, 16, 5, **{})
        with pytest.raises(lp.SignatureError):
            launcher(a, b, 16, other=5)
    assert len(read(path).dispatches()) == 26
    calls = trace.summary().calls["launch"]
    assert (calls.calls, calls.failed) == (26, 1)


@pytest.mark.parametrize("mode", MODES)
def test_a_launch_by_name_in_a_step(machine: Machine, stream: lp.Stream, path: Path, mode: str) -> None:
    machine.machine.background()
    a, b = arrays(machine, 2)
    launcher, step = machine.kernel()[1, 1, stream], lp.Step()
    with lp.trace(path, mode=mode) as trace:
        for _ in range(3):
            with step:
                launcher(dst=a, src=b, n=16, tag=5)
                launcher(a, b, tag=6, n=16)
        stream.synchronize()
    raw = read(path)
    assert len(raw.dispatches()) == 6
    assert sum(bool(command["flags"] & format.KEPT_BACK) for command, _ in raw.commands()) == 6
    assert trace.summary().calls["launch"].calls == 6


def test_a_launch_by_name_is_waited_for_with_blocking_launches(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    a, b = arrays(machine, 2)
    launcher = machine.kernel()[1, 1, stream]
    _core.set_launch_blocking(True)
    try:
        for names in permutations({"dst": a, "src": b, "n": 16, "tag": 5}.items()):
            launcher(**dict(names))
            assert stream.submitted[0] == stream.submitted[1]
    finally:
        _core.set_launch_blocking(False)
