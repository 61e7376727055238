"""The CUDA library's linker, from the core: several binaries become one, which is loaded."""

import pytest

import launchpath as lp
from tests.unit.support import binaries

PARTS = [("first.ptx", binaries.PTX, True), ("second.ptx", binaries.PTX.replace(b"plain", b"other"), True)]
CREATE, ADD, COMPLETE, DESTROY = "cuLinkCreate_v2", "cuLinkAddData_v2", "cuLinkComplete", "cuLinkDestroy"


@pytest.fixture
def driver_device(gpu):
    if gpu.driver == "hip":
        with pytest.raises(NotImplementedError, match="HIP does not link programs"):
            gpu.device.driver_device.link(PARTS)
        pytest.skip("HIP's library links nothing here")
    return gpu.device.driver_device


def links(gpu):
    return [call.name for call in gpu.calls(CREATE, ADD, COMPLETE, DESTROY)]


def test_what_is_linked_loads(gpu, driver_device):
    gpu.forget_calls()
    linked = driver_device.link(PARTS)
    calls = gpu.calls(CREATE, ADD, COMPLETE, DESTROY)
    assert [call.name for call in calls] == [CREATE, ADD, ADD, COMPLETE, DESTROY]
    assert [call.detail for call in calls][1:3] == ["first.ptx", "second.ptx"]
    program = driver_device.load(linked)
    for name in ("plain", "other"):
        assert program.kernel(name) is not None


@pytest.mark.parametrize("name", [CREATE, ADD, COMPLETE])
def test_a_call_that_fails(gpu, driver_device, name):
    gpu.forget_calls()
    gpu.control.fail(name, 999)
    with pytest.raises(lp.LaunchpathError, match=name):
        driver_device.link(PARTS)
    assert links(gpu)[-1] == (CREATE if name == CREATE else DESTROY)
    driver_device.link(PARTS)


def test_what_the_linker_says(driver_device):
    with pytest.raises(lp.CompileError, match="'third.cubin' is no such binary"):
        driver_device.link([*PARTS, ("third.cubin", b"nothing", False)])
