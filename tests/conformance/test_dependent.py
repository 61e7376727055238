"""Chains of kernels that each read what all blocks of the one before wrote: in order, however early they may start.

Kernels take their time before they write, so that one that reads too early reads what was there before.
"""

import numpy as np
import pytest

import launchpath as lp
from tests.threads import at_once

SOURCE = """
__device__ unsigned mixed(unsigned v, unsigned w, unsigned tag) { return (v * 2654435761u ^ w) + tag; }
__global__ void relay(const unsigned *__restrict__ in, unsigned *__restrict__ out, unsigned tag, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned value = mixed(in[i], in[n - 1 - i], tag), spent = tag;
    for (int r = 0; r < rounds; r++) spent = spent * 1664525u + 1013904223u;
    out[i] = spent == value && rounds < 0 ? 0 : value;
}
"""
LAUNCHES = 40


@pytest.fixture(params=[True, False], ids=["dependent", "ordinary"])
def relay(request, device):
    kernel = lp.compile(SOURCE, device, dependent=request.param).relay
    assert kernel.waits_at_entry == (request.param and device.dependent_launches)
    return kernel


def expected(size, launches=LAUNCHES, runs=1):
    values = np.arange(size, dtype=np.uint32)
    for tag in [*range(launches)] * runs:
        values = (values * np.uint32(2654435761) ^ values[::-1]) + np.uint32(tag)
    return values


def chain(relay, stream, arrays, blocks, rounds, between=lambda tag: None):
    size = blocks * 32
    for tag in range(LAUNCHES):
        relay[blocks, 32, stream](arrays[tag % 2], arrays[1 - tag % 2], tag, size, rounds)
        between(tag)


def arrays_of(device, blocks, stream):
    first = lp.asarray(np.arange(blocks * 32, dtype=np.uint32), device=device)
    second = lp.zeros(blocks * 32, "uint32", device, stream=stream)
    device.synchronize()
    return first, second


@pytest.mark.sample(4)
@pytest.mark.parametrize("blocks", [1, 40, 600])
@pytest.mark.parametrize("rounds", [0, 3000])
def test_on_a_stream(relay, device, nonblocking, blocks, rounds):
    arrays = arrays_of(device, blocks, nonblocking)
    chain(relay, nonblocking, arrays, blocks, rounds)
    np.testing.assert_array_equal(arrays[0].to_numpy(nonblocking), expected(blocks * 32))


@pytest.mark.sample(2)
@pytest.mark.parametrize("blocks", [1, 600])
def test_in_steps(relay, device, nonblocking, blocks):
    step = lp.Step()
    for _ in range(4):
        arrays = arrays_of(device, blocks, nonblocking)
        with step:
            chain(relay, nonblocking, arrays, blocks, 500)
        np.testing.assert_array_equal(arrays[0].to_numpy(nonblocking), expected(blocks * 32))


@pytest.mark.parametrize("large", [False, True])
def test_frozen_with_early_variants(relay, device, nonblocking, large):
    """Small grids, or small and large ones in turn: on CUDA devices the small ones let the next kernel start at once."""
    arrays, step, size = arrays_of(device, 40, nonblocking), lp.Step(), 40 * 32
    many = device.early_trigger_threads // 32 + 1 if large and device.early_trigger_threads else 41
    before = getattr(device.driver_device, "early_nodes", 0)
    with step:
        for tag in range(LAUNCHES):  # blocks behind the 40th have nothing to do
            relay[many if tag % 3 == 2 else 40, 32, nonblocking](arrays[tag % 2], arrays[1 - tag % 2], tag, size, 500)
    frozen = step.freeze()
    for _ in range(4):
        frozen.launch()
    np.testing.assert_array_equal(arrays[0].to_numpy(nonblocking), expected(size, runs=5))
    assert frozen.report().without_trigger == {}
    if device.early_triggers == "steps" and relay.waits_at_entry:
        smaller = sum(tag % 3 != 2 for tag in range(LAUNCHES - 1)) if large else LAUNCHES - 1
        assert device.driver_device.early_nodes - before == smaller


def test_events_and_copies_between(relay, device, nonblocking):
    side = lp.Stream(blocking=False, device=device)
    arrays, seen = arrays_of(device, 40, nonblocking), lp.zeros(40 * 32, "uint32", device, stream=side)

    def between(tag):
        if tag % 7 == 3:
            side.wait(nonblocking.record())
            arrays[1 - tag % 2].copy_to(seen, side)
            nonblocking.wait(side.record())

    chain(relay, nonblocking, arrays, 40, 2000, between)
    np.testing.assert_array_equal(arrays[0].to_numpy(nonblocking), expected(40 * 32))
    np.testing.assert_array_equal(seen.to_numpy(side), expected(40 * 32, 39))


def test_an_event_is_complete_when_its_kernel_is(relay, device, nonblocking):
    arrays, other = arrays_of(device, 40, nonblocking), lp.Stream(blocking=False, device=device)
    chain(relay, nonblocking, arrays, 40, 3000)
    event = nonblocking.record()
    while not event.query():
        pass
    np.testing.assert_array_equal(arrays[0].to_numpy(other), expected(40 * 32))


def test_several_threads_each_with_a_stream(relay, device):
    def run(_):
        stream = lp.Stream(blocking=False, device=device)
        arrays = arrays_of(device, 40, stream)
        chain(relay, stream, arrays, 40, 300)
        np.testing.assert_array_equal(arrays[0].to_numpy(stream), expected(40 * 32))

    at_once(run, range(3))
