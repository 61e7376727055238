"""Calls that type checkers refuse, each on a line with a mark, and nothing else of this file. They fail when they run."""

import launchpath as lp
from tests.types.accepted import SOURCE

device = lp.current_device()
program = lp.compile(SOURCE)
kernel = program.fill
x = lp.zeros(4)
stream, event = lp.Stream(), lp.Event()
returning = program.sum.returning("total")


def grids_and_blocks() -> None:
    kernel(x, 4, 1.0)  # error
    kernel[1]  # error
    kernel[1](x, 4, 1.0)  # error
    kernel["1", 1]  # error
    kernel[1, "1"]  # error
    kernel["11"]  # error
    kernel[1.0, 1]  # error
    kernel[(1, 1.0), 1]  # error
    kernel[None, 1]  # error
    kernel[{1}, 1]  # error
    kernel[range(1, 2), 1]  # error
    kernel[1, 1, 7]  # error
    kernel[1, 1, "stream"]  # error
    kernel[1, 1, x]  # error
    kernel[1, 1, event]  # error
    kernel[1, 1, None, "many"]  # error
    kernel[1, 1, None, 0, 0]  # error
    kernel.bind(1)  # error
    kernel.bind("1", 1)  # error
    kernel.bind(1, 1, stream=7)  # error
    kernel.occupancy("1")  # error
    kernel.suggest_block(most="all")  # error
    kernel.grid(1)  # error
    program.fill(x, 4, 1.0)  # error
    program[0]  # error
    returning(x, 4)  # error
    returning["1", 1]  # error


def arguments() -> None:
    kernel[1, 1](x, "4", 1.0)  # error
    kernel[1, 1](x, {4}, 1.0)  # error
    kernel[1, 1](x, 4, value="1")  # error
    kernel[1, 1](range(4), 4, 1.0)  # error
    kernel[1, 1](device, 4, 1.0)  # error
    kernel[1, 1](x, 4, 1j)  # error
    kernel[1, 1](stream, 4, 1.0)  # error
    kernel[1, 1].packed("text")  # error
    returning[1, 1]("x", 4)  # error
    kernel.returning(0)  # error
    kernel.returning(x="4")  # error


def arrays() -> None:
    lp.empty()  # error
    lp.empty("4")  # error
    lp.empty(4.0)  # error
    lp.empty((2, "2"))  # error
    lp.empty(range(4))  # error
    lp.empty({4})  # error
    lp.zeros(4, device=0.0)  # error
    lp.zeros(4, stream=7)  # error
    lp.asarray([1], device=[0])  # error
    x["first"]  # error
    x[0.0]  # error
    x[0, "first"]  # error
    x[[0, 1]]  # error
    x["first"] = 1.0  # error
    x[0.0] = 1.0  # error
    x.reshape("4")  # error
    x.reshape(2.0, 2)  # error
    x.copy_to([0.0] * 4)  # error
    x.to_numpy("stream")  # error
    x.fill(0, 7)  # error
    x.to_numpy(out=[0.0] * 4)  # error
    x.astype("float64", False)  # error
    x.view()  # error
    x.item(0)  # error
    x.sum()  # error
    x.T  # error
    x + x  # error
    2 * x  # error
    -x  # error
    lp.array([1.0])  # error
    lp.arange("4")  # error
    lp.ones("4")  # error
    lp.full(4)  # error
    lp.zeros_like(x, stream=7)  # error
    lp.In([1.0])  # error
    lp.Out((1.0,))  # error
    lp.InOut(x)  # error
    lp.DevicePointer("0x40")  # error
    lp.DevicePointer(64.0)  # error
    lp.Texture([1.0])  # error
    lp.Texture(x, address="repeat")  # error
    lp.Texture(x, filter=1)  # error


def devices() -> None:
    lp.device(None)  # error
    lp.device(0.0)  # error
    lp.compile(SOURCE, 0.0)  # error
    lp.compile(4)  # error
    lp.compile(SOURCE, warnings="all")  # error
    lp.compile(SOURCE, fast_math="yes")  # error
    lp.compile_all([4])  # error
    lp.load(4.0)  # error
    device.set_memory_limit("1 GB")  # error
    device.enable_peer(0.5)  # error
    device.can_access_peer(None)  # error
    device.compute_units = 4  # error
    device.no_such_fact  # error


def steps() -> None:
    lp.Step(1)  # error
    lp.step(7)  # error
    lp.step()  # error
    lp.Step().early  # error


def streams_and_events() -> None:
    lp.Stream(priority="high")  # error
    lp.Stream(priority=0.5)  # error
    lp.Stream("blocking")  # error
    lp.Stream(device=0.5)  # error
    lp.Stream.external("stream")  # error
    lp.Stream.external(0.5)  # error
    lp.Stream.external(None)  # error
    lp.Event("timing")  # error
    stream.wait(stream)  # error
    stream.wait(7)  # error
    stream.record("done")  # error
    stream.host_function(7)  # error
    event.elapsed_time(stream)  # error
    returning[1, 1](x, 4) + 1  # error
