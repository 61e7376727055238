"""The package ``hip`` of hip-python, which `python -m launchpath.hip` has launchpath stand in for."""

import subprocess
import sys

import pytest

from tests.python import python

# As AMD's guide of hip-python compiles a kernel: the architecture is bytes, and the program goes by its reference.
COMPILED = """
import numpy
from hip import hip, hiprtc

def check(result):
    error, *outputs = result
    assert error == type(error)(0), error
    return outputs[0] if len(outputs) == 1 else outputs

source = b'extern "C" __global__ void one(int *x) { *x = 1; }'
program = check(hiprtc.hiprtcCreateProgram(source, b"one", 0, [], []))
properties = hip.hipDeviceProp_t()
check(hip.hipGetDeviceProperties(properties, 0))
for name in sorted(properties.PROPERTIES()):
    getattr(properties, name)
options = [b"--offload-arch=" + properties.gcnArchName]
check(hiprtc.hiprtcCompileProgram(program, len(options), options))
code = bytearray(check(hiprtc.hiprtcGetCodeSize(program)))
check(hiprtc.hiprtcGetCode(program, code))
module = check(hip.hipModuleLoadData(code))
kernel = check(hip.hipModuleGetFunction(module, b"one"))
memory = check(hip.hipMalloc(4))
check(hip.hipModuleLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, None, None, (memory,)))
x = numpy.zeros(1, "int32")
check(hip.hipMemcpy(x, memory, 4, hip.hipMemcpyKind.hipMemcpyDeviceToHost))
check(hip.hipFree(memory))
check(hip.hipModuleUnload(module))
check(hiprtc.hiprtcDestroyProgram(program.createRef()))
assert hiprtc.hiprtcDestroyProgram(program)[0] != hiprtc.hiprtcResult.HIPRTC_SUCCESS
print(x[0], type(properties.name).__name__, type(properties.gcnArchName).__name__)
"""
NEWER = """
from rocm.bindings import hip
import hip as package
properties = hip.hipDeviceProp_t()
hip.hipGetDeviceProperties(properties, 0)
print(type(properties.name).__name__, hip.__name__, package.hip.hipError_t is hip.hipError_t)
"""
LACKING = """
import hip
for name in ("hipblas", "rccl"):
    try:
        exec(f"from hip import {name}")
    except ImportError as error:
        print(error.name, error)
for name in ("hiprtt", "__wrapped__"):
    assert not hasattr(hip, name)
try:
    from hip import hiprtt
except ImportError as error:
    print(error)
from hip import hip as runtime
print({"hipMalloc", "hipDeviceProp_t"} <= set(dir(runtime)), hasattr(runtime, "hipNothing"))
"""


def run(text, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(text)
    return python("-m", "launchpath.hip", program).stdout.splitlines()


@pytest.mark.compiles
def test_amds_way_to_compile_for_the_device(tmp_path):
    assert run(COMPILED, tmp_path) == ["1 bytes bytes"]


def test_the_newer_bindings_keep_their_texts(tmp_path):
    assert run(NEWER, tmp_path) == ["str launchpath.hip True"]


def test_what_the_package_lacks(tmp_path):
    blas, rccl, unknown, names = run(LACKING, tmp_path)
    assert blas == (
        "hip.hipblas launchpath has hip and hiprtc of the package 'hip', got 'hipblas', a library of AMD's: use a kernel, "
        "or NumPy, CuPy or torch for that part"
    )
    assert rccl.startswith("hip.rccl launchpath has hip and hiprtc")
    assert unknown.startswith("cannot import name 'hiprtt' from 'hip' (") and "unknown location" not in unknown
    assert names == "True False"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--help"], 0, "Runs a program that was written for hip-python"),
        (["-h"], 0, "usage: python -m launchpath.hip program.py [arguments]"),
        (["--device", "x.py"], 1, "expected a program's file, got the option '--device'"),
        (["nothing.py"], 1, "expected a program's file, got 'nothing.py', which does not exist"),
    ],
)
def test_the_command_line(words, code, message, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "launchpath.hip", *words],
        capture_output=True, text=True, check=False, timeout=120, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == code
    assert message in (done.stderr if code else done.stdout)
    assert "Traceback" not in done.stderr
