"""Ranks as a table, as sentences, as a picture in the terminal and as SVG."""

import json
from xml.etree import ElementTree

import numpy as np
import pytest

from launchpath._trace.condensed.condensed import Condensed
from launchpath._trace.summaries.rank_picture import COLUMNS, ROWS, picture, svg
from launchpath._trace.summaries.ranks import Ranks
from launchpath._trace.summaries.summary import Summary
from tests.trace.summaries.made_up import MS, USUAL, lockstep, row


def ranks(count: int, steps: int = 40, slow: int = 3) -> Ranks:
    works = [[USUAL] * steps for _ in range(count)]
    works[slow] = [USUAL | {"copy": 8 * MS} if 10 <= step < 20 else USUAL for step in range(steps)]
    result = Ranks.of(lockstep(works))
    assert result is not None
    return result


def test_a_picture() -> None:
    *rows, last = picture(ranks(8))
    assert rows[3] == "rank 3 |" + " " * 10 + "#" * 10 + " " * 20
    assert [line.rstrip() for line in rows[:3]] == ["rank 0 |", "rank 1 |", "rank 2 |"]
    assert last.endswith("a column is a step")


@pytest.mark.parametrize(("count", "steps"), [(2, 1), (16, 64), (17, 64), (40, 200)])
def test_a_picture_fits(count: int, steps: int) -> None:
    result = ranks(count, steps, 1)
    lines = picture(result)
    assert len(lines) - 1 == min(count, ROWS) and max(map(len, lines)) <= COLUMNS
    assert (lines[-2].strip().startswith(f"{count - ROWS + 1} others |")) == (count > ROWS)
    assert any(line.startswith(f"{'rank 1':>{line.index('|') - 1}} |") for line in lines[:-1])


def test_svg() -> None:
    root = ElementTree.fromstring(svg(ranks(20)))
    space = "{http://www.w3.org/2000/svg}"
    cells = root.findall(f"{space}rect")
    assert len(cells) == 16 * 40 and len(root.findall(f"{space}text")) == 16
    assert {cell.get("fill-opacity") for cell in cells} == {"0.08", "0.80"}
    assert "currentColor" in svg(ranks(2, 1, 1))


def test_in_a_summary() -> None:
    works = [[USUAL] * 40 for _ in range(8)]
    works[3] = [USUAL | {"copy": 9 * MS}] * 40
    summary = Summary.of(Condensed(turns=lockstep(works)))
    assert [found.rank for found in summary.stragglers] == [3]
    text = str(summary)
    assert "Ranks: range `step`, 40 times in each of 8 processes" in text
    assert (
        "rank 3 takes 8.00ms longer than the other 7 in all steps: its copies take longer. The other 7 wait 8.00ms of "
        "each step for it, 47% of it." in text
    )
    line = next(line for line in text.splitlines() if line.startswith("3 "))
    assert [cell.strip() for cell in line.split("|")] == ["3", "a", "17.00ms", "17.00ms", "0.00ns", "slow copies"]
    values = json.loads(json.dumps(summary.as_json()))["ranks"]
    assert values["stragglers"][0]["us_longer"] == 8000 and values["stragglers"][0]["cause"] == "slow copies"
    assert np.array(values["us_own"]).shape == (8, 40) and values["ranks"][3]["us_own"] == 17000
    html = summary._repr_html_()
    assert "<svg" in html and "slow copies" in html


def test_one_process_has_no_ranks() -> None:
    summary = Summary.of(Condensed(turns=[row(0, [USUAL] * 5)]))
    assert summary.ranks is None and summary.stragglers == [] and "Ranks" not in str(summary)
    assert summary.as_json()["ranks"] is None


def test_without_looks_waiting_is_not_shown() -> None:
    summary = Summary.of(Condensed(turns=[row(rank, [USUAL] * 5, looks=False) for rank in range(3)]))
    line = next(line for line in str(summary).splitlines() if line.startswith("1 "))
    assert line.split("|")[4].strip() == "-"
    assert "begin them with --findings" in str(summary)
