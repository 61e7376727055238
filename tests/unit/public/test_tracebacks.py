"""Tracebacks end at the caller's line: no more than one entry of launchpath's below it, unless all are asked for."""

import inspect
import os
import pickle
import subprocess
import sys
import traceback
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath import _tracebacks
from tests.patience import PATIENCE
from tests.simulated import Machine

PACKAGE = os.path.dirname(lp.__file__) + os.sep
SOURCE = """
__global__ void fill(float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i;
}
"""

pytestmark = pytest.mark.skipif(not lp.devices(), reason="no device")


@pytest.fixture(scope="module")
def program() -> lp.Program:
    return lp.compile(SOURCE)


@pytest.fixture(scope="module")
def array() -> lp.Array:
    return lp.empty(1000, "float32")


def files(error: BaseException) -> list[str]:
    """The entries' files, from the outermost on: below a test's own there must be none."""
    names = [entry.filename for entry in traceback.extract_tb(error.__traceback__)]
    return [name if name == __file__ else "launchpath" if is_own(name) else name for name in names]


def is_own(name: str) -> bool:
    return name.startswith(PACKAGE) or "launchpath/_core/" in name


def below(call: Callable[[], object]) -> list[str]:
    """What is in the traceback below the line with the call."""
    with pytest.raises(Exception) as caught:
        call()
    named = files(caught.value)
    last = len(named) - named[::-1].index(__file__)
    return named[last:]


MISTAKES: dict[str, Callable[[lp.Program, Any], object]] = {
    "source": lambda p, a: lp.compile("__global__ void f(int* a) { a[0] = b; }"),
    "source's type": lambda p, a: lp.compile(5),  # type: ignore[call-overload]
    "macro": lambda p, a: lp.compile(SOURCE, defines={"1x": 3}),
    "option": lambda p, a: lp.compile(SOURCE, options=["-Dx y"]),
    "standard": lambda p, a: lp.compile(SOURCE, standard="c++99"),
    "one of several sources": lambda p, a: lp.compile_all(["__global__ void f(int* a) { a[0] = b; }"]),
    "binary": lambda p, a: lp.load(b"junk"),
    "kernel": lambda p, a: p.fil,
    "kernel by name": lambda p, a: p["fil"],
    "no grid": lambda p, a: p.fill(a, 1000),
    "empty grid": lambda p, a: p.fill[0, 256](a, 1000),
    "block": lambda p, a: p.fill[4, 1 << 20](a, 1000),
    "stream": lambda p, a: p.fill[4, 256, "x"](a, 1000),  # type: ignore[index]
    "too few arguments": lambda p, a: p.fill[4, 256](a),
    "argument's type": lambda p, a: p.fill[4, 256](a, "x"),
    "argument's range": lambda p, a: p.fill[4, 256](a, 1 << 40),
    "argument's name": lambda p, a: p.fill[4, 256](out=a, m=3),
    "host array": lambda p, a: p.fill[4, 256](np.zeros(3, "float32"), 3),
    "array's dtype": lambda p, a: p.fill[4, 256](lp.empty(3, "int32"), 3),
    "result's name": lambda p, a: p.fill.returning("x"),
    "property": lambda p, a: p.fill.by_fields,
    "shape": lambda p, a: lp.empty(-1, "float32"),
    "dtype": lambda p, a: lp.zeros(3, "flot"),
    "memory": lambda p, a: lp.empty(1 << 60, "float32"),
    "values": lambda p, a: lp.full(3, "x", "float32"),
    "index": lambda p, a: a[5000],
    "assignment": lambda p, a: a.__setitem__(slice(0, 5), np.zeros(7, "float32")),
    "copy": lambda p, a: a.copy_from(np.zeros(3, "float32")),
    "absent operator": lambda p, a: a + 1,
    "absent method": lambda p, a: a.sum(),
    "absent function": lambda p, a: lp.array([1]),  # type: ignore[attr-defined]
    "priority": lambda p, a: lp.Stream(priority="x"),  # type: ignore[arg-type]
    "event": lambda p, a: lp.Stream().wait(3),  # type: ignore[arg-type]
    "elapsed time": lambda p, a: lp.Event().elapsed_time(lp.Event()),
    "device": lambda p, a: lp.device("no such device"),
    "step": lambda p, a: lp.step(3),  # type: ignore[arg-type]
    "step that never ran": lambda p, a: lp.Step().freeze(),
    "capture": lambda p, a: lp.Stream().end_capture(),
    "trace": lambda p, a: lp.trace("x.lptrace", mode="x"),
    "trace's file": lambda p, a: lp.read_trace(__file__),
    "symbol": lambda p, a: lp.find_kernel("no such symbol"),
    "global": lambda p, a: p.symbol("x"),
    "file": lambda p, a: p.save("/nonexistent/x"),
}


@pytest.mark.compiles
@pytest.mark.parametrize("mistake", MISTAKES)
def test_no_more_than_one_entry_is_below_the_callers_line(mistake: str, program: lp.Program, array: lp.Array) -> None:
    assert below(lambda: MISTAKES[mistake](program, array)) in ([], ["launchpath"])


@pytest.mark.skipif(find_spec("rocm") is None, reason="there are no wheels of HIP's types for this platform")
def test_neither_is_it_in_hips_api() -> None:
    from launchpath import hip, hiprtc

    for call in (
        lambda: hip.hipMalloc("x"),
        hip.hipMalloc,
        lambda: hip.hipSetDevice("x"),
        lambda: hip.hipStreamSynchronize("x"),
        lambda: hip.hipModuleLaunchKernel("f", 1, 1, 1, 1, 1, 1, 0, None, None, None),
        hip.hipGetProcAddress,
        lambda: hip.hipNoSuchFunction,
        lambda: hiprtc.hiprtcCompileProgram("x", 0, []),
    ):
        assert below(call) in ([], ["launchpath"])


def test_causes_lose_the_entries_as_well() -> None:
    with pytest.raises(lp.ArgumentValueError) as caught:
        lp.zeros(3, "flot")
    assert isinstance(caught.value.__cause__, TypeError)
    assert files(caught.value.__cause__) == []


def mine() -> None:
    raise RuntimeError("mine")


@pytest.mark.compiles
def test_errors_of_callbacks_keep_their_own_entries(program: lp.Program, array: lp.Array) -> None:
    with pytest.raises(RuntimeError) as caught, lp.Stream():
        mine()
    assert files(caught.value) == [__file__, __file__]
    stream = lp.Stream()
    stream.host_function(mine)
    with pytest.raises(lp.HostFunctionError) as failed:
        stream.synchronize()
    assert files(failed.value) == [__file__]
    assert isinstance(failed.value.__cause__, RuntimeError)
    assert [entry.name for entry in traceback.extract_tb(failed.value.__cause__.__traceback__)] == ["mine"]

    @lp.step
    def stepped(wrong: bool) -> None:
        if wrong:
            program.fill[4, 256](array, "x")
        mine()

    for wrong, kind in ((False, RuntimeError), (True, lp.SignatureError)):
        with pytest.raises(kind) as inside:
            stepped(wrong)
        names = [entry.name for entry in traceback.extract_tb(inside.value.__traceback__)]
        assert names[-1] == ("stepped" if wrong else "mine")


def test_a_function_that_is_a_step_adds_no_entry(machine: Machine) -> None:
    (stream,) = machine.streams(("nonblocking",))
    kept = lp.zeros(4, "uint32", machine.device, stream)

    @lp.step
    def own(fails: bool) -> None:
        kept.fill(1, stream)
        if fails:
            mine()

    for call in (lambda: own(True), own, lambda: own(wrong=1)):  # an error of its own, and calls that it does not take
        with pytest.raises((RuntimeError, TypeError)) as caught:
            call()
        assert set(files(caught.value)) == {__file__}
    machine.machine.fail("fill")
    with pytest.raises(lp.DriverError) as refused:  # by the end of the step, while an error of the function passes
        own(True)
    assert set(files(refused.value)) <= {__file__}
    assert isinstance(refused.value.__context__, RuntimeError)
    assert set(files(refused.value.__context__)) == {__file__}


def test_a_mistake_of_launchpaths_own_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("launchpath._streams.device.devices", lambda: None)
    with pytest.raises(TypeError) as caught:
        lp.device(0)
    assert files(caught.value)[-1] == "launchpath"


def test_a_boundary_is_like_its_function() -> None:
    assert pickle.loads(pickle.dumps(lp.compile)) is lp.compile
    assert type(lp.compile).__name__ == "function"
    with pytest.raises(AttributeError, match=r"^function 'compile' has no attribute 'sources'$"):
        lp.compile.sources  # type: ignore[attr-defined]  # noqa: B018
    assert list(inspect.signature(lp.zeros).parameters) == ["shape", "dtype", "device", "stream"]
    assert list(inspect.signature(lp.Stream().record).parameters) == ["event", "timing"]
    assert inspect.isroutine(lp.zeros)
    assert inspect.getdoc(lp.Array.to_numpy)
    frames = []
    seen = _tracebacks.boundary(lambda value, *, more: frames.append((sys._getframe(1), value, more)))
    seen(1, more=2)
    assert frames == [(sys._getframe(), 1, 2)]  # it has no frame of its own


PROGRAM = """
import launchpath as lp
def call():
    lp.zeros(-1)
call()
"""


def lines(value: str) -> str:
    environment = {**os.environ, "LAUNCHPATH_TRACEBACK": value}
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 1
    return done.stderr


@pytest.mark.processes
def test_a_variable_keeps_everything() -> None:
    assert lines("").count("File ") == 2
    full = lines("full")
    assert full.count("File ") > 3
    assert str(Path("_memory", "creation.py")) in full


@pytest.mark.processes
def test_another_value_of_the_variable_is_refused() -> None:
    assert "LAUNCHPATH_TRACEBACK: expected 'full', or nothing, got 'long'" in lines("long")
