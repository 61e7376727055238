"""Steps on every device: what runs in a step gives what it gives without, to the last bit."""

import contextlib

import pytest

import launchpath as lp
from tests.random.kernels import Kernels

from .step_scenes import SCENES, World

TURNS = 5  # a graph is built in the second one, and run with other arguments after that


@pytest.fixture(scope="module")
def step_kernels(device):
    return Kernels(device, 0)


def outcome(device, kernels, region, scene, between=lambda world, turn: None):
    """Run a scene some times in a region; return all that there is to see at the end."""
    world = World(device, kernels)
    for turn in range(TURNS):
        with region:
            scene(world, turn)
        between(world, turn)
    values, seen = world.values()
    seen = [(int(value.out), value.outs.tolist()) if isinstance(value, lp.Result) else value for value in seen]
    return values, seen


def compare(device, kernels, *scene):
    assert outcome(device, kernels, lp.Step(), *scene) == outcome(device, kernels, contextlib.nullcontext(), *scene)


@pytest.mark.parametrize("name", SCENES)
def test_a_step_gives_what_running_without_it_gives(device, step_kernels, name):
    compare(device, step_kernels, SCENES[name])


def test_the_same_kernel_outside_between_the_runs(device, step_kernels):
    """What a step knows of arguments in device memory counts for nothing outside, and the other way round."""

    def between(world, turn):
        world.affine(world.stream, 3, 100 * turn)
        world.fields(100 * turn)
        world.fields(0, table=turn)

    def inside(world, turn):
        SCENES["the_same_kernel_twice"](world, turn)
        SCENES["arguments_in_blocks"](world, turn // 2)

    compare(device, step_kernels, inside, between)


def test_all_of_it_in_a_single_step(device, step_kernels):
    def everything(world, turn):
        for scene in SCENES.values():
            scene(world, turn)
            world.meet()

    compare(device, step_kernels, everything)


def test_steps_of_functions_that_know_nothing_of_steps(device, step_kernels):
    world, expected = (World(device, step_kernels) for _ in range(2))
    inner = lp.step(SCENES["grids_that_change"])

    @lp.step
    def outer(world, turn):
        inner(world, turn)
        inner(world, turn + 1)

    for turn in range(TURNS):
        outer(world, turn)
        SCENES["grids_that_change"](expected, turn)
        SCENES["grids_that_change"](expected, turn + 1)
    assert world.values() == expected.values()


def test_work_of_a_step_that_failed_is_complete(device, step_kernels):
    def body(world, turn):
        world.affine(world.stream, 3, turn)
        world.fields(turn)
        if turn % 2:
            raise ValueError
        world.affine(world.stream, 5, turn)

    values = []
    for region in (lp.Step(), contextlib.nullcontext()):
        world = World(device, step_kernels)
        for turn in range(TURNS):
            with contextlib.suppress(ValueError), region:
                body(world, turn)
        values.append(world.values())
    assert values[0] == values[1]


def test_steps_that_are_switched_off(device, step_kernels, monkeypatch):
    monkeypatch.setenv("LAUNCHPATH_STEPS", "0")
    step = lp.Step()
    scene = SCENES["the_same_kernel_twice"]
    assert outcome(device, step_kernels, step, scene) == outcome(device, step_kernels, contextlib.nullcontext(), scene)
    report = step.report()
    assert (report.on, report.commands, report.direct) == (False, 0, 4 * TURNS)
    off = "LAUNCHPATH_STEPS=0, or LAUNCHPATH_DEBUG=bounds"
    assert str(report) == f"steps are off ({off}): commands go to the driver at once"


@pytest.mark.parametrize("value", ["2", "no way"])
def test_a_switch_that_there_is_not(monkeypatch, value):
    monkeypatch.setenv("LAUNCHPATH_STEPS", value)
    with pytest.raises(lp.ArgumentValueError, match="LAUNCHPATH_STEPS: expected 0"):
        lp.Step()


def test_another_kernel_of_the_same_name_is_named_as_a_cause(device, nonblocking, array):
    sources = (f"__global__ void count(int* at) {{ *at += {value}; }}" for value in (1, 10))
    step = lp.Step()
    for program in [lp.compile(source, device=device) for source in sources]:
        with step:
            program.count[1, 1, nonblocking](array)
    assert array.to_numpy(nonblocking)[0] == 11
    assert step.report().causes[1:] == ["command 1 of 1: got count, expected another kernel of that name"]
