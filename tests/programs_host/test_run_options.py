"""Options of ``launchpath run`` that the compiler driver takes."""

import subprocess
import sys

import pytest

from tests.programs_host.build import Builder

pytestmark = [pytest.mark.compiles, pytest.mark.processes]


def test_the_language_of_a_source(build: Builder) -> None:
    build.write("a.cpp", "__global__ void f(int *x) { *x = 7; }\n#include <cuda_runtime.h>\nint main() {"
                " int *x, y; cudaMalloc(&x, 4); f<<<1, 1>>>(x); cudaMemcpy(&y, x, 4, cudaMemcpyDeviceToHost); return y; }")  # fmt: skip
    command = [sys.executable, "-m", "launchpath", "run", "-x", "cu", "a.cpp"]
    done = subprocess.run(command, cwd=build.folder, check=False, capture_output=True, text=True, timeout=100)
    assert done.returncode == 7, done.stderr
