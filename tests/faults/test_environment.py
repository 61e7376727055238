"""What the environment asks for, each in a process of its own."""

import sys

import pytest

from tests.faults.processes import COMPILED, bare, end, run, start
from tests.patience import PATIENCE

BLOCKING = """
a = lp.zeros(1, 'int32')
program.spin[1, 1, stream](a, 2_000_000)
print(stream.query())
array.fill(1, side)
print(side.query())
"""


@pytest.mark.parametrize("value", ["1", "yes"])
def test_launch_blocking_makes_every_command_synchronous(index, value):
    for _ in range(3):
        assert run(COMPILED + BLOCKING, index, LAUNCHPATH_LAUNCH_BLOCKING=value).split() == ["True", "True"]


@pytest.mark.parametrize("value", ["", "0"])
def test_launch_blocking_can_be_off(index, value):
    code = "hold = stream.hold()\narray.fill(1, stream)\nprint(stream.query())\nhold.release()"
    assert run(code, index, LAUNCHPATH_LAUNCH_BLOCKING=value).split() == ["False"]


def test_launch_blocking_and_every_kind_of_stream(index):
    code = (
        COMPILED
        + """
    number = 0
    a = lp.zeros(1, 'int32')
    for i in range(20):
        for s in (stream, blocking, device.legacy_stream, device.per_thread_stream, side):
            program.follow[1, 1, s](a, number)
            number += 1
    print(a.to_numpy()[0])
    """.replace("\n    ", "\n")
    )
    assert run(code, index, LAUNCHPATH_LAUNCH_BLOCKING="1").split() == ["100"]


SKIPPING = """
import os
os.environ["LAUNCHPATH_SKIP_UPLOADS"] = {value!r}
{first}
os.environ["LAUNCHPATH_SKIP_UPLOADS"] = "1"
print(lp.skip_uploads(True))
"""


@pytest.mark.parametrize(("value", "on"), [("0", False), ("", True), ("1", True), ("yes", True)])
def test_skipping_of_uploads_is_read_when_the_first_device_is_opened(device, value, on):
    assert bare(SKIPPING.format(value=value, first="lp.devices()")).split() == [str(on)]


@pytest.mark.parametrize(("value", "first"), [("0", True), ("1", False)])
def test_what_the_program_says_of_skipping_is_not_overruled(value, first):
    assert bare(SKIPPING.format(value=value, first=f"lp.skip_uploads({first})")).split() == [str(first)]


@pytest.mark.parametrize(("value", "uploads"), [("0", 5), ("1", 1)])
def test_uploads_are_skipped_as_the_environment_says(index, value, uploads):
    code = """
    struct = "struct Given { int* at; int value; };"
    put = lp.compile(struct + "__global__ void put(const Given* given) { *given->at = given->value; }").put.by_fields
    for _ in range(5):
        put[1, 1, stream](array, 7)
    print(array.to_numpy(stream)[0], put.argument_counts()["uploads"])
    """
    assert run(code, index, LAUNCHPATH_SKIP_UPLOADS=value).split() == ["7", str(uploads)]


@pytest.mark.parametrize("ordering", ["always", "nonempty", "clocks", ""])
def test_every_ordering_keeps_the_rules(index, ordering):
    code = (
        COMPILED
        + """
    streams = [lp.Stream() for _ in range(5)]
    a = lp.zeros(1, 'int32')
    number = 0
    for i in range(40):
        for s in streams:
            program.follow[1, 1, device.legacy_stream](a, number)
            program.follow[1, 1, s](a, number + 1)
            number += 2
    stream.wait(device.legacy_stream.record())
    program.follow[1, 1, stream](a, number)
    print(a.to_numpy(stream)[0])
    made = device.ordering_counts()[0]
    for i in range(10):
        program.follow[1, 1, device.legacy_stream](a, 0)
    print(device.ordering_counts()[0] - made)
    """.replace("\n    ", "\n")
    )
    result, markers = run(code, index, LAUNCHPATH_ORDERING=ordering).split()
    assert result == "401"
    if ordering == "always":
        assert int(markers) >= 50
    if ordering in ("clocks", ""):
        assert int(markers) <= 5


def test_an_ordering_that_there_is_not_is_an_error_that_lists_them():
    err = end(start("lp.devices()", head="import launchpath as lp\n", LAUNCHPATH_ORDERING="fastest"), code=1)
    last = err.strip().splitlines()[-1]
    for word in ("LAUNCHPATH_ORDERING", "'fastest'", "clocks", "nonempty", "always"):
        assert word in last


def test_the_environment_names_the_default_device(device, index):
    for value in (str(index), device.info["platform"], device.info["platform"].lower() + " " + device.name.upper()):
        out = bare("print(lp.current_device().info['platform'])", LAUNCHPATH_DEVICE=value)
        assert out.strip() == device.info["platform"]


def test_a_default_device_that_there_is_not_is_an_error_that_lists_them(device):
    err = end(start("lp.empty(3)", head="import launchpath as lp\n", LAUNCHPATH_DEVICE="abacus"), code=1)
    assert "NoDeviceError: no device 'abacus'" in err
    assert device.name in err


def no_device(library):
    code = """
    print(lp.devices())
    print(lp.skipped_devices())
    try:
        lp.compile('__global__ void k() {}')
    except lp.NoDeviceError as error:
        print(error)
    """.replace("\n    ", "\n")
    return bare(code, LAUNCHPATH_OPENCL_LIBRARY=library)


def test_no_library_says_why_and_what_to_install():
    out = no_device("/nowhere/libOpenCL.so")
    assert out.startswith("[]\n")
    for word in ("no device to launch on", "/nowhere/libOpenCL.so", "LAUNCHPATH_OPENCL_LIBRARY", "pip install",
                 "launchpath[cpu]", "pocl-opencl-icd", "ocl-icd-libopencl1"):  # fmt: skip
        assert word in out


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="libm.so.6 is Linux's")
def test_a_library_that_is_not_opencl_says_so():
    out = no_device("libm.so.6")
    assert out.startswith("[]\n")
    assert "libm.so.6" in out
    assert "clGetPlatformIDs" in out or "OpenCL" in out
    assert "pip install" in out


def test_a_file_that_is_not_a_library_says_so(tmp_path):
    path = tmp_path / "libOpenCL.so"
    path.write_text("not a library")
    assert str(path) in no_device(str(path))


def test_the_log_tells_every_driver_call_and_its_result(index):
    process = start("array.fill(1, stream)\nstream.synchronize()", index, LAUNCHPATH_LOG="1")
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0 and out == ""
    calls = [line.split("(")[0] for line in err.splitlines()]
    assert "launchpath: opencl.fill" in calls and "launchpath: opencl.queue_finish" in calls
    assert all(line.startswith("launchpath: opencl.") and line.endswith(" us") for line in err.splitlines())


def test_there_is_no_log_unless_it_is_asked_for(index):
    assert run("array.fill(1, stream)", index, LAUNCHPATH_LOG="0") == ""
