"""Shapes of published CUDA programs that depend on macros, on thrust's headers, or on names in namespaces."""

import pytest

from tests.unit.rtc import compiled, needs_nvrtc


@needs_nvrtc
@pytest.mark.parametrize("header", ["device_vector.h", "execution_policy.h", "system/cuda/execution_policy.h"])
def test_thrusts_algorithms_and_containers_in_host_code(header):
    text = f"#include <thrust/{header}>\n#include <vector>\n#include <stdexcept>\n"
    text += "struct Host { std::vector<int> of; };\n__global__ void k(float *p) { *p = std::min(1, 2); }\n"
    assert compiled(f"{text}int main() {{ k<<<1, 1>>>(0); }}").kernels
