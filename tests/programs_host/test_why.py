"""`launchpath why` of a program with host code: what it says of a slow kernel."""

import json
import subprocess
import sys

import pytest

from tests.programs_host.build import Builder

pytestmark = [pytest.mark.compiles, pytest.mark.processes]

# 40 launches that return at once, of a kernel that takes milliseconds.
PROGRAM = """
#include <cuda_runtime.h>
__global__ void settle(float *a, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = a[i];
    for (int k = 0; k < rounds; k++) v = v * 0.999f + 0.001f;
    a[i] = v;
}
int main() {
    const int n = 1 << 15;
    float *a;
    cudaMalloc(&a, n * sizeof(float));
    cudaMemset(a, 0, n * sizeof(float));
    for (int k = 0; k < 40; k++) settle<<<n / 256, 256>>>(a, n, 20000);
    return cudaDeviceSynchronize();
}
"""


def test_a_kernel_that_takes_all_of_the_time_is_named_in_a_first_run(
    build: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAUNCHPATH_CACHE_DIR", str(build.folder / "cache"))  # another process compiles
    command = [sys.executable, "-m", "launchpath", "run", str(build.write("settle.cu", PROGRAM))]
    why = [sys.executable, "-m", "launchpath", "why", "--json", "why.json", "--", *command]
    done = subprocess.run(why, cwd=build.folder, check=True, capture_output=True, text=True, timeout=200)
    report = json.loads((build.folder / "why.json").read_text())
    assert report["program"] == " ".join(command) and report["processes"] == 1
    assert not any("Nothing repeats" in sentence for sentence in report["not_said"])
    [region] = report["regions"]
    assert region["bound"] == "device" and region["repetitions"] == 39
    [work, *_] = region["works"]
    assert (work["name"], work["role"]) == ("settle", "kernel") and work["share"] > 0.8
    period = region["us_repetition"]["value"]
    assert period > 20 and sum(region["us_idle"].values()) == pytest.approx((1 - region["busy"]) * period)
    text = " ".join(done.stderr.split())
    assert "device-bound. `settle` takes" in text and "Only a faster kernel, or less work for it" in text
    assert "..." not in text
