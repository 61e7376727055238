"""The core hands the driver exactly the waits that the model gives, on the same program."""

from hypothesis import given

import launchpath as lp
from launchpath import _core
from tests.model import ordering
from tests.model.programs import Program, programs
from tests.model.random_programs import random_programs
from tests.simulated import Machine

ACTIONS = ("command",) * 11 + ("record",) * 3 + ("wait",) * 4 + ("synchronize",) * 2
KINDS = {"legacy": ordering.LEGACY, "blocking": ordering.BLOCKING, "nonblocking": ordering.NONBLOCKING}


def model_log(program: Program) -> list[tuple[int, int, list[tuple[int, int]]]]:
    """Run the program on the model: (queue, number, waits) of every command."""
    device = ordering.Device()
    queues = [device.stream(KINDS[kind]) for kind in program.kinds]
    points: list[ordering.Point] = []
    for what, stream, operand in program.steps:
        queue = queues[stream]
        if what == "command":
            device.command(queue, "command")
        elif what == "record":
            points.append(device.record(queue))
        elif what == "wait" and points:
            device.wait(queue, points[operand % len(points)])
        elif what == "synchronize":
            # To synchronize the legacy stream is to finish every blocking one as well.
            for other in [queue] if queue.kind != ordering.LEGACY else queues:
                if other is queue or other.kind == ordering.BLOCKING:
                    device.finished(other)
    at = {queue: i for i, queue in enumerate(queues)}
    return [(at[queue], number, sorted((at[q], n) for q, n in waits)) for queue, number, waits, _ in device.log]


def run(program: Program, machine: Machine) -> None:
    """Run the same program on the core."""
    streams = machine.streams(program.kinds)
    memory = [lp.empty(64, "uint8", machine.device) for _ in streams]
    events: list[lp.Event] = []
    for what, stream, operand in program.steps:
        if what == "command":
            _core.fill_bytes(streams[stream], memory[stream].pointer, b"\1", 64)
        elif what == "record":
            events.append(streams[stream].record())
        elif what == "wait" and events:
            streams[stream].wait(events[operand % len(events)])
        elif what == "synchronize":
            streams[stream].synchronize()


@random_programs
@given(programs(ACTIONS))
def test_the_core_waits_for_what_the_model_waits_for(program: Program) -> None:
    with Machine() as machine:
        run(program, machine)
        log = [(queue, number, sorted(waits)) for _, queue, number, _, waits, _ in machine.machine.log]
        assert log == model_log(program)
        assert machine.machine.redundant_waits == 0
