"""Random programs over streams, events, kernels, copies and host functions, compared with a run step by step."""

from __future__ import annotations

import ctypes
import os
import random

import numpy as np
import pytest

import launchpath as lp

from .standin import image

COUNT, ARRAYS, N = int(os.environ.get("LAUNCHPATH_GPU_PROGRAMS", "25")), 5, 16
KINDS = ("legacy", "blocking", "blocking", "per-thread", "nonblocking", "nonblocking")


def _mix(dst, src, tag):
    """Not commutative: what ran in another order shows."""
    return (dst * np.uint32(2654435761) ^ (src + np.uint32(tag)) * np.uint32(40503)).astype("uint32")


@pytest.fixture(scope="module")
def mixes():
    """Kernels by driver; a stand-in keeps what is registered with it."""
    return {}


def _kernel(gpu, mixes):
    if gpu.driver not in mixes:

        def called(launch, address):
            dst, src = ctypes.c_uint64.from_address(address), ctypes.c_uint64.from_address(address + 8)
            tag = ctypes.c_uint32.from_address(address + 16).value
            one = np.ctypeslib.as_array((ctypes.c_uint32 * N).from_address(dst.value))
            other = np.ctypeslib.as_array((ctypes.c_uint32 * N).from_address(src.value))
            one[:] = _mix(one, other, tag)

        gpu.control.register("mix", called)
        mixes[gpu.driver] = True
    program = gpu.load(image("mix mix 20 0:8,8:8,16:4"))
    return gpu.adapt(program, "mix", "pointer:uint32", "pointer:uint32", "uint32")


def _related(one, other):
    """Whether the legacy rule orders commands of streams of these kinds."""
    return (one == "legacy" and other != "nonblocking") or (other == "legacy" and one != "nonblocking")


@pytest.mark.leaves("events")
@pytest.mark.parametrize("seed", range(COUNT))
def test_a_program_gives_what_it_gives_step_by_step(gpu, mixes, seed):
    """Commands on any stream; a wait is made only where neither the stream's order nor the legacy rule orders them."""
    draw = random.Random(seed)
    kernel = _kernel(gpu, mixes)
    streams = [gpu.stream(kind) for kind in KINDS]
    arrays = [lp.zeros(N, "uint32", stream=streams[0]) for _ in range(ARRAYS)]
    gpu.device.synchronize()
    expected = [np.zeros(N, "uint32") for _ in range(ARRAYS)]
    users = [set() for _ in range(ARRAYS)]  # streams that have used each array since all was quiet
    holds, seen, wanted = {}, [], []
    for tag in range(draw.randrange(20, 60)):
        at = draw.randrange(len(KINDS))
        stream = streams[at]
        what = draw.choice(["mix"] * 5 + ["copy", "fill", "host", "hold", "release", "drop", "free", "read"])
        if what == "hold" and at not in holds:
            holds[at] = stream.hold()
            continue
        if what == "release" and holds:
            holds.pop(draw.choice(sorted(holds))).release()
            continue
        if what == "drop" and at not in holds and KINDS[at] in ("blocking", "nonblocking"):
            old, streams[at] = stream, gpu.stream(KINDS[at])
            streams[at].wait(old.record())
            continue
        one, other = draw.sample(range(ARRAYS), 2)
        for used in (one, other):
            for user in users[used] - {at}:
                if not _related(KINDS[user], KINDS[at]):
                    stream.wait(streams[user].record())
            users[used].add(at)
        if what == "free":
            fresh = lp.empty(N, "uint32", stream=stream)
            lp._core.copy_bytes(stream, fresh.pointer, arrays[one].pointer, 4 * N)
            arrays[one] = fresh
            users[one] = {at}
        elif what == "copy":
            arrays[other].copy_to(arrays[one], stream)
            expected[one] = expected[other].copy()
        elif what == "fill":
            arrays[one].fill(tag, stream)
            expected[one] = np.full(N, tag, "uint32")
        elif what == "host":
            pointer = arrays[one].pointer
            stream.host_function(lambda pointer=pointer: seen.append(ctypes.c_uint32.from_address(pointer).value))
            wanted.append(int(expected[one][0]))
        elif what == "read" and not holds:
            assert arrays[one].to_numpy(stream).tolist() == expected[one].tolist()
        else:
            kernel[1, 1, stream](arrays[one], arrays[other], tag)
            expected[one] = _mix(expected[one], expected[other], tag)
    for hold in holds.values():
        hold.release()
    gpu.device.synchronize()
    assert [array.to_numpy().tolist() for array in arrays] == [array.tolist() for array in expected]
    assert sorted(seen) == sorted(wanted)
