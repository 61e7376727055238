"""What the simulated driver notices of programs and kernels: uses of those that were released."""

import gc

import pytest

import launchpath as lp
from launchpath._compiler import Signature
from tests.fixtures import kinds
from tests.simulated import Machine

unchecked = pytest.mark.machine(check=False, patience=0.1)
EMPTY = Signature("nothing", (), 0)


def kernel(machine: Machine, ran: list[str] | None = None) -> lp.Kernel:
    noted = [] if ran is None else ran
    machine.machine.implement("nothing", lambda call: noted.append(call.name), [])
    return machine.kernel("nothing", EMPTY)


@unchecked
def test_a_launch_of_a_released_kernel(machine: Machine) -> None:
    nothing = kernel(machine)
    machine.device.driver_device.release(nothing._driver)
    with pytest.raises(lp.DriverError, match="SIM_INVALID_PROGRAM"):
        nothing[1, 1]()
    (report,) = machine.machine.reports
    assert (report.kind, report.command) == ("launch of a released kernel", (0, 0, 1))
    assert report.text.endswith(", kernel nothing")
    del nothing
    gc.collect()
    assert kinds(machine) == {"launch of a released kernel", "kernel released twice"}


@unchecked
def test_a_program_that_is_released_before_its_kernels(machine: Machine) -> None:
    program = machine.device.driver_device.build("")
    mix = program.kernel("mix")
    machine.device.driver_device.release(mix, program=True)
    assert kinds(machine) == {"program released before its kernels"}
    with pytest.raises(lp.DriverError, match="SIM_INVALID_PROGRAM"):
        program.kernel("mix")
    del program, mix
    assert kinds(machine) == {
        "program released before its kernels", "use of a released program", "program released twice",
    }  # fmt: skip


@unchecked
def test_a_program_that_is_unloaded_too_early(machine: Machine) -> None:
    machine.device.driver_device.unload(True, known=False)
    called: list[str] = []
    kernel(machine, called)[1, 1]()
    gc.collect()
    (report,) = machine.machine.reports
    assert (report.kind, report.command) == ("program unloaded with unfinished launches", (0, 0, 1))
    machine.machine.run()
    assert called == []
    assert kinds(machine) == {"program unloaded with unfinished launches", "an unloaded kernel runs"}
    with pytest.raises(lp.AsynchronousError):
        machine.device.synchronize()


@pytest.mark.machine(unloads=True)
def test_a_program_whose_launches_are_known_to_be_over_is_unloaded(machine: Machine) -> None:
    called: list[str] = []
    nothing = kernel(machine, called)
    nothing[1, 1]()
    machine.machine.run()  # it is over, and the host does not know
    del nothing
    gc.collect()
    assert machine.machine.live_programs == 1
    machine.device.synchronize()
    machine.device.pool.trim()
    assert machine.machine.live_programs == 0
    assert called == ["nothing"]


def test_a_launch_keeps_its_program_as_in_opencl(machine: Machine) -> None:
    called: list[str] = []
    kernel(machine, called)[1, 1]()
    gc.collect()
    assert machine.machine.live_programs == 0
    machine.device.synchronize()
    assert called == ["nothing"]
