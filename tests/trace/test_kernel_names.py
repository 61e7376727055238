"""Names of kernels in files that have them mangled."""

import json
from pathlib import Path

import pytest

from launchpath._trace.dispatches import dispatches
from launchpath._trace.format import RANGE_NAMES
from launchpath._trace.formats.kernel_csv import write_csv
from launchpath._trace.ranges import ranges
from launchpath._trace.summaries.summarize import summarize
from launchpath._trace.text import LONGEST
from tests.trace.builder import FACTS, Builder, clocks, command, range_, times

ADD = "_ZN2at6native3addIfEEvPT_"
FULL = "void at::native::add<float>(float*)"
SHORT = "native::add<float>"
LAMBDA, OTHER_LAMBDA = "_Z3runIZ4mainEUlvE_EvT_", "_Z3runIZ4mainEUlvE0_EvT_"  # the same but for the lambda's number


def write(path: Path, names: dict[int, str]) -> Path:
    slots = [*clocks()]
    for place, number in enumerate(names):
        at = 10_000 * (place + 1)
        slots.append(command(place + 1, at, (at, at + 100), at + 100, name=number))
        slots.append(times(place + 1, at, at + 200, at + 1200, name=number))
    slots.append(range_(RANGE_NAMES + 1, 100, 200))
    built = Builder().meta(**FACTS, recorder=True).names({**names, RANGE_NAMES + 1: ADD})
    return built.slots(*slots).write(path)


def test_tables_have_the_full_name_and_the_symbol(tmp_path: Path) -> None:
    path = write(tmp_path / "t", {1: ADD, 2: "fusion_12"})
    table = dispatches(path)
    assert table["name"].tolist() == [FULL, "fusion_12"]
    assert table["symbol"].tolist() == [ADD, "fusion_12"]
    assert ranges(path)["name"].tolist() == [ADD]  # a range is called as its program says
    write_csv([path], tmp_path / "c")
    assert FULL in (tmp_path / "c").read_text()


def test_reports_have_the_short_name(tmp_path: Path) -> None:
    summary = summarize(write(tmp_path / "t", {1: ADD, 2: "fusion_12"}))
    assert summary.kernels[FULL].calls == 1
    assert summary.kernel_names[FULL].symbol == ADD
    kernels = str(summary).partition("Kernels")[2].partition("Ranges")[0]
    assert SHORT in kernels
    assert "fusion_12" in kernels
    assert FULL not in str(summary)
    rows = {row["name"]: (row["short"], row["symbol"]) for row in json.loads(json.dumps(summary.as_json()))["kernels"]}
    assert rows == {FULL: (SHORT, ADD), "fusion_12": ("fusion_12", "fusion_12")}


def test_kernels_of_the_same_short_name_stay_apart(tmp_path: Path) -> None:
    one, two = write(tmp_path / "1", {1: LAMBDA, 2: OTHER_LAMBDA}), write(tmp_path / "2", {7: OTHER_LAMBDA})
    apart = summarize([one]).short_names
    assert sorted(text.partition(" #")[0] for text in apart.values()) == ["run<main>"] * 2
    assert len(set(apart.values())) == 2
    assert set(summarize([two]).short_names.values()) == {"run<main>"}
    merged = summarize([two, one])
    assert merged.short_names == apart
    assert sorted(entry.calls for entry in merged.kernels) == [1, 2]
    assert all(text in str(merged) for text in apart.values())


def test_symbols_that_are_the_same_in_cpp_stay_apart(tmp_path: Path) -> None:
    names = {1: "_Z1kPf", 2: "_Z1kPf.kd", 3: "_ZN12_GLOBAL__N_11kEv", 4: "_ZN12_GLOBAL__N_21kEv"}
    table = dispatches(write(tmp_path / "t", names))
    assert len(set(table["name"].tolist())) == 4
    assert table["name"].tolist()[0] == "k(float*)"


def test_a_symbol_that_is_too_long_to_show_is_read_as_a_whole(tmp_path: Path) -> None:
    arguments = "".join(f"N3abc{len(name)}{name}E" for name in (f"part{number}" for number in range(400)))
    symbol = f"_ZN2ns4longIJ{arguments}EEEvv"
    assert len(symbol) > LONGEST
    path = write(tmp_path / "t", {1: symbol, 2: symbol.replace("part399", "rest399")})
    table = dispatches(path)
    assert all(name.startswith("void ns::long<abc::part0, ") and len(name) <= LONGEST for name in table["name"])
    assert len(set(table["name"].tolist())) == len(set(table["symbol"].tolist())) == 2
    short = summarize(path).short_names.values()
    assert all(name.startswith("ns::long<part0, part1, ") and len(name) <= 130 for name in short)
    assert len(set(short)) == 2


def test_perfetto_has_the_short_name_as_title(tmp_path: Path) -> None:
    pytest.importorskip("perfetto")
    from launchpath._trace.formats.perfetto import write_perfetto

    write_perfetto([write(tmp_path / "t", {1: ADD})], tmp_path / "p")
    content = (tmp_path / "p").read_bytes()
    for text in (SHORT, FULL, ADD, "symbol"):
        assert text.encode() in content
