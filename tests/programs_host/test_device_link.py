"""Programs whose files use each other's device code, and files before a source."""

import os
import shutil

import pytest

pytestmark = [pytest.mark.compiles, pytest.mark.processes]

FUNCTIONS = """
#include "shared.h"
static __device__ int own = 3;
static __global__ void keep(int by) { own += by; }
int own_of_functions() {
  int value = 0;
  keep<<<1, 1>>>(4);
  cudaMemcpyFromSymbol(&value, own, sizeof(int));
  return value;
}
__device__ int counter = 5;
__device__ int twice(int x) { return 2 * x; }
__global__ void count(int by) { counter += by; }
"""
MAIN = """
#include "shared.h"
#include <cstdio>
static __device__ int own = 30;
int own_of_functions();
__global__ void use(int *to) { *to = twice(counter) + SCALE; }
int main() {
  int *to, value = 0;
  cudaMalloc(&to, sizeof(int));
  count<<<1, 1>>>(2);
  use<<<1, 1>>>(to);
  if (cudaMemcpy(&value, to, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  int counted = 0, mine = 0;
  cudaMemcpyFromSymbol(&mine, own, sizeof(int));
  if (own_of_functions() != 7 || mine != 30) return 2;
  cudaMemcpyFromSymbol(&counted, counter, sizeof(int));
  printf("%d %d %s\\n", value, counted, cudaGetErrorString(cudaGetLastError()));
}
"""
SHARED = """
#pragma once
#ifndef SCALE
#define SCALE 100
#endif
extern __device__ int counter;
__device__ int twice(int);
__global__ void count(int);
"""


@pytest.fixture
def files(build):
    build.write("shared.h", SHARED)
    build.write("functions.cu", FUNCTIONS)
    build.write("main.cu", MAIN)
    return build


@pytest.mark.parametrize(
    "commands",
    [
        ("-rdc=true functions.cu main.cu -o app",),
        ("-fgpu-rdc -c functions.cu", "-fgpu-rdc -c main.cu", "-fgpu-rdc main.o functions.o -o app"),
        ("-dc functions.cu", "-dc main.cu", "-dlink functions.o main.o -o link.o", "functions.o main.o link.o -o app"),
    ],
    ids=["at-once", "hipcc", "nvcc"],
)
def test_device_functions_variables_and_kernels_of_another_file(files, commands):
    for command in commands:
        files(*command.split())
    assert files.run("app") == "114 7 no error\n"


def test_a_program_goes_elsewhere_without_its_sources(files, tmp_path):
    files("-rdc=true", "functions.cu", "main.cu", "-o", "app")
    for name in ("functions.cu", "main.cu", "shared.h"):
        os.unlink(tmp_path / name)
    shutil.move(tmp_path / "app", tmp_path / "moved")
    assert files.run("moved") == "114 7 no error\n"


def test_what_no_file_defines_is_told_when_the_program_needs_it(files, capfd):
    files("-rdc=true", "main.cu", "-x", "cu", "-c", "-o", "main.o")
    files.write(
        "other.cu",
        '#include "shared.h"\n__device__ int counter = 5;\n__global__ void count(int by) {}\n'
        "int own_of_functions() { return 7; }\n",
    )
    files("-rdc=true", "-c", "other.cu")
    files("main.o", "other.o", "-o", "app")
    done = files.result("app")
    assert "twice" in done.stderr and "main.cu" in done.stderr
    assert done.returncode == 1 or "no error" not in done.stdout


def test_files_with_other_options_are_refused(files):
    files("-rdc=true", "-DSCALE=3", "-c", "main.cu")
    files("-rdc=true", "-c", "functions.cu")
    files("main.o", "functions.o", "-o", "app")
    assert "expected the same options for files that use each other's device code" in files.result("app").stderr


def test_without_the_option_another_files_function_is_refused(files):
    assert "'counter' is declared and used, but not defined" in files.fails("-c", "main.cu")


def test_a_file_before_the_source(build):
    build.write("first.h", "#define VALUE 42\n__device__ inline int plus(int x) { return x + 1; }\n")
    build.write(
        "main.cu",
        "#include <cstdio>\n__global__ void set(int *to) { *to = plus(VALUE); }\n"
        "int main() { int *to; cudaMallocManaged(&to, 4); set<<<1, 1>>>(to); cudaDeviceSynchronize();\n"
        '  printf("%d\\n", *to + VALUE); }\n',
    )
    build("-include", "first.h", "main.cu", "-o", "app")
    assert build.run("app") == "85\n"
    build.write("first.h", "#define VALUE 1\n__device__ inline int plus(int x) { return x + 2; }\n")
    build("-include", "first.h", "main.cu", "-o", "app")
    assert build.run("app") == "4\n"


def test_a_file_of_device_functions_alone(files):
    files.write("more.cu", '#include "more.h"\n__host__ __device__ int thrice(int x) { return 3 * x; }\n')
    files.write("more.h", "__host__ __device__ int thrice(int);\n")
    files.write(
        "one.cu",
        '#include "more.h"\n#include <cstdio>\n__global__ void use(int *to, int n) { if (*to < n) *to = thrice(*to); }\n'
        "int main() { int *to; cudaMallocManaged(&to, sizeof *to); *to = 2; use<<<1, 1>>>(to, 9);\n"
        '  cudaDeviceSynchronize(); printf("%d %d\\n", *to, thrice(5)); }\n',
    )
    files("-dc", "more.cu")
    files("-dc", "one.cu")
    files("more.o", "one.o", "-o", "app")
    assert files.run("app") == "6 15\n"
