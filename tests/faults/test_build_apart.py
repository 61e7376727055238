"""A driver's compiler that crashes: an error, and not the end of Python."""

from pathlib import Path

import numpy as np
import pytest

import launchpath as lp
from launchpath._compiler.process import driver_build, pool
from launchpath._compiler.source.source import from_text
from launchpath._programs.builds import apart

CRASH = Path(__file__).with_name("crash.hip")
HERE = "tests.faults.compilers"
TURN = """
template <class T> __global__ void turn(T* x) {
  __shared__ T part[64];
  int t = threadIdx.x;
  part[t] = x[t];
  __syncthreads();
  x[t] = part[63 - t] + NUMBER;
}
"""
WARPS = "__global__ void shift(int* x) { __syncthreads(); x[threadIdx.x] = __shfl_up_sync(~0u, x[threadIdx.x], 1); }"


@pytest.fixture(scope="module")
def intel(device):
    if "build-apart" not in device.info["workarounds"]:
        pytest.skip("its compiler was not seen to crash")
    return device


def planted(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(pool, "DRIVER_BUILD", (HERE, name))


def turned(program: lp.Program, device: lp.Device, number: int, name: str = "turn<int>") -> bool:
    x = lp.asarray(np.arange(64, dtype="int32"), device=device)
    program[name][1, 64](x)
    return bool((x.to_numpy() == np.arange(64)[::-1] + number).all())


def compiled(device: lp.Device, number: int) -> lp.Program:
    """Compile a source of its own for each number: none is in the cache because of another."""
    return lp.compile(TURN, device, defines={"NUMBER": number}, names=["turn<int>"], name="turn.cu")


def test_a_crash_is_an_error_where_warps_are_needed(intel, monkeypatch):
    planted(monkeypatch, "build_crashes")
    with pytest.raises(lp.CompileError) as caught:
        lp.compile(WARPS, intel, name="shift.cu")
    message = str(caught.value)
    assert message.startswith("shift.cu does not compile for ")
    assert "the compiler crashed (SIGSEGV)" in message
    assert turned(compiled(intel, 11), intel, 11)


def test_a_kernel_on_which_the_compiler_crashes_is_an_error(intel):
    try:
        lp.compile(path=CRASH, device=intel)  # as a runtime without the defect does
    except lp.CompileError as error:
        assert "the compiler crashed (SIG" in str(error)
        assert "sycl-kernel-reduce-cross-barrier-values" in str(error)
    assert turned(compiled(intel, 18), intel, 18)


def test_a_crash_in_any_case_is_an_error(intel, monkeypatch):
    planted(monkeypatch, "build_always_crashes")
    with pytest.raises(lp.CompileError, match=r"the compiler crashed \(SIGABRT\)"):
        compiled(intel, 12)


def test_a_crash_of_the_optimizer_is_reported_and_worked_around(intel, monkeypatch):
    planted(monkeypatch, "build_crashes")
    program = compiled(intel, 13)
    assert "the compiler crashed (SIGSEGV)" in program.log
    assert "built without its optimizations (-cl-opt-disable)" in program.log
    assert turned(program, intel, 13)
    again = compiled(intel, 13)  # from the cache
    assert again.log == program.log
    assert turned(again, intel, 13)


def test_a_crash_at_an_instance_that_is_looked_up_later(intel, monkeypatch):
    program = compiled(intel, 14)
    assert program.log == ""
    planted(monkeypatch, "build_always_crashes")
    with pytest.raises(lp.CompileError, match=r"the compiler crashed \(SIGABRT\)"):
        program["turn<unsigned>"]
    assert turned(program, intel, 14)


def test_what_the_compiler_refuses_is_an_error_with_its_words(intel, monkeypatch):
    planted(monkeypatch, "build_is_refused")
    with pytest.raises(lp.CompileError, match="the linker's words") as caught:
        compiled(intel, 15)
    assert caught.value.log == "the linker's words"


def test_what_cannot_be_built_apart_is_built_here(intel, monkeypatch):
    planted(monkeypatch, "build_is_not_possible")
    assert turned(compiled(intel, 16), intel, 16)


def test_the_limit_ends_the_compiler(intel, monkeypatch):
    source = lp.compile(
        TURN, intel, defines={"NUMBER": 17}, name="turn.cu"
    )  # has no kernel yet, and is built apart too
    planted(monkeypatch, "build_takes_long")
    monkeypatch.setenv("LAUNCHPATH_COMPILE_TIMEOUT", "2")
    with pytest.raises(lp.CompileError, match="did not end within 2 s"):
        source["turn<int>"]


def test_a_large_kernel_without_barriers_may_crash_too(intel, monkeypatch):
    planted(monkeypatch, "build_always_crashes")
    steps = "".join(f"if (*x > {number}) *x += {number}.5f; else *x *= {number}.25f;" for number in range(40))
    with pytest.raises(lp.CompileError, match=r"the compiler crashed \(SIGABRT\)"):
        lp.compile(f"__global__ void steps(float* x) {{ {steps} }}", intel)


def test_small_kernels_without_barriers_are_built_here(intel, monkeypatch):
    planted(monkeypatch, "build_always_crashes")
    program = lp.compile("__global__ void store(int* x) { *x = 19; }", intel)
    x = lp.zeros(1, "int32", intel)
    program.store[1, 1](x)
    assert x.to_numpy()[0] == 19


def test_the_compiler_is_prepared_where_a_program_is_likely_to_be_built(intel):
    def preparation(text):
        return apart.preparation(intel, [from_text(text)])

    assert preparation("__global__ void store(int* x) { *x = 19; }") is None
    assert preparation(f"__global__ void store(int* x) {{ *x = 19; }}{' ' * 1000}") is not None
    function, arguments = preparation("__global__ void wait() { __syncthreads(); }")
    assert function == pool.DRIVER_PREPARATION
    opening, wanted, empty = arguments
    opened = pool.call((HERE, "opened"), "opened", opening, wanted, before=(function, arguments))
    assert opened == 1
    assert pool.call(pool.DRIVER_BUILD, "empty", opening, wanted, empty, "").binary
    # A preparation that fails is no failure of the compilation.
    assert pool.call((HERE, "add"), "add", 1, 2, before=((HERE, "none of this name"), ())) == 3


def test_a_library_that_is_not_there():
    opening = driver_build.Opening((), "/none/libOpenCL.so", ())
    assert driver_build.build(opening, driver_build.Device("none", "none"), b"", "") is None
