"""Kernels: their limits, and the configurations that they take."""

import pydoc
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath._compiler import Parameter, Signature
from tests.fixtures import arrays
from tests.simulated import MIX, Machine
from tests.unit.support.kernels import Keeper


def configuration(machine: Machine, keep: Keeper, *key: Any) -> tuple[Any, ...]:
    """Launch with a configuration, and say what arrived."""
    keep.kernel[(*key, keep.stream) if len(key) == 2 else key]()
    keep.stream.synchronize()
    call = keep.calls[-1]
    return call.grid, call.block, call.shared


@pytest.mark.parametrize(
    ("grid", "block", "expected"),
    [
        (1, 1, ((1, 1, 1), (1, 1, 1))),
        (4, 256, ((4, 1, 1), (256, 1, 1))),
        ((4,), (8, 2), ((4, 1, 1), (8, 2, 1))),
        ([4, 3, 2], (8, 2, 4), ((4, 3, 2), (8, 2, 4))),
        (np.int64(5), (np.int32(6), True), ((5, 1, 1), (6, 1, 1))),
        (2**31 - 1, 1024, ((2**31 - 1, 1, 1), (1024, 1, 1))),
    ],
)
def test_grids_and_blocks(machine: Machine, grid: Any, block: Any, expected: tuple[Any, Any]) -> None:
    assert configuration(machine, Keeper(machine), grid, block) == (*expected, 0)


@pytest.mark.parametrize(
    "wrong", [0, -1, 2**32, 1.0, "1", None, (), (1, 1, 1, 1), (0,), (1, 0), (1, 1.5), (1, -1), [2**32], {1: 2}]
)
@pytest.mark.parametrize("place", ["grid", "block"])
def test_what_is_no_grid_or_block(machine: Machine, wrong: Any, place: str) -> None:
    key = (wrong, 1) if place == "grid" else (1, wrong)
    with pytest.raises(lp.ConfigurationError, match=rf"keep: .* {place} "):
        Keeper(machine).kernel[key]


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (
            (1, 1025),
            "keep: expected a block of at most 1024 threads .*, got 1025: use a smaller block and a larger grid",
        ),
        ((1, (1, 1, 65)), "a block of at most 64 threads in z on Simulated, got 65: use a smaller block"),
        ((1, (32, 33)), "a block of at most 1024 threads on Simulated, got 1056: use a smaller block"),
        ((1, (1024, 1024, 64)), "a block of at most 1024 threads on Simulated, got 67108864"),
        ((2**31, 1), "a grid of at most 2147483647 blocks in x on Simulated, got 2147483648: let each"),
        (((1, 65536), 1), "a grid of at most 65535 blocks in y on Simulated, got 65536"),
    ],
)
def test_limits_are_checked_before_the_driver_is_asked(machine: Machine, key: Any, message: str) -> None:
    keep = Keeper(machine)
    with pytest.raises(lp.ConfigurationError, match=message):
        keep.kernel[key]
    assert machine.machine.calls["launch"] == 0


@pytest.mark.parametrize("key", [1, (1,), (), (1, 1, None, 0, 0), "12"])
def test_a_configuration_has_two_to_four_parts(machine: Machine, key: Any) -> None:
    with pytest.raises(lp.ConfigurationError, match=r"keep\[grid, block\], keep\[grid, block, stream\]"):
        Keeper(machine).kernel[key]


def test_launch_bounds_are_kept(machine: Machine) -> None:
    keep = Keeper(machine, max_threads=64)
    assert configuration(machine, keep, 1, 64)[1] == (64, 1, 1)
    with pytest.raises(lp.ConfigurationError, match="a block of at most 64 threads on Simulated, got 65"):
        keep.kernel[1, 65]


def test_dynamic_shared_memory(machine: Machine) -> None:
    keep = Keeper(machine, dynamic_shared=True, shared=1024)
    assert configuration(machine, keep, 1, 1, keep.stream, 48128)[2] == 48128
    assert configuration(machine, keep, 1, 1, keep.stream, 0)[2] == 0
    with pytest.raises(lp.ConfigurationError, match="48129 bytes of dynamic and 1024 of static shared memory"):
        keep.kernel[1, 1, keep.stream, 48129]
    for wrong in (-1, 1.5, "8", None):
        with pytest.raises(lp.ConfigurationError, match="expected dynamic shared memory in bytes"):
            keep.kernel[1, 1, keep.stream, wrong]


def test_dynamic_shared_memory_without_a_declaration_is_not_asked_for(machine: Machine) -> None:
    """As in CUDA: what a kernel declares may depend on its template, or be lost to the optimizer."""
    keep = Keeper(machine)
    assert configuration(machine, keep, 1, 1, keep.stream, 4)[2] == 0
    assert configuration(machine, keep, 1, 1, keep.stream, 0)[2] == 0


@pytest.mark.machine(parameter_bytes=64)
def test_more_parameter_bytes_than_the_device_takes(machine: Machine) -> None:
    Keeper(machine, "struct64")
    with pytest.raises(lp.ConfigurationError, match="keep has 72 bytes of arguments; Simulated takes at most 64"):
        Keeper(machine, "struct64", "int32")


@pytest.mark.parametrize("stream", [1, "stream", object()])
def test_what_is_no_stream(machine: Machine, stream: Any) -> None:
    with pytest.raises(lp.SignatureError, match=r"keep: expected a stream \(third\), got the"):
        Keeper(machine).kernel[1, 1, stream]


@pytest.mark.machine(devices=2)
def test_a_stream_of_another_device(machine: Machine) -> None:
    far = machine.devices[1].legacy_stream
    with pytest.raises(
        lp.ArgumentValueError, match="the kernel's device, got a stream of 'Simulated 1': create it with"
    ):
        Keeper(machine).kernel[1, 1, far]


def test_a_launch_to_keep(machine: Machine) -> None:
    keep = Keeper(machine)
    launch = keep.kernel.bind((4, 2), 8, stream=keep.stream)
    launch()
    launch()
    keep.kernel.bind(grid=3, block=(8, 2), shared=0, stream=keep.stream)()
    keep.stream.synchronize()
    assert [(call.grid, call.block) for call in keep.calls] == [((4, 2, 1), (8, 1, 1))] * 2 + [((3, 1, 1), (8, 2, 1))]
    with pytest.raises(
        lp.ConfigurationError, match="keep: expected the block as an int or a tuple of up to three ints, got None"
    ):
        keep.kernel.bind(1, None)


def test_a_kernel_needs_a_configuration(machine: Machine) -> None:
    with pytest.raises(TypeError, match=r"mix: expected a grid and a block: mix\[grid, block\]\(...\)"):
        machine.kernel()(1, 2, 3)


def test_a_kernel_says_what_it_takes(machine: Machine) -> None:
    mix = machine.kernel()
    assert (mix.name, mix.signature, mix.device) == ("mix", MIX, machine.device)
    assert repr(mix).startswith("<Kernel mix(unsigned int *dst, const unsigned int *src, unsigned int n, ")
    assert "n: unsigned int, 4, 16" in (mix.__doc__ or "")


def test_the_class_says_how_to_launch(machine: Machine) -> None:
    assert "kernel[grid, block, stream, shared]" in (lp.Kernel.__doc__ or "")
    assert "kernel[grid, block, stream, shared]" in pydoc.render_doc(lp.Kernel)
    assert "n: unsigned int, 4, 16" in pydoc.render_doc(machine.kernel())


@pytest.mark.compiles
def test_a_program_of_the_simulated_device(machine: Machine) -> None:
    machine.machine.implement("twice", twice, [("pointer", 0, 8, False, (1, 4)), ("uint", 8, 4, True)])
    source = "__global__ void twice(unsigned int *x, unsigned int n) { }"
    program = lp.compile(source, machine.device)
    (a,) = arrays(machine, 1)
    a.fill(21)
    program.twice[1, 1](a, n=16)
    np.testing.assert_array_equal(a.to_numpy(), np.full(16, 42, np.uint32))
    assert [kernel.name for kernel in program] == ["twice"]
    with pytest.raises(AttributeError, match="no kernel 'thrice'; it has twice"):
        program.thrice  # noqa: B018
    with pytest.raises(KeyError, match="no kernel 'thrice'"):
        program["thrice"]


def twice(call: Any) -> None:
    pointer, n = call.args
    call.view(pointer, n, "u4")[:] *= 2


STRUCT = Parameter("p", "const Params *", "pointer", 8, 8, 0, None, True)


@pytest.mark.parametrize(
    ("parameters", "no_fields", "why"),
    [
        ((), "", "it has no parameters"),
        ((STRUCT, Parameter("n", "int", "int32", 4, 4, 8)), "", "it has 2 parameters"),
        ((Parameter("n", "int", "int32", 4, 4, 0),), "", "its parameter is not a pointer"),
        ((replace(STRUCT, pointee="float32"),), "", "its parameter points to float32, which is not a struct"),
        ((STRUCT,), "Params is a union", "Params is a union"),
        ((STRUCT,), "", "the program does not contain the type that its parameter points to"),
    ],
)
def test_by_fields_says_why_not(machine: Machine, parameters: tuple[Parameter, ...], no_fields: str, why: str) -> None:
    of = Signature("mix", parameters, 16, no_fields=no_fields)
    kernel = lp.Kernel(machine.kernel()._driver, machine.device, of)
    with pytest.raises(
        lp.SignatureError, match=rf"^mix\(.*\): by_fields: expected a kernel .* of named fields: {why}$"
    ):
        kernel.by_fields  # noqa: B018
