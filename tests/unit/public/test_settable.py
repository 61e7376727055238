"""Public objects refuse attributes that are not made for them: to set one by mistake would have no effect."""

import warnings
from collections.abc import Iterator

import numpy as np
import pytest

import launchpath as lp

pytestmark = pytest.mark.compiles

SOURCE = "__global__ void add(float *x, int n) { x[threadIdx.x] += n; }"


@pytest.fixture(scope="module")
def things(request, tmp_path_factory) -> dict[str, object]:
    program = lp.compile(SOURCE)
    x, stream, step = lp.zeros(32, "float32"), lp.Stream(), lp.Step()
    with step:
        program.add[1, 32](x, 1)
    stream.begin_capture()
    program.add[1, 32, stream](x, 1)
    graph = stream.end_capture()
    with lp.trace(tmp_path_factory.mktemp("trace") / "t.lptrace") as trace:
        program.add[1, 32](x, 1)
    host = np.zeros(3, "float32")
    returning = program.add.returning(x=32)
    texture = lp.Texture(lp.zeros((4, 4), "float32"))
    registration = lp.register(program)
    request.addfinalizer(registration.unregister)
    return {
        type(thing).__name__: thing
        for thing in (
            program, program.add, program.add[1, 32], returning, returning[1, 32], returning[1, 32](1), x,
            lp.In(host), lp.Out(host), lp.InOut(host), x.device, stream, lp.Event(), lp.DevicePointer(0), step,
            graph, graph.instantiate(), texture, trace, lp.read_trace(trace.path), registration,
            lp.c_interface(), program.add.attributes, program.add.signature,
        )
    }  # fmt: skip


NAMES = [
    "Program", "Kernel", "Launcher", "Returning", "ReturningLauncher", "Result", "Array", "In", "Out", "InOut",
    "Device", "Stream", "Event", "DevicePointer", "Step", "Graph", "ExecutableGraph", "Texture", "Trace",
    "SavedTrace", "Registration", "CInterface", "Attributes", "Signature",
]  # fmt: skip


def test_all_are_looked_at(things):
    assert [*things] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_refused(things, name):
    thing = things[name]
    for attribute in ("add", "some_name", *_shown(thing)):
        with pytest.raises((AttributeError, TypeError)):
            setattr(thing, attribute, 3)


def _shown(thing: object) -> Iterator[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield from (name for name in dir(thing) if not name.startswith("_"))


def test_the_message_says_what_to_do(things):
    with pytest.raises(AttributeError) as caught:
        things["Program"].add = 3
    assert str(caught.value) == (
        "the attribute 'add' of a Program cannot be set: keep the value in a variable of your own"
    )
    with pytest.raises(
        AttributeError, match="a launch may bring as much as the device has, kernel\\[grid, block, stream"
    ):
        things["Kernel"].max_dynamic_shared_size_bytes = 1 << 16


def test_a_class_of_the_callers_has_attributes_of_its_own():
    class Named(lp.Event):
        pass

    event = Named()
    event.name = "copied"
    assert event.name == "copied"
