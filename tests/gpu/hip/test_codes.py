"""Codes of the library's errors: HIP's have the numbers of CUDA's."""

from importlib.util import find_spec

import pytest

from tests.hip_api.calls import fails, ok

if find_spec("rocm") is None:  # there are no wheels of HIP's types for this platform
    pytest.skip("HIP's types are not installed", allow_module_level=True)

from launchpath import hip
from launchpath.hip._devices import current


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (1, "hipErrorInvalidValue"),
        (2, "hipErrorOutOfMemory"),
        (700, "hipErrorIllegalAddress"),
        (719, "hipErrorLaunchFailure"),
        (720, "hipErrorCooperativeLaunchTooLarge"),
        (801, "hipErrorNotSupported"),
        (999, "hipErrorUnknown"),
        (4321, "hipErrorUnknown"),
    ],
)
def test_an_error_of_the_library_has_its_code(gpu, code, name):
    current.choose(gpu.device)
    memory = ok(hip.hipMalloc(64))
    gpu.control.fail("cuMemsetD8Async", code)
    fails(hip.hipMemset(memory, 1, 64), name)
    gpu.control.forgive()
    ok(hip.hipFree(memory))
    current.choose(None)
