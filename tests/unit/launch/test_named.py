"""Arguments by name: what is remembered of a call's spelling must never reach another call."""

import itertools

import pytest

import launchpath as lp
from tests.simulated import Machine
from tests.threads import at_once
from tests.unit.support.kernels import Keeper


def test_every_order_of_the_names(machine: Machine) -> None:
    keep = Keeper(machine, "int32", "int32", "int32", "int32")
    for before in range(5):
        for names in itertools.permutations("abcd"[before:]):
            values = {"a": 1, "b": 2, "c": 3, "d": 4}
            for _ in range(2):  # looked up, and remembered
                assert keep(*(1, 2, 3, 4)[:before], **{name: values[name] for name in names}) == (1, 2, 3, 4)


def test_a_spelling_counts_for_its_own_number_of_positions(machine: Machine) -> None:
    keep = Keeper(machine, "int32", "int32", "int32")
    names = {"b": 2, "c": 3}
    for _ in range(2):
        assert keep(1, **names) == (1, 2, 3)
        with pytest.raises(lp.SignatureError, match="missing arguments for 'a'"):
            keep(**names)
        with pytest.raises(lp.SignatureError, match="parameter 'b' was passed by position and by name"):
            keep(1, 2, **names)


def test_wrong_names_are_refused_before_and_after_right_ones(machine: Machine) -> None:
    keep = Keeper(machine, "int32", "int32")
    for _ in range(3):
        with pytest.raises(lp.SignatureError, match="has no parameter 'x'"):
            keep(1, x=2)
        with pytest.raises(lp.SignatureError, match="missing arguments for 'b'"):
            keep(a=1)
        assert keep(1, b=2) == (1, 2)


def test_names_that_are_equal_and_not_the_same_object(machine: Machine) -> None:
    keep = Keeper(machine, "int32", "int32")
    for i in range(40):  # more than are remembered, if each were a spelling of its own
        names = {"".join(["a"]): i, "".join(["b"]): -i}
        assert keep(**names) == (i, -i)


def test_more_spellings_than_are_remembered(machine: Machine) -> None:
    keep = Keeper(machine, "int32", "int32", "int32", "int32")
    values = {"a": 1, "b": 2, "c": 3, "d": 4}
    for _ in range(2):
        for names in itertools.permutations("abcd"):  # 24
            assert keep(**{name: values[name] for name in names}) == (1, 2, 3, 4)


def test_two_kernels_with_the_same_names_in_another_order(machine: Machine) -> None:
    first, second = Keeper(machine, "int32", "float64"), Keeper(machine, "float64", "int32")
    for _ in range(2):
        assert first(a=1, b=2.5) == (1, 2.5)
        assert second(a=2.5, b=1) == (2.5, 1)


def test_more_parameters_than_are_remembered(machine: Machine) -> None:
    keep = Keeper(machine, *["int32"] * 100)
    names = [parameter.name for parameter in keep.signature.parameters]
    for _ in range(2):
        assert keep(**{name: i for i, name in reversed(list(enumerate(names)))}) == tuple(range(100))


def test_no_names_at_all(machine: Machine) -> None:
    keep = Keeper(machine, "int32")
    assert keep(1, **{}) == (1,)
    assert keep(*[1], **{}) == (1,)
    nothing = Keeper(machine)
    assert nothing(**{}) == ()


def test_values_that_need_a_closer_look(machine: Machine) -> None:
    keep = Keeper(machine, "int32", "float32")
    for _ in range(2):
        with pytest.raises(TypeError, match="parameter 1"):
            keep(b="text", a=1)
        assert keep(b=True, a=2) == (2, 1.0)


def test_several_threads_with_spellings_of_their_own(machine: Machine) -> None:
    machine.machine.automatic = True
    keep = Keeper(machine, "int32", "int32", "int32", "int32")
    orders = list(itertools.permutations("abcd"))
    values = {"a": 1, "b": 2, "c": 3, "d": 4}
    launch = keep.kernel[1, 1, keep.stream]

    def work(seed: int) -> None:
        for turn in range(100):
            names = orders[(seed * 5 + turn) % len(orders)]
            launch(**{name: values[name] for name in names})

    at_once(work, range(4))
    keep.stream.synchronize()
    assert [call.args for call in keep.calls] == [(1, 2, 3, 4)] * 400
