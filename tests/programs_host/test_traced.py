"""Traces of programs with host code: they have an end, as the program has."""

import subprocess
import sys

import pytest

import launchpath as lp
from tests.programs_host.build import Builder

pytestmark = [pytest.mark.compiles, pytest.mark.processes]

PROGRAM = """
#include <cuda_runtime.h>
__global__ void halve(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] *= 0.5f; }
int main() {
    float *a;
    cudaMalloc(&a, 4000);
    for (int k = 0; k < 20; k++) halve<<<4, 256>>>(a, 1000);
    return cudaDeviceSynchronize();
}
"""


@pytest.mark.parametrize("way", ["trace", "run", "linked"])
def test_each_launch_has_its_times(build: Builder, way: str) -> None:
    source = build.write("halve.cu", PROGRAM)
    launchpath = [sys.executable, "-m", "launchpath"]
    command = [*launchpath, "run", source]
    if way == "linked":
        build(source, "-o", "halve")
        command = ["./halve"]
    command = [*launchpath, "run", "--trace", "a.lptrace", source] if way == "run" else [
        *launchpath, "trace", "--findings", "-o", "a.lptrace", "--", *command,
    ]  # fmt: skip
    subprocess.run(command, cwd=build.folder, check=True, capture_output=True, timeout=100)
    summary = lp.read_trace(build.folder / "a.lptrace").summary()
    assert "without an end" not in str(summary)
    assert [(entry.name, entry.calls) for entry in summary.kernels] == [("halve", 20)]
    report = lp.read_trace(build.folder / "a.lptrace").findings()
    assert all(not finding.sites for finding in [*report.findings, *report.hidden])  # the runner's are not its own
    assert "Python" not in str(report)


COST = """
#include <chrono>
#include <cstdio>
#include <cuda_runtime.h>
__global__ void touch(float *a) { a[threadIdx.x] += 1; }
int main() {
    float *a;
    cudaMalloc(&a, 1024);
    double least = 1e9;
    for (int turn = 0; turn < 20; turn++) {
        auto begin = std::chrono::steady_clock::now();
        for (int k = 0; k < 100; k++) touch<<<1, 8>>>(a);
        std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
        if (took.count() / 100 < least) least = took.count() / 100;
        cudaDeviceSynchronize();
    }
    printf("%f", least);
}
"""


@pytest.mark.times
def test_a_traced_launch_costs_no_way_through_python(build: Builder) -> None:
    """Which takes 40 us and more: 15 are between that and a few, on a slow machine too."""
    source, launchpath = build.write("cost.cu", COST), [sys.executable, "-m", "launchpath"]
    for trace in ["trace", "--mode", "host"], ["trace", "--findings"]:
        command = [*launchpath, *trace, "-o", "a.lptrace", "--", *launchpath, "run", source]
        done = subprocess.run(command, cwd=build.folder, check=True, capture_output=True, timeout=100, text=True)
        assert float(done.stdout) < 15
