"""Condensed traces merge: any split of the files, in any order, gives the same bytes."""

import random
from pathlib import Path

import pytest

from launchpath._trace.condensed import condensed as condensed_module
from launchpath._trace.condensed.condense import condensed_file, condensed_files
from launchpath._trace.condensed.condensed import Condensed
from launchpath._trace.condensed.packing import pack, unpack, write
from launchpath._trace.summaries.summary import Summary
from tests.sample import amount
from tests.trace.condensed import random_slots

FILES = 50


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    folder = tmp_path_factory.mktemp("files")
    return [pack(condensed_file(random_slots.write(folder / f"{seed}", seed))) for seed in range(FILES)]


def merged(draw: random.Random, parts: list[bytes]) -> Condensed:
    """Merge in a random order, and in a random tree."""
    drawn = draw.sample(parts, len(parts))
    if len(drawn) == 1:
        return unpack(drawn[0], "part")
    if draw.random() < 0.3:  # one after the other
        result = Condensed()
        for part in drawn:
            result.merge(unpack(part, "part"))
        return result
    half = draw.randrange(1, len(drawn))
    result = merged(draw, drawn[:half])
    result.merge(merged(draw, drawn[half:]))
    if draw.random() < 0.1:  # through a file
        result = unpack(pack(result), "part")
    return result


@pytest.mark.parametrize("few", [False, True])
def test_any_split_and_order_gives_the_same(monkeypatch: pytest.MonkeyPatch, packed: list[bytes], few: bool) -> None:
    if few:  # rows for which there is no room
        monkeypatch.setattr(condensed_module, "THREADS_MOST", 20)
        monkeypatch.setattr(condensed_module, "TURNS_MOST", 15)
    draw = random.Random(few)
    expected = merged(draw, packed)
    assert len(expected.threads) == expected.n_threads or few
    whole = pack(expected)
    for _ in range(amount(10, 500)):
        assert pack(merged(draw, packed)) == whole
    assert len(unpack(whole, "whole").processes) == FILES


def test_nothing_that_is_summed_up_is_the_same_in_all_files(packed: list[bytes]) -> None:
    """Or orders would not be told apart."""
    parts = [unpack(part, "part") for part in packed]
    for name in condensed_module.TABLES:
        different = {str([(key, row.total) for key, row in part.tables[name].in_order()]) for part in parts}
        assert len(different) > 1, name
    assert len({tuple(part.tracing) for part in parts}) > 1
    assert (
        len({str(part.counters) for part in parts}) > 3
        and len({part.turns[0].name for part in parts if part.turns}) > 1
    )


def test_merging_with_nothing_changes_nothing(packed: list[bytes]) -> None:
    for part in packed[:5]:
        left, right = Condensed(), unpack(part, "part")
        left.merge(unpack(part, "part"))
        right.merge(Condensed())
        assert pack(left) == pack(right) == part


def test_sums_are_those_of_the_parts(packed: list[bytes]) -> None:
    parts = [unpack(part, "part") for part in packed]
    whole = merged(random.Random(1), packed)
    assert whole.slots == sum(part.slots for part in parts)
    for name, table in whole.tables.items():
        for key, row in table.items():
            rows = [part.tables[name][key] for part in parts if key in part.tables[name]]
            for column in ("calls", "failed", "total", "squares", "nested", "amount"):
                assert getattr(row, column) == sum(getattr(each, column) for each in rows), (name, key, column)
            counted = [each for each in rows if each.calls]
            assert row.shortest == min((each.shortest for each in counted), default=0)
            assert row.longest == max((each.longest for each in counted), default=0)
            assert sum(row.buckets.sums()[1].tolist()) == sum(sum(each.buckets.sums()[1].tolist()) for each in rows)


def test_files_of_both_kinds(tmp_path: Path) -> None:
    paths = [random_slots.write(tmp_path / f"{seed}", seed) for seed in range(4)]
    write(condensed_files(paths[:2]), tmp_path / "two.lpsum")
    assert pack(condensed_files([tmp_path / "two.lpsum", *paths[2:]])) == pack(condensed_files(paths))


def test_a_summary_is_made_of_it(packed: list[bytes]) -> None:
    summary = Summary.of(merged(random.Random(2), packed))
    assert len(summary.processes) == FILES and str(summary) and summary.as_json()["slots"] == summary.slots
