"""Results of runs compared."""

from typing import Any

import pytest

from launchpath._proof.results import compare
from launchpath._proof.run import Run


def ran(code: int = 0, output: str = "sum 3\n", errors: str = "", **sites: Any) -> Run:
    """A run that read these hashes, by site."""
    reads = {site: {"count": 2, "bytes": 8, "hash": text} for site, text in (sites or {"a": "x"}).items()}
    return Run(code, output.encode(), errors, [], [{"read_backs": {"sites": reads}, "forced": []}])


def test_the_same_results() -> None:
    found = compare(ran(), ran(), ran())
    assert not found.different and not found.unsteady and found.tells
    assert str(found) == "results are the same: the exit code, the standard output, 2 read-backs"


@pytest.mark.parametrize(
    ("mended", "words"),
    [
        (ran(code=1, errors="Traceback\nKeyError: 3\n"), "exit code 1, expected 0 (KeyError: 3)"),
        (ran(code=-11), "exit code -11, expected 0"),
        (ran(output="sum 4\n"), "line 1 of the standard output is 'sum 4', expected 'sum 3'"),
        (ran(output=""), "the standard output has 0 lines and 0 bytes, expected 1 and 6"),
        (ran(output="sum 3\nmore\n"), "the standard output has 2 lines and 11 bytes, expected 1 and 6"),
        (ran(a="y"), "what is read at a is not the same"),
        (ran(b="x"), "what is read at a is not the same (0 reads, expected 2)"),
    ],
)
def test_other_results_are_told(mended: Run, words: str) -> None:
    found = compare(mended, ran(), ran())
    assert str(found).startswith("with the mend the program gives other results: ")
    assert words in found.different


def test_a_new_site_is_another_result() -> None:
    found = compare(ran(a="x", b="z"), ran(), ran())
    assert found.different == ("what is read at b is not the same (2 reads, expected 0)",)


def test_what_differs_without_the_mend_is_not_compared() -> None:
    found = compare(ran(a="1", b="x"), ran(a="2", b="x"), ran(a="3", b="x"))
    assert found.unsteady == ("what is read at a",)
    assert found.tells
    assert str(found) == (
        "results are the same: the exit code, the standard output, 2 read-backs (not compared, since two runs without "
        "the mend differ: what is read at a)"
    )


def test_times_in_the_output_are_left_out_and_its_other_lines_are_not() -> None:
    def text(time: int, value: int = 3) -> Run:
        return ran(output=f"took {time} s\nsum {value}\n")

    same = compare(text(1), text(2), text(3))
    assert same.unsteady == ("1 lines of the standard output",)
    assert "1 lines of the standard output" in same.same and same.tells
    other = compare(text(1, 4), text(2), text(3))
    assert other.different == ("line 2 of the standard output is 'sum 4', expected 'sum 3'",)
    fewer = compare(ran(output="took 1 s\n"), text(2), text(3))
    assert fewer.different == ("the standard output has 1 lines, expected 2",)


def test_a_program_that_is_never_the_same() -> None:
    found = compare(ran(output="1\n", a="1"), ran(output="2\n", a="2"), ran(output="3\n", a="3"))
    assert not found.different and not found.tells
    assert str(found) == "results cannot be compared: two runs without the mend differ too"


def test_a_program_that_reads_and_writes_nothing() -> None:
    nothing = Run(0, b"", "", [], [])
    assert compare(nothing, nothing, nothing).tells


def test_effects_of_several_processes_are_added() -> None:
    def effect(count: int, **refused: int) -> dict[str, Any]:
        facts = {"mend": "step:a", "kind": "step", "effects": count, "ns": 10, "not_needed": 1, "refused": refused}
        return {"forced": [facts]}

    run = Run(0, b"", "", [], [effect(2, why=1), effect(3, why=2, other=1), {}])
    assert run.forced() == [
        {"mend": "step:a", "kind": "step", "effects": 5, "ns": 20, "not_needed": 2, "refused": {"why": 3, "other": 1}}
    ]
