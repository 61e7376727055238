"""What only launchpath knows of a failure is written: a program, as it is, has a code and tells no more."""

import pytest

from tests.programs_host.build import Builder

pytestmark = [pytest.mark.compiles, pytest.mark.processes]

FILL = """
#include <cstdio>
#include <cuda_runtime.h>
__global__ void fill(int *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) a[i] = i;
}
int main() {
    int *a, b[1000];
    if (cudaMalloc(&a, 1000 * 4)) return 4;
    fill<<<4, 256>>>(a, 1000);
    cudaMemcpy(b, a, 4000, cudaMemcpyDeviceToHost);
    return cudaGetLastError() == cudaErrorIllegalAddress ? 3 : 0;
}
"""


@pytest.mark.parametrize(
    ("name", "value", "code", "text"),
    [
        ("LAUNCHPATH_DEBUG", "bounds", 3, "fill.cu:6:22: kernel 'fill': write of 4 bytes outside of array 'a'"),
        ("LAUNCHPATH_DEBUG", "1", 4, "launchpath: LAUNCHPATH_DEBUG: expected 'bounds', or nothing, got '1'"),
        ("LAUNCHPATH_DEVICE", "nonesuch", 4, "launchpath: no device 'nonesuch'"),
    ],
)
def test_a_program_without_checks(
    build: Builder, monkeypatch: pytest.MonkeyPatch, name: str, value: str, code: int, text: str
) -> None:
    build(build.write("fill.cu", FILL), "-o", "fill")
    monkeypatch.setenv(name, value)
    result = build.result("fill")
    assert result.returncode == code
    assert result.stderr.count(text) == 1
