"""``launchpath bench launch``: the rows of C++, Numba and HIP's API."""

import pytest

import launchpath as lp
from launchpath._bench import callers, launch, native
from launchpath._bench.measure import Size
from launchpath._bench.result import Result, Row


def test_each_caller_has_its_rows(device_id, device):
    result = launch.run(device, Size(blocks=2, launches=10))
    rows = {(row.subject, row.case.get("configuration"), row.case.get("launching_threads")) for row in result.rows}
    assert {("c++", words, None) for words in callers.WAYS.values()} <= rows
    assert {(subject, None, threads) for subject in ("c", "c++") for threads in callers.THREADS} <= rows
    assert {("numba", None, None), ("hip", None, None)} <= rows
    assert result.find("hip", arguments=4).us > 0
    assert lp.registered() == []


def test_without_a_compiler_its_rows_are_left_out(device_id, device, monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler")
    result = launch.run(device, Size(blocks=1, launches=5))
    assert [name for name, _ in result.left_out if name == "c++"] == ["c++"]
    assert not [row for row in result.rows if row.subject == "c++"]
    assert native.shared_library is callers.shared_library


@pytest.mark.parametrize(("us", "met"), [(6.0, True), (7.0, False)])
def test_the_time_until_the_start_is_bounded(us, met):
    result = Result("launch", "a GPU")
    waits = {"arguments": 2, "synchronize": True}
    result.rows = [Row.of("c", {"arguments": 2}, [4.0]), Row.of("c", waits, [5.5]), Row.of("c++", waits, [us])]
    callers.figures(result, gpu=True)
    (figure,) = [figure for figure in result.figures if figure.at_most is not None]
    assert figure.met is met
