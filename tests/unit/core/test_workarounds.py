"""Workarounds: switches by name, on by themselves where the matter was seen."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import launchpath as lp
from launchpath import _core
from launchpath._cli import main
from launchpath._compiler import target
from launchpath._drivers import workarounds
from launchpath._drivers.workarounds import INTEL, NVIDIA, POCL, VARIABLE, WORKAROUNDS, in_force
from launchpath._programs.builds import apart, without_header
from tests.fixtures import arrays
from tests.simulated import Machine

CORE = Path(_core.__file__).parent / "_core"


def test_they_are_sorted_and_say_why() -> None:
    names = [each.name for each in WORKAROUNDS]
    assert names == sorted(set(names))
    for each in WORKAROUNDS:
        assert each.does and each.reason and each.drivers, each.name


@pytest.mark.skipif(not CORE.is_dir(), reason="the core's source is not here")
def test_what_the_table_has_is_used() -> None:
    files = [*CORE.glob("**/*.pxi"), Path(target.__file__), Path(apart.__file__), Path(without_header.__file__)]
    text = "".join(path.read_text() for path in files)
    used = set(re.findall(r'"([a-z-]+)" (?:not )?in (?:in_force|without|driver\.info|(?:device\.)?info\.get)', text))
    assert used == {each.name for each in WORKAROUNDS}


@pytest.mark.parametrize(
    ("driver", "platform", "kind", "names"),
    [
        ("opencl", INTEL, "cpu", {"build-apart", "complete-failed-events", "starts-at-enqueue"}),
        (
            "opencl",
            POCL,
            "cpu",
            {
                "complete-failed-events",
                "declare-functions",
                "identifier-names",
                "no-uniform-option",
                "prefer-opencl-c",
                "starts-at-enqueue",
            },
        ),
        ("opencl", "AMD Accelerated Parallel Processing", "gpu", {"identifier-names"}),
        ("opencl", "Intel(R) OpenCL Graphics", "gpu", {"identifier-names"}),
        ("cuda", "CUDA", "gpu", {"load-unheld"}),
        ("hip", "HIP", "gpu", set()),
    ],
)
def test_by_themselves(driver: str, platform: str, kind: str, names: set[str]) -> None:
    assert in_force(driver, {})(platform, kind) == names


def test_nvidias_starts_at_enqueue_on_linux_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for system, expected in (("linux", True), ("win32", False)):
        monkeypatch.setattr(workarounds.sys, "platform", system)
        assert ("starts-at-enqueue" in in_force("opencl", {})(NVIDIA, "gpu")) is expected


def test_forced_on_and_off() -> None:
    environment = {VARIABLE: "ask-when-empty, -prefer-opencl-c"}
    assert in_force("opencl", environment)(POCL, "cpu") == {
        "ask-when-empty", "complete-failed-events", "declare-functions", "identifier-names", "no-uniform-option",
        "starts-at-enqueue",
    }  # fmt: skip
    assert in_force("hip", environment)("HIP", "gpu") == {"ask-when-empty"}


def test_a_name_that_is_none_is_refused() -> None:
    with pytest.raises(lp.ArgumentValueError, match="LAUNCHPATH_WORKAROUNDS: expected names .*ask-when-empty.*'ask'"):
        in_force("opencl", {VARIABLE: "ask"})


def test_the_command_line_lists_those_in_force() -> None:
    output = CliRunner().invoke(main, ["devices", "-v"]).output
    having = {name for device in lp.devices() for name in device.info["workarounds"]}
    assert having == set(re.findall(r"workaround ([a-z-]+) \(", output))
    assert "workaround" not in CliRunner().invoke(main, ["devices"]).output


@pytest.mark.parametrize("asks", [False, True])
def test_a_stream_known_to_be_empty_is_asked_only_by_the_workaround(asks: bool) -> None:
    with Machine(workarounds=("ask-when-empty",) if asks else ()) as machine:
        (stream,) = machine.streams(("nonblocking",))
        (a,) = arrays(machine, 1)
        a.fill(1, stream)
        stream.synchronize()
        before = machine.machine.calls["queue_finish"]
        stream.synchronize()
        assert machine.machine.calls["queue_finish"] - before == asks
        del stream, a
