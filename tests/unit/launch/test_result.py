"""What a launch of a kernel that returns values gives, on the simulated driver: how it is read, and when."""

import copy
import operator
import pickle
import threading

import numpy as np
import pytest

import launchpath as lp
from tests.fixtures import calls
from tests.simulated import Machine
from tests.unit.support.kernels import Keeper
from tests.unit.support.streams import KINDS, each
from tests.unit.support.tally import BINS, kernel, put

stream = each(*KINDS)


def test_a_value_comes_back(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine, run=put).returning("total")[1, 1, stream]
    value = launch(7, None, None, None)
    assert isinstance(value, lp.Result)
    assert repr(value) == "<Result total, not read>"
    assert (float(value), int(value), bool(value)) == (7.0, 7, True)
    assert isinstance(value.get(), np.uint32)
    assert value.total == value["total"] == 7
    assert np.asarray(value) == 7
    assert np.asarray(value, "float64").dtype == np.float64
    assert repr(value) == "<Result total=7>"


def test_several_are_named(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine).returning("total", bins=(2, 2), zero=True)[1, 1, stream]
    value = launch(5, None, None)
    assert repr(value) == "<Result total, bins, not read>"
    np.testing.assert_array_equal(value.bins, [[5, 6], [7, 8]])
    assert value.total == value[0] == value["total"] == 5
    assert value[-1] is value.bins
    assert len(value) == 2
    total, bins = value
    assert (total, bins.dtype) == (5, np.float32)
    assert value.get()[1] is bins
    assert repr(value) == "<Result total=5, bins: float32 (2, 2)>"
    assert {"total", "bins", "get"} <= set(dir(value))
    with pytest.raises(TypeError, match=r"float\(\) takes a single value, the result has total, bins: .* result.total"):
        float(value)
    with pytest.raises(TypeError, match="numpy.asarray takes a single value"):
        np.asarray(value)
    with pytest.raises(KeyError, match="'other'"):
        value["other"]
    with pytest.raises(IndexError, match="result 2 of 2"):
        value[2]
    with pytest.raises(AttributeError, match="no attribute 'other'"):
        value.other  # noqa: B018


def test_an_array_alone(machine: Machine, stream: lp.Stream) -> None:
    value = kernel(machine).returning(bins=BINS)[1, 1, stream](lp.empty(1, "uint32", machine.device), 1, None, None)
    np.testing.assert_array_equal(np.asarray(value), [1, 2, 3, 4])
    np.testing.assert_array_equal(value.get(), [1, 2, 3, 4])
    with pytest.raises(TypeError, match="bins has 4: result.get"):
        float(value)
    with pytest.raises(TypeError, match="returns bins only"):
        value[0]


def test_reading_what_is_known_to_be_complete_asks_nobody(machine: Machine, stream: lp.Stream) -> None:
    launch = kernel(machine, run=put).returning("total")[1, 1, stream]
    value = launch(1, None, None, None)
    stream.synchronize()
    calls(machine)
    assert value.done
    assert int(value) == 1
    assert not calls(machine)


def test_done_does_not_block_and_reading_waits_for_its_own_point(machine: Machine) -> None:
    stream = lp.Stream(blocking=False, device=machine.device)
    launch = kernel(machine, run=put).returning("total")[1, 1, stream]
    with stream.hold():
        value = launch(1, None, None, None)
        assert not value.done
        assert repr(value) == "<Result total, not read>"
    with stream.hold():
        other = launch(2, None, None, None)
        assert int(value) == 1  # while the stream is held back again
        assert value.done
        assert not other.done
    assert int(other) == 2


def test_threads_read_the_same_result(machine: Machine, stream: lp.Stream) -> None:
    launch, seen = kernel(machine, run=put).returning("total")[1, 1, stream], []
    for turn in range(10):
        with stream.hold():
            value = launch(turn, None, None, None)
            threads = [threading.Thread(target=lambda: seen.append(int(value))) for _ in range(3)]  # noqa: B023
            for thread in threads:
                thread.start()
            threads[0].join(0.005)  # all are waiting by then
        for thread in threads:
            thread.join()
        pair = launch(7, None, None, None), launch(8, None, None, None)  # its memory went back once
        assert [int(number) for number in pair] == [7, 8]
    assert seen == [turn for turn in range(10) for _ in range(3)]


@pytest.mark.parametrize("synchronized", [False, True])
@pytest.mark.parametrize("number", [1, 2])
def test_reading_tells_of_a_failure_each_time(machine: Machine, number: int, synchronized: bool) -> None:
    """Of the launch, command 1, or of the copy."""
    stream = lp.Stream(blocking=False, device=machine.device)
    machine.machine.fail_command(0, 1, number)
    launch = kernel(machine, run=put).returning("total")[1, 1, stream]
    value = launch(1, None, None, None)
    if synchronized:
        with pytest.raises(lp.AsynchronousError):
            stream.synchronize()
    for _ in range(2):
        with pytest.raises(lp.AsynchronousError):
            int(value)
    assert repr(value) == "<Result total, not read>"
    if not synchronized:
        with pytest.raises(lp.AsynchronousError):
            stream.synchronize()
    assert int(launch(2, None, None, None)) == 2


def test_a_number_that_returns_is_used_as_a_number(machine: Machine) -> None:
    launch = kernel(machine, run=put).returning("total")[1, 1]
    assert [10, 20, 30][launch(2, None, None, None)] == 30
    assert f"{launch(7, None, None, None):>4}" == "   7"
    assert (item := launch(7, None, None, None).item()) == 7 and type(item) is int
    assert f"{launch(7, None, None, None)}" == "<Result total, not read>"
    bins = kernel(machine).returning(bins=BINS, zero=True)[1, 1]
    launcher = kernel(machine).returning("bins")[1, 1]
    total = lp.empty(1, "uint32", machine.device)
    with pytest.raises(TypeError, match="expected an int as an index, got bins, which is float32"):
        [][launcher(total, 1, None, None)]
    with pytest.raises(TypeError, match="the format '.2f' takes a single value, bins has 4"):
        f"{bins(total, 1, None, None):.2f}"
    for several in (operator.index, lp.Result.item):
        with pytest.raises(TypeError, match="takes a single value, bins has 4"):
            several(bins(total, 1, None, None))


@pytest.mark.parametrize(
    ("kind", "match"),
    [
        ("int32", r"expected an int, got the Result <Result total, not read>: pass int\(result\), which waits"),
        ("float32", r"expected a number, got the Result .*: pass float\(result\), which waits"),
        ("bool", r"expected a bool, got the Result .*: pass bool\(result\), which waits"),
        (
            "pointer",
            "expected an array on the device, got the Result .*: launch the kernel that returns it with an array",
        ),
    ],
)
def test_a_result_is_no_argument(machine: Machine, kind: str, match: str) -> None:
    value = kernel(machine, run=put).returning("total")[1, 1](7, None, None, None)
    with pytest.raises(lp.SignatureError, match=match):
        Keeper(machine, kind)(value)


def test_a_result_is_of_this_process(machine: Machine) -> None:
    value = kernel(machine, run=put).returning("total")[1, 1](1, None, None, None)
    for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"result.get\(\)") as raised:
            attempt(value)
        assert type(raised.value) is TypeError
