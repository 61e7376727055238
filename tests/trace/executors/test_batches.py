"""Batches, and what becomes of them when processes are lost."""

from launchpath._trace.executors.batches import Batches, cut
from launchpath._trace.executors.inputs import Input
from launchpath._trace.executors.outcome import Outcome


def files(*sizes: int) -> list[Input]:
    return [Input(f"f{number}", size) for number, size in enumerate(sizes)]


def test_each_file_is_in_one_batch() -> None:
    inputs = files(*range(0, 30_000_000, 10_000))
    batches = cut(inputs, 2)
    assert sorted(each.path for batch in batches for each in batch) == sorted(each.path for each in inputs)
    assert 20 <= len(batches) <= 30  # 48 s, 2 s each


def test_large_files_come_first_and_alone() -> None:
    batches = cut(files(100, 9_000_000_000, 200, 3_000_000_000), 2)
    assert [[each.path for each in batch] for batch in batches] == [["f1"], ["f3"], ["f2", "f0"]]


def test_batches_have_a_length_whatever_there_is() -> None:
    assert len(cut(files(*[1000] * 100_000), 1)) == 51  # 100 s, 2 s each
    assert len(cut(files(*[1000] * 40), 64)) == 1
    assert cut([], 2) == []


def lose(batches: Batches, deadly: set[str]) -> list[str]:
    """Read all; who reads a deadly file is lost. Gives the files that were read."""
    done: list[str] = []
    while (batch := batches.take()) is not None:
        if deadly & {each.path for each in batch.inputs}:
            batches.lost(batch, "was killed by SIGKILL")
        else:
            done += [each.path for each in batch.inputs]
    return done


def test_an_accident_is_read_again() -> None:
    outcome = Outcome()
    batches = Batches(files(1, 2, 3), 1, outcome)
    batch = batches.take()
    assert batch is not None
    batches.lost(batch, "was killed by SIGKILL")
    assert sorted(lose(batches, set())) == ["f0", "f1", "f2"] and not outcome.left_out
    assert outcome.losses == ["a process that read 3 files was killed by SIGKILL: they are read again"]


def test_a_deadly_file_is_left_out_alone() -> None:
    outcome = Outcome()
    inputs = files(*[1] * 50)
    done = lose(Batches(inputs, 1, outcome), {"f7", "f31"})
    assert sorted([*done, "f7", "f31"]) == sorted(each.path for each in inputs)
    assert sorted(outcome.left_out) == [
        ("f31", "each process that read it was killed by SIGKILL"),
        ("f7", "each process that read it was killed by SIGKILL"),
    ]
    assert len(outcome.losses) < 16  # each deadly file costs as many as halves do
