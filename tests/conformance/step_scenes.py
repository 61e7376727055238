"""What runs in a step and without one: bodies with a `World` of arrays and streams, and the number of the turn."""

import time

import numpy as np

import launchpath as lp
from tests.patience import PATIENCE
from tests.random.kernels import FIELDS, TABLE
from tests.threads import apart

N = 100
GRID = (N + 31) // 32, 32


class World:
    """Arrays with values, a stream of each kind, and `seen`: what the bodies read."""

    def __init__(self, device, kernels):
        self.device, self.kernels, self.seen = device, kernels, []
        self.stream, self.side = (lp.Stream(blocking=False, device=device) for _ in range(2))
        self.blocking = lp.Stream(device=device)
        self.x, self.y = (lp.asarray(np.arange(k, k + N, dtype="uint32"), device=device) for k in (1, 1000))
        self.pinned = lp.pinned_empty(N, "uint32", device)
        self.staged_in, self.out = lp.In(np.arange(N, dtype="uint32")), lp.Out(np.zeros(N, "uint32"))
        self.both = lp.InOut(np.ones(N, "uint32"))
        self.event = self.stream.record()
        device.synchronize()

    def affine(self, stream, a, b, array=None, n=N):
        """x = a x + b: of two that change places the values tell."""
        self.kernels.affine[(n + 31) // 32, 32, stream](self.x if array is None else array, a, b, n, 0)

    def fields(self, b, a=3, table=0):
        """Launch with arguments in device memory."""
        fields = np.full(FIELDS, table, "uint32").tobytes()
        self.kernels.fields[(*GRID, self.stream)](self.x, self.y, a, b, N, 0, fields)

    def meet(self):
        """Let what follows on any stream come after what all have now; the host does not wait."""
        streams = [self.stream, self.side, self.blocking, self.device.legacy_stream, self.device.per_thread_stream]
        events = [stream.record() for stream in streams]
        for stream in streams:
            for event in events:
                stream.wait(event)

    def values(self):
        """Read everything."""
        self.device.synchronize()
        arrays = [self.x.to_numpy(), self.y.to_numpy(), self.out.get(), self.both.get()]
        return [array.tolist() for array in arrays], self.seen


def the_same_kernel_twice(world, turn):
    """With different arguments: neither launch may have the other's."""
    world.affine(world.stream, 3, turn)
    world.affine(world.stream, 5, 2 * turn + 1)
    world.affine(world.stream, 7, 11, world.y)
    world.affine(world.stream, 3, turn)


def arguments_that_change_after_their_launch(world, turn):
    for kind in (np.ndarray, bytes):
        numbers = np.full(TABLE, turn, "uint32")
        argument = numbers if kind is np.ndarray else numbers.tobytes()
        world.kernels.table[(*GRID, world.stream)](argument, world.x, N, 0)
        numbers[:] = 77


def arguments_in_blocks(world, turn):
    for b in (turn, 1, turn, 1):
        world.fields(b)
    world.kernels.written[(*GRID, world.stream)](world.x, 9, N, 0)
    world.kernels.written[(*GRID, world.stream)](world.x, 9, N, 0)


def blocks_that_change_now_and_then(world, turn):
    for table in (0, turn // 2):
        world.fields(1, table=table)


def streams_and_events(world, turn):
    world.affine(world.stream, 3, turn)
    world.side.wait(world.stream.record())
    world.kernels.mix[(*GRID, world.side)](world.y, world.x, 5, N, 0)
    event = world.side.record()
    world.stream.wait(event)
    world.affine(world.stream, 7, 1)
    world.side.wait(world.stream.record(event))
    world.affine(world.side, 9, turn)
    world.stream.wait(world.side.record())


def streams_that_wait_for_each_other_anyway(world, turn):
    own = world.device.per_thread_stream
    for stream in (None, world.blocking, None, own, None, world.blocking):
        world.affine(stream, 3, turn)
    world.device.legacy_stream.synchronize()
    world.affine(world.blocking, 5, turn)


def events_of_the_turn_before(world, turn):
    world.side.wait(world.event)
    world.affine(world.side, 3, turn)
    world.stream.wait(world.side.record())
    world.affine(world.stream, 5, turn)
    world.event = world.stream.record()


def copies_of_memory_that_changes_at_once(world, turn):
    numbers = np.arange(turn, turn + N, dtype="uint32")
    world.y.copy_from(numbers, world.stream)
    numbers[:] = 0
    world.kernels.mix[(*GRID, world.stream)](world.x, world.y, 3, N, 0)
    world.y.copy_from(world.x, world.stream)


def copies_of_pinned_memory(world, turn):
    world.stream.synchronize()
    world.pinned[:] = turn
    world.y.copy_from(world.pinned, world.stream)
    world.affine(world.stream, 3, turn, world.y)
    world.y.copy_to(world.pinned, world.stream)
    world.seen.append(world.pinned.tolist())
    world.kernels.mix[(*GRID, world.stream)](world.x, world.y, 3, N, 0)


def values_that_are_read_in_the_middle(world, turn):
    world.affine(world.stream, 3, turn)
    first = int(world.x.to_numpy(world.stream)[0])
    world.affine(world.stream, 5, first)
    world.seen.append(int(world.x[1]))
    world.affine(None, 7, 1)
    world.seen.append(np.asarray(world.x).tolist())


def results(world, turn):
    world.affine(world.stream, 3, turn)
    first = world.kernels.hash[1, 1, world.stream](world.x, N)
    second = world.kernels.hash[1, 1, world.stream](world.x, N // 2)
    world.affine(world.stream, 3, int(first.out))
    last = world.kernels.hash[1, 1, world.stream](world.x, N)
    del second
    world.seen.append(last)  # read much later


def host_arrays_as_arguments(world, turn):
    world.staged_in.array[:] = turn
    world.kernels.staged[(*GRID, world.stream)](world.staged_in, world.out, world.both, 3, N)
    world.staged_in.array[:] = 0
    world.kernels.staged[(*GRID, world.stream)](lp.In(np.full(N, turn, "uint32")), world.out, world.both, 5, N)
    if turn % 2:
        world.seen.append(world.both.get().tolist())
        world.both.array[:] = turn


def host_functions(world, turn):
    world.affine(world.stream, 3, turn)
    world.stream.host_function(world.seen.append, turn)
    world.affine(world.stream, 5, turn)
    world.stream.host_function(world.seen.append, -turn)
    if turn == 2:
        world.stream.synchronize()
        world.seen.append("synchronized")


def temporaries(world, turn):
    for value, order in enumerate((None, world.stream, world.stream)):
        memory = lp.empty(N, "uint32", world.device, order)
        memory.fill(turn + value, world.stream)
        world.kernels.mix[(*GRID, world.stream)](world.x, memory, 3, N, 0)
        if value == 1:
            memory.free()
        world.side.wait(world.stream.record())
        lp.full(N, value, "uint32", world.device, stream=world.side)


def a_stream_that_is_held_back(world, turn):
    with world.stream.hold():
        world.affine(world.stream, 3, turn)
        world.affine(world.side, 5, turn, world.y)
        world.side.synchronize()
        world.stream.query()
    world.affine(world.stream, 7, 1)


def grids_that_change(world, turn):
    for n in (N, 1 + 9 * turn, N - turn):
        world.affine(world.stream, 3, turn, n=n)


def sequences_that_change(world, turn):
    for _ in range(turn % 3 + 1):
        world.affine(world.stream, 3, turn)
    if turn % 2:
        world.x.fill(turn, world.stream)
    world.fields(turn)


def addresses(world, turn):
    world.affine(world.stream, 3, turn)
    pointer = lp.DevicePointer(world.x.pointer)
    world.affine(world.stream, 5, turn, pointer)
    world.affine(world.stream, 7, turn, lp.DevicePointer(world.y.pointer_on(world.stream)))


def parts_and_values(world, turn):
    with world.stream:
        world.x[::8] = turn
        world.x[3:9].fill(turn)
        world.y[5] = turn
        world.y.reshape(10, 10)[:, 2] = turn
        world.x[...] = world.x.copy()
    world.seen.append(world.x.astype("float32", stream=world.stream).to_numpy(world.stream).tolist())


def elapsed_times(world, turn):
    start, end = lp.Event(timing=True), lp.Event(timing=True)
    world.stream.record(start)
    world.affine(world.stream, 3, turn)
    world.stream.record(end)
    assert start.elapsed_time(end) >= 0
    world.affine(world.stream, 5, turn)


def events_that_another_thread_asks(world, turn):
    world.affine(world.stream, 3, turn)
    event = world.stream.record()

    def ask():
        until = time.monotonic() + PATIENCE
        while not event.query() and time.monotonic() < until:
            time.sleep(0.0005)
        world.seen.append(event.query())

    apart(ask)
    world.affine(world.stream, 5, turn)


def other_threads_that_use_the_stream(world, turn):
    world.affine(world.stream, 3, turn)
    apart(world.affine, world.stream, 5, turn)
    world.affine(world.stream, 7, turn)
    apart(lambda: world.seen.append(world.x.to_numpy(world.stream).tolist()))


def other_threads_that_use_a_stream_with_the_legacy_rule(world, turn):
    """The work of the other thread comes after, by the rule that blocking streams and the legacy stream wait for each
    other."""
    for stream, other in ((world.blocking, None), (None, world.blocking)):
        world.affine(stream, 3, turn)
        apart(world.affine, other, 5, turn)


def kernels_that_are_dropped(world, turn):
    kernel = world.kernels.affine
    bound = kernel.bind(*GRID, stream=world.stream)
    bound(world.x, 3, turn, N, 0)
    del bound, kernel
    world.affine(world.stream, 5, turn)


SCENES = {
    scene.__name__: scene
    for scene in (
        the_same_kernel_twice, arguments_that_change_after_their_launch, arguments_in_blocks, blocks_that_change_now_and_then,
        streams_and_events, streams_that_wait_for_each_other_anyway, events_of_the_turn_before,
        copies_of_memory_that_changes_at_once, copies_of_pinned_memory, values_that_are_read_in_the_middle, results,
        host_arrays_as_arguments, host_functions, temporaries, a_stream_that_is_held_back, grids_that_change,
        sequences_that_change, addresses, parts_and_values, elapsed_times, events_that_another_thread_asks,
        other_threads_that_use_the_stream, other_threads_that_use_a_stream_with_the_legacy_rule, kernels_that_are_dropped,
    )
}  # fmt: skip
