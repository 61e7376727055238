"""Modules, launches and hipRTC."""

import ctypes
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from tests.threads import apart

from .calls import fails, ok

SOURCE = rb"""
extern "C" __global__ void mixed(float a, int b, short c, int d, float e, float *out) {
    if (threadIdx.x == 0) { out[0] = a; out[1] = b; out[2] = c; out[3] = d; out[4] = e; }
}
template <class T, int N> __global__ void scale(T *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= N;
}
extern "C" __global__ void nothing() {}
__device__ int counters[4];
#ifdef WRONG
__global__ void wrong() { undeclared = 1; }
#endif
extern "C" __global__ void blocks(float *out) { if (blockIdx.x == 0) out[0] = gridDim.x; }
"""


def log_of(program):
    from launchpath import hiprtc

    log = bytearray(ok(hiprtc.hiprtcGetProgramLogSize(program)))
    ok(hiprtc.hiprtcGetProgramLog(program, log))
    assert log.endswith(b"\0")
    return log[:-1].decode()


@pytest.fixture
def compiled(hip):
    """Return a program of hipRTC's, compiled."""
    from launchpath import hiprtc

    program = ok(hiprtc.hiprtcCreateProgram(SOURCE, b"tests.hip", 0, None, None))
    ok(hiprtc.hiprtcAddNameExpression(program, b"scale<float, 3>"))
    options = [b"-DUNUSED=1", b"--offload-arch=gfx90a", b"-ffp-contract=off"]
    ok(hiprtc.hiprtcCompileProgram(program, len(options), options))
    yield program
    ok(hiprtc.hiprtcDestroyProgram(program))


@pytest.fixture
def module(hip, compiled):
    """Return a module."""
    from launchpath import hiprtc

    code = bytearray(ok(hiprtc.hiprtcGetCodeSize(compiled)))
    ok(hiprtc.hiprtcGetCode(compiled, code))
    handle = ok(hip.hipModuleLoadData(code))
    yield handle
    hip.hipModuleUnload(handle)


@pytest.fixture
def out(hip, made):
    """Return memory for 5 floats."""
    return made(hip.hipMalloc(20))


def values(hip, memory, count=5):
    result = np.zeros(count, "f4")
    ok(hip.hipMemcpyDtoH(result, memory, 4 * count))
    return result.tolist()


def test_values_are_padded_as_the_kernel_takes_them(hip, module, out):
    mixed = ok(hip.hipModuleGetFunction(module, b"mixed"))
    extra = (ctypes.c_float(1.5), ctypes.c_int(2), ctypes.c_short(-3), ctypes.c_int(4), ctypes.c_float(5.5), out)
    ok(hip.hipModuleLaunchKernel(mixed, *hip.dim3(x=1), *hip.dim3(x=32), extra=extra))
    assert values(hip, out) == [1.5, 2, -3, 4, 5.5]


def test_arguments_by_pointers_may_change_after_the_call(hip, module, out):
    mixed = ok(hip.hipModuleGetFunction(module, "mixed"))
    a, b, c, d, e = ctypes.c_float(1), ctypes.c_int(2), ctypes.c_short(3), ctypes.c_int(4), ctypes.c_float(5)
    pointer = ctypes.c_void_p(int(out))
    parameters = tuple(map(ctypes.addressof, (a, b, c, d, e, pointer)))
    ok(hip.hipModuleLaunchKernel(mixed, 1, 1, 1, 1, 1, 1, 0, None, parameters, None))
    a.value = b.value = c.value = d.value = e.value = 99
    assert values(hip, out) == [1, 2, 3, 4, 5]
    array = (ctypes.c_void_p * 6)(*parameters)
    ok(hip.hipModuleLaunchKernel(mixed, 1, 1, 1, 1, 1, 1, 0, None, ctypes.addressof(array), None))
    assert values(hip, out) == [99] * 5


def test_an_instance_of_a_template(hip, module, compiled, made):
    from launchpath import hiprtc

    name = ok(hiprtc.hiprtcGetLoweredName(compiled, b"scale<float, 3>"))
    scale, memory = ok(hip.hipModuleGetFunction(module, name)), made(hip.hipMalloc(400))
    ok(hip.hipMemcpyHtoD(memory, np.arange(100, dtype="f4"), 400))
    stream = made(hip.hipStreamCreate())
    for _ in range(2):
        ok(hip.hipModuleLaunchKernel(scale, 4, 1, 1, 32, 1, 1, 0, stream, None, (memory, ctypes.c_int(100))))
    assert values(hip, memory, 100) == [9 * i for i in range(100)]
    fails(hiprtc.hiprtcGetLoweredName(compiled, b"scale<int, 3>"), "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID")
    fails(hiprtc.hiprtcAddNameExpression(compiled, b"x"), "HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION")


def test_what_a_launch_refuses(hip, module, out):
    mixed, nothing = (ok(hip.hipModuleGetFunction(module, name)) for name in (b"mixed", b"nothing"))

    def launch(function=nothing, grid=(1, 1, 1), block=(1, 1, 1), **more):
        return hip.hipModuleLaunchKernel(function, *grid, *block, **more)

    ok(launch())
    fails(launch(kernelParams=(), extra=()), "hipErrorInvalidValue")
    fails(launch(grid=(0, 1, 1)), "hipErrorInvalidValue")
    fails(launch(block=(1, 0, 1)), "hipErrorInvalidConfiguration")
    fails(launch(block=(1 << 20, 1, 1)), "hipErrorInvalidConfiguration")
    fails(launch(mixed), "hipErrorInvalidValue")
    fails(launch(mixed, extra=(out,)), "hipErrorInvalidValue")
    wrong = (ctypes.c_float(1), ctypes.c_longlong(2), ctypes.c_short(3), ctypes.c_int(4), ctypes.c_float(5), out)
    fails(launch(mixed, extra=wrong), "hipErrorInvalidValue")
    assert "b: expected 4 bytes, got 8" in hip.reason()
    fails(launch(out), "hipErrorInvalidHandle")


def test_two_threads_launch_a_function_with_their_own_configurations(hip, module, out, made):
    blocks, stream = ok(hip.hipModuleGetFunction(module, b"blocks")), made(hip.hipStreamCreate())
    results = []

    def launch(count):
        results.append(hip.hipModuleLaunchKernel(blocks, count, 1, 1, 1, 1, 1, 0, stream, None, (out,)))

    class Three(int):
        """3; while it is compared with the last configuration's, another thread launches."""

        __hash__ = int.__hash__

        def __eq__(self, other):
            if isinstance(other, Three):
                apart(lambda: launch(7))
            return int(self) == int(other)

    launch(Three(3))
    launch(Three(3))
    assert len(results) == 3
    for result in results:
        ok(result)
    ok(hip.hipStreamSynchronize(stream))
    assert values(hip, out, 1) == [3]


def test_globals(hip, module):
    address, size = ok(hip.hipModuleGetGlobal(module, b"counters"))
    assert size == 16
    result = np.zeros(4, "i4")
    ok(hip.hipMemcpy(int(address), np.arange(4, dtype="i4"), 16, hip.hipMemcpyKind.hipMemcpyHostToDevice))
    ok(hip.hipMemcpy(result, int(address), 16, hip.hipMemcpyKind.hipMemcpyDeviceToHost))
    assert result.tolist() == [0, 1, 2, 3]
    fails(hip.hipModuleGetGlobal(module, b"others"), "hipErrorNotFound")


def test_modules_that_are_not_there(hip, module, tmp_path):
    fails(hip.hipModuleGetFunction(module, b"others"), "hipErrorNotFound")
    fails(hip.hipModuleLoad(str(tmp_path / "none.co").encode()), "hipErrorFileNotFound")
    fails(hip.hipModuleLoadData(b"no program"), "hipErrorInvalidImage")
    fails(hip.hipModuleLoadData(1234), "hipErrorInvalidValue")
    function = ok(hip.hipModuleGetFunction(module, b"nothing"))
    assert int(ok(hip.hipModuleGetFunction(module, b"nothing"))) == int(function)
    ok(hip.hipModuleUnload(module))
    fails(hip.hipModuleUnload(module), "hipErrorInvalidHandle")
    fails(hip.hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1), "hipErrorInvalidHandle")


def test_a_module_of_a_file(hip, compiled, tmp_path, made):
    from launchpath import hiprtc

    code = bytearray(ok(hiprtc.hiprtcGetCodeSize(compiled)))
    ok(hiprtc.hiprtcGetCode(compiled, code))
    path = tmp_path / "tests.hsaco"
    path.write_bytes(code)
    module = made(hip.hipModuleLoad(str(path).encode()))
    assert ok(hip.hipModuleGetFunctionCount(module)) >= 2


def test_fast_math_is_that_of_compile(hip):
    from launchpath import hiprtc
    from launchpath.hip import _rtc

    options = [b"-ffast-math", b"-ffp-contract=off", b"-DUNUSED=1"]
    program = ok(hiprtc.hiprtcCreateProgram(SOURCE, b"tests.hip", 0, [], []))
    ok(hiprtc.hiprtcCompileProgram(program, len(options), options))
    assert _rtc._programs.find(program).compiled._compilation.options == "-DUNUSED=1 --use_fast_math --fmad=false"
    ok(hiprtc.hiprtcDestroyProgram(program))


def test_the_log_names_ignored_options_after_a_success_too(hip, compiled):
    expected = "hiprtc: warning: option '--offload-arch=gfx90a' is ignored: the program is compiled for the device\n"
    assert log_of(compiled).startswith(expected)


def test_a_source_that_does_not_compile(hip):
    from launchpath import hiprtc

    program = ok(hiprtc.hiprtcCreateProgram(SOURCE, b"tests.hip", 0, [], []))
    fails(hiprtc.hiprtcGetCodeSize(program), "HIPRTC_ERROR_INVALID_PROGRAM")
    fails(hiprtc.hiprtcGetLoweredName(program, b"x"), "HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION")
    fails(hiprtc.hiprtcCompileProgram(program, 2, [b"-D", b"WRONG"]), "HIPRTC_ERROR_COMPILATION")
    assert "tests.hip:12" in log_of(program)
    fails(hiprtc.hiprtcCompileProgram(program, 1, [b"--nonsense"]), "HIPRTC_ERROR_INVALID_OPTION")
    assert "hiprtc: error: unrecognized option '--nonsense'" in log_of(program)
    fails(hiprtc.hiprtcCompileProgram(program, 1, [b"-D"]), "HIPRTC_ERROR_INVALID_OPTION")
    assert "option '-D': expected a value, got none" in log_of(program)
    ignored = [b"--offload-arch=gfx90a", b"-O3", b"-D", b"WRONG"]
    fails(hiprtc.hiprtcCompileProgram(program, 4, ignored), "HIPRTC_ERROR_COMPILATION")
    lines = log_of(program).splitlines()
    assert lines[0].startswith(
        "hiprtc: warning: option '--offload-arch=gfx90a' is ignored: the program is compiled for the device"
    )
    assert lines[1].startswith("hiprtc: warning: option '-O3' is ignored") and lines[2] == "tests.hip does not compile:"
    fails(hiprtc.hiprtcGetProgramLog(program, bytearray(1)), "HIPRTC_ERROR_INVALID_INPUT")
    ok(hiprtc.hiprtcDestroyProgram(program))
    fails(hiprtc.hiprtcDestroyProgram(program), "HIPRTC_ERROR_INVALID_PROGRAM")
    fails(hiprtc.hiprtcCreateProgram(None, b"x", 0, None, None), "HIPRTC_ERROR_INVALID_INPUT")
    fails(hiprtc.hiprtcCreateProgram(SOURCE, b"x", 1, [], []), "HIPRTC_ERROR_INVALID_INPUT")


def test_the_handle_of_a_destroyed_program_names_no_later_program(hip):
    from launchpath import hiprtc

    def create():
        return ok(hiprtc.hiprtcCreateProgram(SOURCE, b"tests.hip", 0, None, None))

    destroyed = [create() for _ in range(10)]
    for program in destroyed:
        ok(hiprtc.hiprtcDestroyProgram(program))
    later = [create() for _ in range(10)]
    for program in destroyed:
        fails(hiprtc.hiprtcGetProgramLogSize(program), "HIPRTC_ERROR_INVALID_PROGRAM")
        fails(hiprtc.hiprtcDestroyProgram(program), "HIPRTC_ERROR_INVALID_PROGRAM")
    for program in later:
        ok(hiprtc.hiprtcDestroyProgram(program))


def test_a_failure_of_hiprtcs_is_no_error_of_hips(hip):
    from launchpath import hiprtc

    fails(hip.hipMalloc(-1), "hipErrorInvalidValue")
    reason = hip.reason()
    fails(hiprtc.hiprtcDestroyProgram(None), "HIPRTC_ERROR_INVALID_PROGRAM")
    ok(hiprtc.hiprtcGetErrorString(0))
    assert hip.reason() == reason
    assert hip.hipExtGetLastError()[0] == hip.hipGetLastError()[0] == hip.hipError_t.hipErrorInvalidValue


def test_headers_as_text(hip):
    from launchpath import hiprtc

    source = b'#include "deep/more.h"\n'
    header = b'extern "C" __global__ void more() {}'
    program = ok(hiprtc.hiprtcCreateProgram(source, b"main.hip", 1, [header], [b"deep/more.h"]))
    ok(hiprtc.hiprtcCompileProgram(program, 0, None))
    ok(hiprtc.hiprtcDestroyProgram(program))


def test_results_have_names(hip):
    from launchpath import hiprtc

    assert ok(hiprtc.hiprtcGetErrorString(hiprtc.hiprtcResult.HIPRTC_ERROR_LINKING)) == b"HIPRTC_ERROR_LINKING"
    assert ok(hiprtc.hiprtcGetErrorString(777)) == b"Invalid HIPRTC error code"
    assert ok(hiprtc.hiprtcVersion()) == (hip.HIP_VERSION_MAJOR, hip.HIP_VERSION_MINOR)


PROGRAM = """
import sys
from {package} import hip, hiprtc
assert hip.__name__ == "{module}" and hiprtc.__name__ == "launchpath.hiprtc"
error, memory = hip.hipMalloc(64)
assert error == hip.hipError_t.hipSuccess and hip.hipFree(memory)[0] == 0
print("ok", *sys.argv[1:])
"""


@pytest.mark.parametrize(("package", "module"), [("hip", "hip.hip"), ("rocm.bindings", "launchpath.hip")])
def test_a_program_for_hip_python_runs_unchanged(package, module, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(PROGRAM.format(package=package, module=module)))
    command = [sys.executable, "-m", "launchpath.hip", str(program), "a", "-b"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout.strip()) == (0, "ok a -b"), done.stderr


def test_the_runner_says_how_it_is_used():
    done = subprocess.run(
        [sys.executable, "-m", "launchpath.hip"], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 1
    assert "usage: python -m launchpath.hip program.py" in done.stderr
