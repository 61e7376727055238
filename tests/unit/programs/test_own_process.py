"""Compiling in the program's own process: what is compiled there, and how it is left."""

import os
import signal
import threading
from pathlib import Path

import pytest

from launchpath._compiler.compile import compile
from launchpath._compiler.image import Image
from launchpath._compiler.rtc.library import library
from launchpath._compiler.rtc.library.library import Library, Program, Result
from launchpath._compiler.source import source as sources
from launchpath._programs.builds import own_process
from launchpath.errors import CompileError
from tests.python import python
from tests.standin.build import environment
from tests.standin.client import soon
from tests.threads import at_once
from tests.unit.support.rtc import cuda, needs_nvrtc

pytestmark = needs_nvrtc

KERNEL = """
__device__ float scaled(float x, float by) { return x * by; }
extern "C" __global__ void scale(float a, const float *__restrict__ x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = scaled(x[i], a);
}
__global__ void __launch_bounds__(128) total(unsigned *x, double *y) {
    extern __shared__ double part[];
    part[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) y[0] = part[0] + part[1];
}
"""
HAS_STACK = own_process._has_stack
UNUSED = "__global__ void k(int *x) { int unused_here; x[0] = 1; }"
BROKEN = "__global__ void k(int *x) { x[0] = undeclared; }"


@pytest.fixture(autouse=True)
def from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LAUNCHPATH_COMPILE_PROCESS", raising=False)
    monkeypatch.setattr(own_process, "_has_stack", lambda: True)  # the tests may have less
    assert soon(lambda: not own_process._under_way)


def compiled(text: str, **around: object) -> Image | None:
    return own_process.compiled(sources.from_text(text, "user.cu", **around), cuda())


class Slow:
    """A compiler that waits until it may go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.go, self.ended = threading.Event(), threading.Event(), threading.Event()
        monkeypatch.setattr(Library, "compile", self)

    def __call__(self, program: Program) -> Result:
        self.begun.set()
        assert self.go.wait(60)
        self.ended.set()
        return Result(False, b"", {}, "")


@pytest.mark.compiles
@pytest.mark.parametrize("text", [KERNEL, UNUSED])
@pytest.mark.parametrize("name", ["user.cu", "user.hip"])
def test_it_is_the_image_that_another_process_makes(text: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = sources.from_text(text, name)
    monkeypatch.setattr("launchpath._compiler.rtc.bare.is_bare", lambda _: False)
    image = own_process.compiled(source, cuda())
    monkeypatch.setattr("launchpath._compiler.plain.plain.read", lambda _: None)
    assert image == compile(source, (), cuda())
    assert image is not None
    assert ("unused_here" in image.log) == (text == UNUSED)


@pytest.mark.compiles
def test_options_and_macros() -> None:
    text = "__global__ void k(float *x) { x[0] = x[1] * NUMBER + x[2]; }"
    image = compiled(text, defines={"NUMBER": 3})
    assert image == compile(sources.from_text(text, "user.cu", defines={"NUMBER": 3}), (), cuda())


@pytest.mark.compiles
@pytest.mark.parametrize(
    "text",
    [
        BROKEN,
        "struct S {}; __global__ void k(int *x) {}",
        "__global__ void exp(float x) {}",
        KERNEL + "//" + "x" * own_process._MOST,
        f"__global__ void k(int *x) {{ x[0] = {'!' * 4000}x[1]; }}",
        f"__global__ void k(int *x) {{ x[0] = {'x[1] ? 1 : ' * 100}0; }}",
        f"__global__ void k(int *x) {{ {'if (x[0]) ' * 100}x[0] = 1; }}",
    ],
)
def test_what_another_process_compiles(text: str) -> None:
    assert compiled(text) is None


@pytest.mark.parametrize(
    ("own", "limit", "here"), [(0, 8 << 20, True), (0, 1 << 20, False), (0, -1, False), (1 << 20, 8 << 20, False)]
)
def test_threads_with_small_stacks(own: int, limit: int, here: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("_thread.stack_size", lambda: own)
    monkeypatch.setattr("resource.getrlimit", lambda _: (limit, -1))
    assert HAS_STACK() == here


@pytest.mark.compiles
@pytest.mark.parametrize(("where", "here"), [("1", False), ("0", False), ("", True)])
def test_where_is_what_the_user_says(where: str, here: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAUNCHPATH_COMPILE_PROCESS", where)
    assert (compiled(KERNEL) is not None) == here


def test_others_are_compiled_elsewhere_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(monkeypatch)
    first = threading.Thread(target=compiled, args=(KERNEL,))
    first.start()
    assert slow.begun.wait(60)
    assert compiled(KERNEL) is None
    slow.go.set()
    first.join()
    assert not own_process._under_way


@pytest.mark.compiles
def test_threads_compile_at_the_same_time() -> None:
    images: list[Image | None] = []
    together = threading.Barrier(4)

    def work() -> None:
        together.wait()
        images.append(compiled(KERNEL))

    at_once(lambda _: work(), range(4))
    there = [image for image in images if image is not None]
    assert len(images) == 4
    assert there
    assert all(image == there[0] for image in there)


def test_an_interrupt_gets_out_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(monkeypatch)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupt() -> None:
        slow.begun.wait(60)
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=interrupt)
    sender.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            compiled(KERNEL)
    finally:
        sender.join()
        signal.signal(signal.SIGINT, before)
    assert not slow.ended.is_set()
    assert compiled(KERNEL) is None, "NVRTC works still"
    slow.go.set()
    assert slow.ended.wait(60)


def test_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(monkeypatch)
    monkeypatch.setenv("LAUNCHPATH_COMPILE_TIMEOUT", "0.2")
    with pytest.raises(CompileError, match=r"user\.cu: NVRTC did not end within 0\.2 s: .* continues in this process"):
        compiled(KERNEL)
    slow.go.set()
    assert slow.ended.wait(60)


def test_a_library_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_self: Library, _program: Program) -> Result:
        raise CompileError("nvrtcCreateProgram failed")

    monkeypatch.setattr(library.Library, "compile", fail)
    assert compiled(KERNEL) is None


PROGRAM = f"""
import dataclasses, os, re, sys, threading
import launchpath as lp
KERNEL, BROKEN, UNUSED = {KERNEL!r}, {BROKEN!r}, {UNUSED!r}
device = lp.devices()[0]
def children():
    with open(f"/proc/self/task/{{os.getpid()}}/children") as file:
        return len(file.read().split())
before = {{*sys.modules}}
def made(is_slow):
    "What takes long to make, of modules that were imported since."
    new = [module for name, module in sys.modules.items() if name not in before and name.startswith("launchpath.")]
    own = [(module, name, value) for module in new for name, value in vars(module).items()]
    return [f"{{module.__name__}}.{{name}}" for module, name, value in own
            if is_slow(value) and getattr(value, "__module__", module.__name__) == module.__name__]
"""
HERE = """
program = lp.compile(KERNEL, device)
print(program.scale, program.total, children())
slow = {"clang", "launchpath._compiler.extraction.clang", "launchpath._compiler.llvm_text.build", "launchpath._compiler.process.pool",
        "launchpath._compiler.rtc.library.linker", "launchpath._compiler.source.unreadable"}
print(sorted(slow & sys.modules.keys()), made(dataclasses.is_dataclass))
pid = os.fork()
if not pid:
    try:
        lp.compile(UNUSED, device)
    except lp.LaunchpathError as error:
        print(error, flush=True)
    os._exit(0)
os.waitpid(pid, 0)
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(lp.compile(UNUSED, device, name="unused.cu").log, [str(each.message) for each in caught])
try:
    lp.compile(BROKEN, device)
except lp.CompileError as error:
    print(error, error.log)
print(children())
"""
AGAIN = """
lp.compile(KERNEL, device)
print(sorted({"launchpath._compiler.plain.plain", "launchpath._compiler.source.text"} & sys.modules.keys()))
print(made(lambda value: dataclasses.is_dataclass(value) or isinstance(value, re.Pattern)))
"""


@pytest.fixture
def run(tmp_path: Path):
    def ran(text: str, **variables: str) -> list[str]:
        around = environment("cuda", devices=1) | {"LAUNCHPATH_CACHE_DIR": str(tmp_path), "LAUNCHPATH_CACHE": "1"}
        # A forked process would print once more what its parent has not written out.
        around |= {"PYTHONUNBUFFERED": "1", **variables}
        return python("-c", PROGRAM + text, env=around).stdout.splitlines()

    return ran


@pytest.mark.processes
def test_a_program(run, tmp_path: Path) -> None:
    kernels, slow, forked, *rest, count = run(HERE)
    assert kernels.endswith(" 0"), "without a process"
    assert slow == "[] []"
    assert "forked" in forked
    assert count == "1", "the message is another process's"
    assert run(AGAIN) == ["[]", "[]"], "it is in the cache"
    (tmp_path / "other").mkdir()
    other = run(HERE, LAUNCHPATH_COMPILE_PROCESS="1", LAUNCHPATH_CACHE_DIR=str(tmp_path / "other"))
    assert other[0].endswith(" 1")
    assert other[3:-1] == rest, "the same messages"
    assert any("undeclared" in line for line in rest)
