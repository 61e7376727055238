"""Evidence for findings in condensed traces: of any number of processes together."""

from launchpath._trace.condensed.columns import Row
from launchpath._trace.condensed.condensed import Condensed
from launchpath._trace.summaries.evidence import Evidence
from launchpath._trace.summaries.summary import Summary


def _condensed(**tables):
    condensed = Condensed()
    for table, rows in tables.items():
        for name, row in rows.items():
            condensed.tables[table].add(name, row)
    return condensed


def _process(sites=1):
    return _condensed(
        equal_uploads={f"a.py:{line}": Row(calls=2, total=100 * line, amount=64) for line in range(1, sites + 1)},
        host_memory={"host to device, pageable": Row(calls=4, total=90, amount=256), "pinned": Row(calls=9, total=9)},
        gaps={"GPU: late": Row(calls=3, total=3000), "GPU: in time": Row(calls=7, total=70)},
        looks={"MainThread": Row(calls=5, total=50, nested=20), "python": Row(calls=5, total=50)},
    )


def test_each_kind_has_its_rows():
    assert Summary.of(_process()).evidence == [
        Evidence("equal-uploads", "copied bytes that were there", "a.py:1", 2, 100, 64),
        Evidence("pageable-copies", "copied pageable memory", "host to device, pageable", 4, 90, 256),
        Evidence("launch-bound", "stream idle, next command came late", "GPU", 3, 3000),
        Evidence("thread-not-running", "ready, without a processor", "MainThread", 5, 20),
    ]


def test_processes_are_summed_up():
    both = _process()
    both.merge(_process())
    assert [(row.count, row.ns, row.n_bytes) for row in Summary.of(both).evidence] == [
        (4, 200, 128), (8, 180, 512), (6, 6000, 0), (10, 40, 0),
    ]  # fmt: skip


def test_of_many_lines_those_that_take_longest_are_shown():
    rows = [row for row in Summary.of(_process(sites=8)).evidence if row.kind == "equal-uploads"]
    assert [row.where for row in rows] == [f"a.py:{line}" for line in (8, 7, 6, 5, 4)]


def test_it_is_in_the_tables_and_in_json():
    summary = Summary.of(_process())
    assert "What may hold programs back" in str(summary)
    assert summary.as_json()["evidence"][0] == {
        "kind": "equal-uploads", "event": "copied bytes that were there", "where": "a.py:1", "count": 2, "us": 0.1,
        "bytes": 64,
    }  # fmt: skip
    assert "What may hold programs back" not in str(Summary.of(_condensed()))
