"""Programs with steps, frozen steps and captures, in a process of its own: ``python -m tests.conformance.mode_programs``.

Its environment has a debug mode, or none. It prints what each program computed, as JSON.
"""

import json
import sys

import launchpath as lp
from tests.random.kernels import Kernels

from .step_scenes import SCENES, N, World

TURNS = 3
# Where each command is waited for, a host that holds a stream back waits for itself.
ALL = {name: scene for name, scene in SCENES.items() if name != "a_stream_that_is_held_back"}
# Scenes whose last run is kept back until its end, so that it can be frozen.
FROZEN = (
    "the_same_kernel_twice", "streams_and_events", "grids_that_change",
)  # fmt: skip


def run_of(world, scene, turns=TURNS):
    """Run a scene in a step some times; the step."""
    step = lp.Step()
    for turn in range(turns):
        with step:
            scene(world, turn)
    return step


def frozen_scene(scene):
    """Freeze the last run of a scene, and launch it some times."""

    def program(world):
        frozen = run_of(world, scene).freeze()
        for _ in range(TURNS):
            frozen.launch()

    return program


def an_event_that_is_passed_on(world):
    """A stream with nothing but a wait, and an event behind that."""

    def body(world, turn):
        world.affine(world.stream, 3, turn)
        world.side.wait(world.stream.record())
        world.blocking.wait(world.side.record())
        world.kernels.mix[(N + 31) // 32, 32, world.blocking](world.y, world.x, 5, N, 0)
        world.stream.wait(world.blocking.record())

    frozen = run_of(world, body).freeze()
    for _ in range(TURNS):
        frozen.launch()


def copies_fills_and_pinned_memory(world):
    def body(world, turn):
        world.y.fill(turn, world.stream)
        world.kernels.mix[(N + 31) // 32, 32, world.stream](world.x, world.y, 3, N, 0)
        world.y.copy_from(world.pinned, world.stream)

    world.pinned[:] = 5
    frozen = run_of(world, body).freeze()
    world.pinned[:] = 7  # read when the copy runs
    frozen.launch()


def a_frozen_step_in_a_step(world):
    frozen = run_of(world, SCENES["streams_and_events"]).freeze()

    def body(world, turn):
        world.affine(world.stream, 3, turn)
        frozen.launch()
        world.affine(world.stream, 5, turn)

    outer = run_of(world, body).freeze()
    outer.launch()


def captured(world, turn):
    world.stream.begin_capture()
    world.side.wait(world.stream.record())
    world.affine(world.side, 3, turn)
    world.affine(world.stream, 5, turn, world.y)
    world.stream.wait(world.side.record())
    world.fields(turn)
    world.kernels.mix[(N + 31) // 32, 32, world.stream](world.x, world.y, 3, N, 0)
    return world.stream.end_capture()


def a_capture(world):
    executable = captured(world, 1).instantiate()
    for _ in range(TURNS):
        executable.launch(world.stream)
    executable.update(captured(world, 2))
    executable.launch(world.blocking)


def a_capture_of_a_step(world):
    world.stream.begin_capture()
    run_of(world, SCENES["the_same_kernel_twice"])
    executable = world.stream.end_capture().instantiate()
    executable.launch(world.stream)


def an_executable_with_branches_in_a_capture(world):
    """And in a step that is frozen: the order of its branches is a part of the outer graph."""
    inner = captured(world, 1).instantiate()
    world.stream.begin_capture()
    inner.launch(world.stream)
    inner.launch(world.stream)
    outer = world.stream.end_capture().instantiate()
    outer.launch(world.stream)
    frozen = run_of(
        world, lambda world, turn: (world.affine(world.stream, 3, turn), inner.launch(world.stream))
    ).freeze()
    frozen.launch()


def refusal_of(scene):
    """Whether a run that cannot be frozen is refused."""

    def program(world):
        try:
            run_of(world, scene).freeze().launch()
            world.seen.append("frozen")
        except lp.LaunchpathError:
            world.seen.append("refused")

    return program


PROGRAMS = {
    program.__name__: program
    for program in (
        an_event_that_is_passed_on, copies_fills_and_pinned_memory, a_frozen_step_in_a_step, a_capture,
        a_capture_of_a_step, an_executable_with_branches_in_a_capture,
    )
}  # fmt: skip
PROGRAMS |= {f"a step: {name}": lambda world, scene=scene: run_of(world, scene) and None for name, scene in ALL.items()}
PROGRAMS |= {f"frozen: {name}": frozen_scene(SCENES[name]) for name in FROZEN}
PROGRAMS |= {
    f"refused: {name}": refusal_of(SCENES[name])
    for name in (
        "host_functions",
        "values_that_are_read_in_the_middle",
        "results",
        "host_arrays_as_arguments",
        "addresses",
    )
}


def shown(value):
    """What a scene has seen, for JSON: a result is read here."""
    return [int(value.out), value.outs.tolist()] if isinstance(value, lp.Result) else value


def outcomes(device):
    kernels, results = Kernels(device, 0), {}
    for name, program in PROGRAMS.items():
        world = World(device, kernels)
        program(world)
        values, seen = world.values()
        results[name] = [values, [shown(value) for value in seen]]
    return results


if __name__ == "__main__":
    print(json.dumps(outcomes(lp.devices()[int(sys.argv[1])])))
