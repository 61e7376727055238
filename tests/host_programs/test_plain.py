"""What programs call most needs no Python: in a library of C++, called by Python's threads."""

from __future__ import annotations

import ctypes
from collections import Counter

import pytest

import launchpath as lp
from launchpath import _core
from launchpath._host.compiler import driver
from launchpath._host.runtime import calls
from scripts import host_calls
from tests.host_programs.test_programs import PROGRAMS
from tests.threads import at_once


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    if not any("Intel" in str(device.info["platform"]) for device in lp.devices()):
        pytest.skip("Intel's CPU runtime is not installed")
    path = tmp_path_factory.mktemp("plain") / "libplain.so"
    assert driver.run(["-O1", "-shared", "-fPIC", str(PROGRAMS / "plain.hip"), "-o", str(path)]) == 0
    return ctypes.CDLL(str(path))


@pytest.fixture
def asked(library, monkeypatch):
    """Count the functions that Python is asked for."""
    from launchpath.hip._devices import current

    intel = next(device for device in lp.devices() if "Intel" in str(device.info["platform"]))
    current.choose(intel)
    assert library.work(1, True) == 0  # everything is known from now on
    names: Counter[str] = Counter()

    def answer(name, address):
        names[name.decode()] += 1
        return calls.answer(name, address)

    _core.register_host_caller(answer)
    yield names
    _core.register_host_caller(calls.answer)
    current.choose(None)


def test_python_is_asked_only_for_what_is_not_usual(library, asked):
    turns = 50
    assert library.work(turns, True) == 0
    plain = {name: count for name, count in asked.items() if name.removeprefix("hip") in host_calls.PLAIN}
    assert plain.pop("hipFree") == turns, "each turn frees memory twice, which Python refuses"
    assert sum(plain.values()) <= 4, f"the pool grew once or twice: {plain}"


def test_threads_call_them_at_once(library, asked):
    at_once(lambda _: expect_success(library.work(30, False)), range(4))


def expect_success(code):
    assert code == 0, f"line {code // 1000}, error {code % 1000}" if code > 0 else code
