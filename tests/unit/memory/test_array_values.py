"""What an array shows of its values, and what it refuses, with what to use instead."""

import math
import operator
import pydoc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from tests.fixtures import calls, kinds
from tests.simulated import Machine


def test_a_single_element_is_a_number(machine: Machine) -> None:
    ints, complexes = (lp.asarray(data, device=machine.device) for data in ([[3, 4]], [1 + 2j]))
    assert (ints[0, 1].item(), type(ints[0, 1].item())) == (4, int)
    assert (int(ints[0, 0]), float(ints[0, 0]), complex(ints[0, 0]), complex(complexes)) == (3, 3.0, 3 + 0j, 1 + 2j)
    assert type(float(ints[0, 0])) is float
    assert (f"{ints[0, 0]:03d}", math.sqrt(ints[0, 1]), ints.tolist()) == ("003", 2.0, [[3, 4]])
    assert f"{ints[0, 0]}" == str(ints[0, 0]) == "<Array () int64 on 'Simulated': 3>"
    with pytest.raises(TypeError):
        float(complexes)
    for use in (ints.item, lambda: float(ints), lambda: int(ints[0:0]), lambda: complex(ints), lambda: f"{ints:d}"):
        with pytest.raises(TypeError, match="takes a single element, got an array of [02]"):
            use()


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (np.arange(3, dtype="u1"), "<Array (3,) uint8 on 'Simulated': [0 1 2]>"),
        (np.zeros((2, 2), "f2"), "<Array (2, 2) float16 on 'Simulated':\n[[0. 0.]\n [0. 0.]]>"),
        (np.zeros((0, 3)), "<Array (0, 3) float64 on 'Simulated': []>"),
        (np.float32(1.5), "<Array () float32 on 'Simulated': 1.5>"),
        (np.array([(1, 2.0)], "i4,f4"), "<Array (1,) [('f0', '<i4'), ('f1', '<f4')] on 'Simulated': [(1, 2.)]>"),
    ],
)
def test_the_values_are_shown(machine: Machine, data: Any, text: str) -> None:
    assert repr(lp.asarray(data, device=machine.device)) == text


@pytest.mark.parametrize("shape", [(1001,), (2, 600), (600, 2), (11, 11, 11), (7, 8, 9, 10), (2,) * 10, (1, 5000, 1)])
@pytest.mark.parametrize("options", [{}, {"edgeitems": 1}, {"threshold": 5, "edgeitems": 2}, {"threshold": 10**6}])
def test_they_are_shortened_as_numpys(machine: Machine, shape: Any, options: Any) -> None:
    data = np.random.default_rng(1).standard_normal(shape).astype("f4")
    array = lp.asarray(data, device=machine.device)
    with np.printoptions(**options):
        assert repr(array).partition("'Simulated':")[2].strip() == f"{data}>"


def test_a_large_array_is_not_copied_to_be_shown(machine: Machine) -> None:
    array = lp.zeros((1000, 1000), "f4", machine.device)
    calls(machine)
    assert "..." in repr(array)
    assert machine.machine.calls["downloaded"] == 4 * 3 * 3 * 4  # bytes: 3 rows of 3 elements at each corner
    assert calls(machine)["copy"] == 12
    many = lp.zeros((7,) * 7, "u1", machine.device)
    assert repr(many).endswith("too many axes to show>")


def test_what_cannot_be_read_is_named_alone(machine: Machine) -> None:
    array = lp.zeros(4, "f4", machine.device)
    seen: list[str] = []
    machine.device.legacy_stream.host_function(lambda: seen.append(repr(array)))
    machine.device.synchronize()
    assert seen[0].startswith("<Array (4,) float32 on 'Simulated', not read: a host function cannot wait for")
    array.free()
    assert repr(array) == "<Array (4,) float32 on 'Simulated', freed>"


@pytest.mark.machine(check=False)
def test_a_failure_is_not_hidden(machine: Machine) -> None:
    array, (stream,) = lp.zeros(4, "f4", machine.device), machine.streams(("nonblocking",))
    machine.machine.fail_command(0, 1, 1)
    array.fill(1, stream)
    with pytest.raises(lp.AsynchronousError):
        repr(array)
    machine.device.synchronize()
    assert kinds(machine) <= {"race"}


OPERATORS: list[Callable[[Any, Any], Any]] = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow, operator.matmul,
    operator.lshift, operator.rshift, operator.and_, operator.or_, operator.xor, divmod, operator.lt, operator.le, operator.gt,
    operator.ge, operator.iadd, operator.imul,
]  # fmt: skip


@pytest.mark.parametrize("use", OPERATORS, ids=lambda use: use.__name__)
def test_operators_are_refused_from_both_sides(machine: Machine, use: Callable[[Any, Any], Any]) -> None:
    array = lp.ones(4, "f4", machine.device)
    for other in (2, 2.0, np.float32(2), np.ones(4, "f4"), array, [1]):
        for left, right in ((array, other), (other, array)):
            with pytest.raises(
                TypeError, match=r"does not compute, got .*: write a kernel, use numpy.from_dlpack\(array\)"
            ):
                use(left, right)


def test_so_are_those_of_a_single_array(machine: Machine) -> None:
    array, other = lp.ones(4, "f4", machine.device), lp.ones(4, "f4", machine.device)
    for use in (operator.neg, operator.pos, operator.invert, abs, round):
        with pytest.raises(TypeError, match="does not compute"):
            use(array)  # type: ignore[operator, arg-type]
    for compare in (lambda: array == 1, lambda: array != other, lambda: np.ones(4, "f4") == array, lambda: 1 in array):
        with pytest.raises(TypeError, match="cannot be compared"):
            compare()
    with pytest.raises(TypeError, match="no truth value"):
        bool(array)


@pytest.mark.machine(host_accessible=False)
def test_only_what_works_there_is_named(machine: Machine) -> None:
    with pytest.raises(TypeError) as caught:
        _ = lp.ones(4, device=machine.device) + 1  # type: ignore[operator]
    assert str(caught.value).endswith("write a kernel, or compute on the host with array.to_numpy()")


def test_identity_is_what_sets_and_dicts_go_by(machine: Machine) -> None:
    array, other = lp.zeros(4, device=machine.device), lp.zeros(4, device=machine.device)
    assert {array: 1, other: 2}[array] == 1
    assert len({array, other, array}) == 2
    assert array in [array]


@pytest.mark.parametrize(
    ("name", "instead"),
    [("sum", "write a kernel"), ("T", "stay in C's order. Write a kernel"), ("get", "use to_numpy()"), ("ravel", "reshape(-1)"),
     ("to_host", "use to_numpy()"), ("copy_to_device", "use copy_from"), ("cuda", "launchpath.asarray"), ("data_ptr", "use pointer"), ("strides", "C-contiguous")],
)  # fmt: skip
def test_names_of_other_arrays_are_refused(machine: Machine, name: str, instead: str) -> None:
    array = lp.zeros(4, device=machine.device)
    with pytest.raises(AttributeError) as caught:
        getattr(array, name)
    assert str(caught.value).startswith(f"an Array has no attribute {name!r}: ") and instead in str(caught.value)
    assert not hasattr(array, name) and not hasattr(lp.Array, name)
    assert name not in dir(array) and f"\n |  {name}" not in pydoc.plain(pydoc.render_doc(lp.Array))
    assert not hasattr(lp.Array, "__add__")


def test_functions_of_numpy_take_it_as_host_data(machine: Machine) -> None:
    array = lp.arange(4, dtype="f4", device=machine.device)
    assert (np.sum(array), np.mean(array), np.sin(array)[0]) == (6, 1.5, 0)
    assert (np.add(array, 1) == [1, 2, 3, 4]).all() and type(np.add(array, 1)) is np.ndarray
    assert np.array_equal(array, [0, 1, 2, 3])  # type: ignore[arg-type]


def test_it_copies_into_an_array_that_exists(machine: Machine) -> None:
    data = np.arange(12, dtype="i4").reshape(3, 4)
    array, out = lp.asarray(data, device=machine.device), np.zeros((3, 4), "i4")
    assert array.to_numpy(out=out) is out
    assert (out == data).all()
    assert array[1].to_numpy(out=out[2]).tolist() == out[2].tolist() == data[1].tolist()
    for bad, message in (
        (np.zeros((4, 3), "i4").T, r"C-contiguous, writeable .* strides \(4, 12\): use out\[\.\.\.\] = array"),
        (np.zeros((3, 4), "i8"), "and int32, got .* int64"),
        (np.zeros((3, 4), ">i4"), "and int32, got .* >i4"),
        (np.ma.masked_array(out), "without a mask"),
        (array, "expected a NumPy array as `out`"),
        ([0], "expected a NumPy array as `out`"),
    ):
        with pytest.raises(lp.ArgumentValueError, match=message):
            array.to_numpy(out=bad)  # type: ignore[arg-type]
