"""What `dir` and tab completion show of every public class, and of an instance of each: public names alone."""

import dataclasses
import pydoc
import rlcompleter

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core, interop
from launchpath._compiler.image import Image, Symbol
from launchpath._streams.facts import DeviceFacts
from launchpath._streams.follower import Follower
from tests.simulated import MIX, Machine
from tests.unit.support.tally import kernel

RAISED = {"add_note", "args", "with_traceback"}
KERNEL = {
    "argument_counts", "attributes", "bind", "by_fields", "cooperative", "device", "name", "occupancy", "over", "returning", "signature", "suggest_block", "waits_at_entry",
}  # fmt: skip
RETURNING = {
    "argument_counts", "bind", "cooperative", "device", "initial", "kernel", "name", "occupancy", "over", "signature", "suggest_block", "zero",
}  # fmt: skip
READABLE = {
    "calls", "dispatches", "findings", "ranges", "sql", "streams", "summary", "to_pandas", "write_csv", "write_parquet", "write_perfetto",
}  # fmt: skip
# What a class shows, without what begins with an underscore; of instances also what each has of its own.
SHOWN: dict[type, set[str]] = {
    lp.Device: {
        *(name for name in vars(DeviceFacts) if not name.startswith("_")),
        "info", "legacy_stream", "memory_info", "memory_report", "per_thread_stream", "can_access_peer", "enable_peer", "set_memory_limit", "synchronize", "trim_memory",
    },
    lp.Stream: {
        "begin_capture", "blocking", "c_handle", "device", "end_capture", "external", "handle", "host_function", "priority", "query", "record", "synchronize", "wait",
    },
    lp.Event: {"elapsed_time", "query", "synchronize", "timing"},
    lp.Array: {
        "astype", "copy", "copy_from", "copy_to", "copy_to_host_async", "device", "dtype", "fill", "free", "host_view", "item", "nbytes", "ndim", "pointer", "pointer_on",
        "reshape", "shape", "size", "to_numpy", "tolist", "view",
    },
    lp.HostCopy: {"done", "event", "result"},
    lp.Texture: {
        "address", "channels", "device", "dimensions", "fetch", "filter", "handle", "layers", "normalized", "read", "update",
    },
    lp.Step: {"freeze", "report"},
    lp.FrozenStep: {"launch", "report"},
    lp.Graph: {"instantiate"},
    lp.ExecutableGraph: {"launch", "report", "update"},
    lp.StepReport: {"events", "on"},
    lp.Trace: {"counts", "flush", "pause", "resume", "saved", "start", "stop", *READABLE},
    lp.SavedTrace: READABLE,
    lp.Program: {"binary", "save", "symbol"},
    lp.Kernel: KERNEL,
    lp.Result: {"done", "get", "item"},
    lp.Registration: {"active", "symbols", "unregister"},
    lp.CInterface: set(),
    lp.In: {"array"},
    lp.Out: {"array", "get"},
    lp.InOut: {"array", "get"},
    lp.DevicePointer: {"address"},
    _core.Launcher: {"packed"},
    interop.Adopted: KERNEL,
    lp.CompileWarning: RAISED,
    Follower: {"current_device", "current_stream", "start", "stop"},
    **{kind: RAISED for kind in vars(lp).values() if isinstance(kind, type) and issubclass(kind, lp.LaunchpathError)},
}  # fmt: skip
OF_DRIVERS = {"call", "name", "code", "detail"}


def public(names: list[str]) -> set[str]:
    return {name for name in names if not name.startswith("_")}


def check(thing: object, shown: set[str]) -> None:
    names = dir(thing)
    assert public(names) == shown
    left = [name for name in names if name.startswith("_")]
    assert all(name.startswith("__") and name.endswith("__") and "pyx" not in name for name in left), left
    completed = rlcompleter.Completer({"thing": thing}).attr_matches("thing.")
    assert public([name.removeprefix("thing.").rstrip("()") for name in completed]) == shown


def test_the_table_has_every_public_class() -> None:
    assert {kind for kind in vars(lp).values() if isinstance(kind, type)} <= set(SHOWN)


@pytest.mark.parametrize("kind", SHOWN, ids=lambda kind: kind.__name__)
def test_a_class(kind: type) -> None:
    assert public(dir(kind)) == SHOWN[kind]


@pytest.mark.parametrize("kind", [lp.Device, lp.Stream, lp.Event, lp.Array, lp.Kernel])
def test_help_of_a_class_has_what_it_shows(kind: type) -> None:
    text = pydoc.plain(pydoc.render_doc(kind))
    assert all(f" {name}" in text for name in SHOWN[kind])
    hidden = {"set_legacy", "order_before", "launch_host_function", "record_into", "dtype_code", "make_cooperative"}
    assert not [name for name in hidden if f" {name}" in text]


def test_devices_streams_and_events(machine: Machine) -> None:
    stream = machine.device.legacy_stream
    check(machine.device, SHOWN[lp.Device])
    check(stream, SHOWN[lp.Stream])
    check(stream.record(), SHOWN[lp.Event])


def test_steps() -> None:
    report = lp.Step().report()
    names = {field.name for field in dataclasses.fields(lp.StepReport)}
    assert public(dir(lp.Step())) == SHOWN[lp.Step]
    assert public(dir(report)) == names


def test_memory(machine: Machine) -> None:
    data = np.zeros(4, "uint32")
    check(lp.zeros(4, "uint32", device=machine.device), SHOWN[lp.Array])
    check(lp.In(data), SHOWN[lp.In])
    check(lp.Out(data), SHOWN[lp.Out])
    check(lp.InOut(data), SHOWN[lp.InOut])
    check(lp.DevicePointer(64), SHOWN[lp.DevicePointer])


def test_kernels(machine: Machine) -> None:
    kernel = machine.kernel()
    check(kernel, KERNEL)
    check(kernel[1, 1], SHOWN[_core.Launcher])
    driver_kernel = machine.device.driver_device.build("").kernel("mix")
    adopted = interop.Adopted(driver_kernel, machine.device, MIX)
    check(adopted, KERNEL | {"block", "foreign", "library", "shared"})


def test_programs(machine: Machine) -> None:
    image = Image("simulated", b"", (("mix", MIX),), symbols=(Symbol("scale", 0, 4),))
    program = lp.Program(machine.device, image)
    check(program, SHOWN[lp.Program] | {"device", "kernels", "log", "symbols", "templates", "mix"})


def test_results(machine: Machine) -> None:
    returning = kernel(machine).returning("total", bins=4)
    check(returning, RETURNING)
    launcher = returning[1, 1, machine.device.legacy_stream]
    check(launcher, set())
    result = launcher(7, None, None)
    machine.machine.automatic = True
    check(result, SHOWN[lp.Result] | {"total", "bins"})


def test_errors() -> None:
    check(lp.DriverError("clFinish", "CL_OUT_OF_RESOURCES", -5), RAISED | OF_DRIVERS)
    check(lp.AsynchronousError("clFinish", "CL_OUT_OF_RESOURCES", -5), RAISED | OF_DRIVERS)
    check(lp.CompileError("no", "1: no"), RAISED | {"log"})
    check(lp.SignatureError("no"), RAISED)


def test_a_class_of_a_users_own_shows_what_it_adds(machine: Machine) -> None:
    class Named(lp.Stream):
        label = "side"

        def rename(self, label: str) -> None:
            self.label = label

    named = Named(device=machine.device)
    named.extra = 1  # type: ignore[attr-defined]
    check(named, SHOWN[lp.Stream] | {"label", "rename", "extra"})
