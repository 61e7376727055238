"""A notebook: tracebacks that end at the cell's line, results that are one output each, the progress of a compilation."""

import re
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import pytest

import launchpath as lp
from tests.patience import PATIENCE

pytestmark = [
    pytest.mark.processes,
    pytest.mark.compiles,
    pytest.mark.skipif(find_spec("ipykernel") is None, reason="there is no ipykernel"),
    pytest.mark.skipif(not lp.devices(), reason="no device"),
]

Messages = list[tuple[str, dict[str, Any]]]
BEGIN = """
import os, tempfile
import launchpath as lp
SOURCE = '''__global__ void fill(float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i;
}'''
program = lp.compile(SOURCE)
x = lp.zeros(1000, "float32")
path = os.path.join(tempfile.mkdtemp(), "t.lptrace")
with lp.trace(path, findings=True) as trace:
    for i in range(5): program.fill[4, 256](x, 1000)
    lp.synchronize()
step = lp.Step()
with step: program.fill[4, 256](x, 1000)
"""


@pytest.fixture(scope="module")
def execute() -> Iterator[Callable[[str], Messages]]:
    """Run a cell in a kernel that the module's tests share: its outputs, a kind and the content of each."""
    from jupyter_client.manager import start_new_kernel

    manager, client = start_new_kernel(startup_timeout=PATIENCE)

    def run(cell: str) -> Messages:
        shown: Messages = []

        def keep(message: dict[str, Any]) -> None:
            if message["msg_type"] in ("stream", "execute_result", "display_data", "error"):
                shown.append((message["msg_type"], message["content"]))

        client.execute_interactive(cell, timeout=PATIENCE, output_hook=keep)
        return shown

    # On a busy machine the compilation tells how far it is.
    assert [each for kind, each in run(BEGIN) if kind != "stream" or "compil" not in each["text"]] == []
    yield run
    client.stop_channels()
    manager.shutdown_kernel(now=True)


MISTAKES = [
    "program.fill[4, 256](x)",
    "lp.compile('__global__ void f(int* a) { a[0] = b; }')",
    "lp.array([1])",
    "x + 1",
    "x.sum()",
    "lp.Stream(non_blocking=True)",
    "lp.Device(0)",
    "lp.Event().record()",
    "lp.compile(path='nofile.cu')",
    "lp.read_trace('nofile.lptrace')",
]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_traceback_is_the_cells_line_and_the_message(execute: Callable[[str], Messages], mistake: str) -> None:
    ((kind, content),) = execute(f"y = 1\n{mistake}")
    assert kind == "error"
    text = re.sub("\x1b\\[[0-9;]*m", "", "\n".join(content["traceback"]))
    assert "Could not get source" not in text
    assert re.findall(r"^(?:File .*|Cell In.*)$", text, re.MULTILINE) == re.findall(
        r"^Cell In.*, line 2$", text, re.MULTILINE
    )
    assert f"----> 2 {mistake}" in text


@pytest.mark.parametrize(
    ("shown", "piece"),
    [
        ("trace.summary()", "Device.synchronize"),
        ("lp.read_trace(path).findings()", "device"),
        ("step.report()", "1 command in 1 submission"),
        ("x", "Array (1000,) float32"),
        ("lp.current_device()", "Device"),
        ("program.fill.__doc__", "float *"),
    ],
)
def test_what_is_printed_is_one_output(execute: Callable[[str], Messages], shown: str, piece: str) -> None:
    ((kind, content),) = execute(f"print({shown})")
    assert (kind, content["name"]) == ("stream", "stdout")
    assert piece in content["text"]


@pytest.mark.parametrize(
    "shown", ["trace.summary()", "step.report()", "lp.current_device()", "program", "program.fill"]
)
def test_what_is_shown_is_drawn(execute: Callable[[str], Messages], shown: str) -> None:
    ((kind, content),) = execute(shown)
    assert kind == "execute_result"
    assert {"text/html", "text/plain"} <= {*content["data"]}


def test_a_long_compilation_tells_how_far_it_is(execute: Callable[[str], Messages]) -> None:
    cell = """
from launchpath._programs import progress
before, progress._FIRST = progress._FIRST, 0.01
program = lp.compile("__global__ void f(int* a) { a[0] = %d; }" % os.getpid())
progress._FIRST = before
"""
    told = execute(cell)
    assert told
    assert all((kind, content["name"]) == ("stream", "stderr") for kind, content in told)
    assert "compiling, 0 s so far" in told[0][1]["text"]


def test_a_short_one_tells_nothing(execute: Callable[[str], Messages]) -> None:
    assert execute("p = lp.compile(SOURCE)") == []
