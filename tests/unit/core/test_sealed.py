"""Objects of the core that nobody made properly: refused, or harmless."""

import sys
from dataclasses import replace
from typing import Any

import pytest

import launchpath as lp
from launchpath._compiler import Parameter, Signature
from tests.python import python
from tests.simulated import MIX, Machine

# Runs in a process of its own, which one that is not harmless would end.
BARE = """
import copy, pickle
import launchpath as lp
from launchpath import _core
for kind in [one for one in [*vars(_core).values(), lp.Array, lp.Kernel, lp.Stream, lp.Event, lp.In, lp.Out]
             if isinstance(one, type) and one.__module__.startswith("launchpath")]:
    for make in (lambda: kind.__new__(kind), lambda: kind(), lambda: object.__new__(kind), lambda: type("Own", (kind,), {})()):
        try:
            made = make()
        except (TypeError, ValueError, lp.LaunchpathError):
            continue
        print(kind.__name__)
        for use in (repr, str, hash, dir, copy.copy, copy.deepcopy, pickle.dumps, len, iter, bool, lambda of: of(),
                    lambda of: of.__enter__(), *(lambda of, name=name: getattr(of, name)() for name in object.__dir__(made))):
            try:
                use(made)
            except Exception:
                pass
"""


@pytest.mark.processes
def test_no_bare_instance_of_any_type_ends_the_process() -> None:
    types = set(python("-c", BARE).stdout.split())
    assert types.isdisjoint(
        {"Launcher", "Pool", "Allocation", "Hold", "OpenCLDevice", "DriverKernel", "DriverProgram"}
    ), types


def test_no_bare_launcher(machine: Machine) -> None:
    kind = type(machine.kernel()[1, 1])
    for make in (lambda: kind.__new__(kind), kind):
        with pytest.raises(TypeError):
            make()


def _moved(i: int, **changes: Any) -> Signature:
    parameters = list(MIX.parameters)
    parameters[i] = replace(parameters[i], **changes)
    return replace(MIX, parameters=tuple(parameters))


@pytest.mark.parametrize(
    "signature",
    [
        _moved(0, offset=8), _moved(1, offset=0), _moved(1, offset=4), _moved(3, offset=24), _moved(3, offset=2**32 + 20),
        _moved(3, offset=-4), _moved(2, size=8), _moved(0, size=4), _moved(2, kind="int128"), _moved(0, pointee="object"),
        _moved(2, size=0), _moved(2, kind="struct", size=2**40), replace(MIX, size=16), replace(MIX, size=-1),
        replace(MIX, size=2**63), replace(MIX, size="24"),
    ],
    ids=lambda signature: str([(p.offset, p.size, p.kind) for p in signature.parameters] + [signature.size]),
)  # fmt: skip
def test_a_signature_that_packing_would_write_past(machine: Machine, signature: Signature) -> None:
    with pytest.raises(lp.SignatureError, match="kernel mix"):
        machine.kernel("mix", signature)


def test_what_is_no_signature(machine: Machine) -> None:
    for wrong in (None, 5, "int x"):
        with pytest.raises(TypeError, match=r"launchpath\._compiler\.Signature"):
            machine.kernel("mix", wrong)  # type: ignore[arg-type]


def test_a_kernel_with_half_a_surrogate_pair_in_its_name(machine: Machine) -> None:
    kernel = machine.kernel("mix", replace(MIX, name="\ud800", parameters=MIX.parameters))
    kernel[1, 1](None, None, 0, 0)
    machine.device.synchronize()


# A library that holds one of our arrays, and lets it go when the process has no interpreter any more.
LATE = """
import ctypes
import launchpath as lp
from launchpath import _core
from tests.simulated import Machine
machine = Machine()
array = lp.zeros(4, device=machine.device)
for versioned, name, at in ((False, b"dltensor", 56), (True, b"dltensor_versioned", 16)):
    capsule = _core.dlpack_capsule(array, 2, 0, versioned)
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    managed = get(capsule, name)
    used = ctypes.create_string_buffer(b"used_" + name)
    ctypes.pythonapi.PyCapsule_SetName(ctypes.py_object(capsule), used)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(capsule))
    deleter = ctypes.c_void_p.from_address(managed + at).value
    libc = ctypes.CDLL(None)
    libc.__cxa_atexit(ctypes.c_void_p(deleter), ctypes.c_void_p(managed), None)
print("registered", flush=True)
"""


@pytest.mark.processes
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="__cxa_atexit")
def test_a_library_that_lets_an_array_go_after_the_interpreters_end() -> None:
    assert python("-c", LATE).stdout == "registered\n"


TWICE = """
import sys
import launchpath as first
from launchpath._compiler import Signature
found = first.devices()
for name in [name for name in sys.modules if name.split(".")[0] == "launchpath"]:
    del sys.modules[name]
import launchpath as second
import launchpath._compiler
from launchpath.errors import LaunchpathError
assert second is first and second.devices() == found and LaunchpathError is first.LaunchpathError
assert launchpath._compiler.Signature is Signature
try:
    second.device("no such device")
except second.NoDeviceError:
    print("right")
"""


@pytest.mark.processes
def test_a_second_import_gives_the_modules_of_the_first() -> None:
    assert python("-c", TWICE).stdout == "right\n"


def test_parameters_may_leave_gaps(machine: Machine) -> None:
    parameters = (*MIX.parameters[:3], Parameter("tag", "unsigned int", "uint32", 4, 4, 28))
    assert machine.kernel("mix", replace(MIX, parameters=parameters, size=32))
