"""A forked child, where the device was idle: every use of it is an error, and what is dropped there says nothing."""

import sys

import pytest

from tests.faults.processes import run

CODE = """
import asyncio, gc
import numpy as np
program = lp.compile(SOURCE + "__device__ int table[4];")
kernel, symbol = program.follow, program.symbol("table")
launch, returning = kernel[1, 1], kernel.returning("at")[1, 1]
other, result, texture = lp.zeros(4, "int32"), returning(0), lp.Texture(lp.zeros((4, 4), "float32"))
untimed, event, end = stream.record(), stream.record(timing=True), stream.record(timing=True)
pinned = lp.pinned_empty(array.shape, "int32")
copy, step = array.copy_to_host_async(pinned), lp.Step()
for _ in range(2):
    with step: launch(array, 0)
frozen = step.freeze()
stream.begin_capture(); kernel[1, 1, stream](array, 0); graph = stream.end_capture()
executable = graph.instantiate()
device.synchronize()

def run_step():
    with step: launch(array, 0)

async def wait(awaitable):
    await awaitable

asyncio.run(wait(event))
USES = {
    "lp.synchronize": lp.synchronize, "device.synchronize": device.synchronize, "device.memory_info": device.memory_info,
    "device.trim": lambda: device.pool.allocate(4, None, 0), "device.per_thread_stream": lambda: device.per_thread_stream.query(),
    "stream.synchronize": stream.synchronize, "stream.query": stream.query, "legacy.query": device.legacy_stream.query,
    "stream.record": stream.record, "stream.record(event)": lambda: stream.record(event), "stream.wait": lambda: stream.wait(event),
    "stream.begin_capture": stream.begin_capture, "stream.hold": stream.hold, "stream.handle": lambda: stream.handle,
    "stream.host_function": lambda: stream.host_function(print), "lp.Stream": lp.Stream,
    "event.query": event.query, "event.synchronize": event.synchronize, "event.elapsed_time": lambda: event.elapsed_time(end),
    "untimed.query": untimed.query, "await event": lambda: asyncio.run(wait(event)), "await copy": lambda: asyncio.run(wait(copy)),
    "copy.done": copy.done, "copy.result": copy.result,
    "array.free": other.free, "array.fill": lambda: array.fill(1), "array.to_numpy": array.to_numpy, "array.tolist": array.tolist,
    "array.copy": array.copy, "array.copy_to": lambda: array.copy_to(array.copy()), "array.copy_from": lambda: other.copy_from([1] * 4),
    "array.astype": lambda: array.astype("float32"), "array[0] = 1": lambda: array.__setitem__(0, 1), "int(array)": lambda: int(other[0]),
    "array.pointer": lambda: array.pointer, "np.asarray": lambda: np.asarray(array), "copy_to_host_async": lambda: array.copy_to_host_async(pinned),
    "lp.empty": lambda: lp.empty(3), "lp.zeros": lambda: lp.zeros(3), "lp.asarray": lambda: lp.asarray([1, 2]),
    "lp.pinned_empty": lambda: lp.pinned_empty(3), "lp.Texture": lambda: lp.Texture(array.view("float32")),
    "texture.handle": lambda: texture.handle, "texture.update": lambda: texture.update(lp.zeros((4, 4), "float32")),
    "lp.compile": lambda: lp.compile(SOURCE), "program.binary": program.binary, "symbol": lambda: symbol.to_numpy(),
    "launch": lambda: launch(array, 0), "returning": lambda: returning(0), "result": lambda: int(result), "result.done": lambda: result.done,
    "occupancy": lambda: kernel.occupancy(64), "suggest_block": kernel.suggest_block, "attributes": lambda: kernel.attributes,
    "step": run_step, "frozen.launch": frozen.launch, "graph.instantiate": graph.instantiate, "executable.launch": lambda: executable.launch(stream),
}
sys.stdout.flush()
child = os.fork()
if child == 0:
    for name, use in USES.items():
        try:
            value = use()
            print("WRONG", name, "gives", repr(value)[:80])
        except lp.LaunchpathError as error:
            if "forked" not in str(error): print("WRONG", name, "raises", error)
        except Exception as error:
            print("WRONG", name, "raises", type(error).__name__, error)
    USES.clear()
    del other, result, texture, untimed, event, end, pinned, copy, step, frozen, graph, executable, launch, returning
    del stream, side, blocking, array, symbol, kernel, program, use
    gc.collect()
    print("done")
    sys.stdout.flush()
    END
_, status = os.waitpid(child, 0)
assert os.waitstatus_to_exitcode(status) == 0
other.fill(1); assert other.tolist() == [1] * 4; device.synchronize()
other.free()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no fork there")
@pytest.mark.parametrize("how", ["os._exit(0)", "sys.exit(0)"])
def test_every_use_of_an_idle_device_is_an_error_in_a_forked_child(index: int, how: str) -> None:
    assert run(CODE.replace("END", how), index).splitlines() == ["done"]
