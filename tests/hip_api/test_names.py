"""Names and parameters are those of hip-python's."""

import inspect
import re
from pathlib import Path

import numpy as np
import pytest

from launchpath import hip, hiprtc
from launchpath.hip._types.bindings import types

# Parameters that launchpath may be called without, as hip-python's documentation calls them.
DEFAULTS = {"hipModuleLaunchKernel": ("sharedMemBytes", "stream", "kernelParams", "extra")}
OTHER = {"hipGetDeviceProperties"}  # takes what older versions of hip-python take, too


def parameters(function):
    """Return the names of parameters, by the first line of a documentation of AMD's."""
    first = (function.__doc__ or "").split("\n")[0]
    return [part.split()[-1] for part in re.findall(r"[^(),]+", first.partition("(")[2])]


@pytest.mark.parametrize("name", sorted(hip.SUPPORTED - OTHER))
def test_a_function_takes_the_same_parameters(name):
    own = inspect.signature(getattr(hip, name)).parameters
    assert list(own) == parameters(getattr(types, name))
    with_defaults = tuple(each.name for each in own.values() if each.default is not each.empty)
    assert with_defaults == DEFAULTS.get(name, ())


@pytest.mark.parametrize("name", sorted(hip.SUPPORTED))
def test_a_function_returns_as_many_values(name):
    sizes = re.findall(r"tuple` of size (\d+)", getattr(types, name).__doc__)
    own = getattr(hip, name)
    returned = 1 + own.outputs if hasattr(own, "outputs") else len(own(*[0] * len(inspect.signature(own).parameters)))
    assert [str(returned)] == sizes


@pytest.mark.parametrize("name", sorted(hiprtc.FUNCTIONS))
def test_a_function_of_hiprtc_takes_the_same_parameters(name):
    from rocm.bindings import hiprtc as theirs

    assert list(inspect.signature(getattr(hiprtc, name)).parameters) == parameters(getattr(theirs, name))


def test_every_name_of_hip_exists():
    names = [name for name in dir(types) if name.startswith(("hip", "HIP", "dim3"))]
    assert len(names) > 800
    for name in names:
        getattr(hip, name)
    assert set(names) <= set(dir(hip))
    assert hip.hipError_t is types.hipError_t


def test_a_function_that_is_not_supported_raises_with_its_name():
    assert not hip.SUPPORTED & hip.UNSUPPORTED
    for name in sorted(hip.UNSUPPORTED):
        with pytest.raises(NotImplementedError, match=rf"launchpath\.hip\.{name}: launchpath does not support"):
            getattr(hip, name)(1, 2)


def test_the_list_of_functions_is_current():
    from scripts import hip_functions

    assert hip_functions.FILE.read_text(encoding="utf-8") == hip_functions.text(), "run: make hip-functions"


def test_a_name_that_hip_does_not_have():
    for module in (hip, hiprtc):
        with pytest.raises(AttributeError, match="hipNothing"):
            module.hipNothing  # noqa: B018
    with pytest.raises(NotImplementedError):
        hiprtc.hiprtcLinkCreate(0, None, None)


@pytest.mark.parametrize("size", [1000 / 256, float("nan"), float("inf"), np.float32(0.5)])
def test_a_dim3_refuses_fractions(size):
    """The bindings' own cuts them off: 3 blocks of 256 threads for 1000 elements."""
    shape = hip.dim3(x=2, y=3)
    for wrong in (lambda: hip.dim3(x=1, y=size), lambda: setattr(shape, "y", size)):
        with pytest.raises(ValueError, match=r"dim3: y: expected a whole number, got .*: divide by //") as raised:
            wrong()
        assert {entry.path for entry in raised.traceback} == {Path(__file__)}
    assert [*shape] == [2, 3, 1]


def test_a_dim3_is_the_bindings_own_in_all_else():
    assert isinstance(hip.dim3(), types.dim3) and [*hip.dim3(x=4.0, z=np.int32(5))] == [4, 1, 5]
    shape = hip.dim3()
    shape.x = np.float64(7)
    assert shape.x == 7
    for wrong in ("3", None, -1, 1 << 40):
        with pytest.raises((TypeError, OverflowError)):
            hip.dim3(x=wrong)
