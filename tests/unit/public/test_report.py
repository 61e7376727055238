"""Tallies of calls, units, and the table of calls."""

import io

import pytest

from launchpath._report import Entry, Tally, calls_table, format_bytes, format_share, format_time
from launchpath._report.wrapping import text_width
from tests.python import python


def printed(drawn, width=None):
    from launchpath._report.console import console

    file = io.StringIO()
    terminal = console(file)
    if width is not None:
        terminal.width = width
    terminal.print(drawn)
    return [[cell.strip() for cell in line.split("|")] for line in file.getvalue().splitlines()]


def test_counts_total_shortest_and_longest():
    tally = Tally()
    for nanoseconds in (300, 100, 200):
        tally.add("hipMalloc", nanoseconds)
    entry = tally["hipMalloc"]
    assert (entry.calls, entry.total, entry.shortest, entry.longest) == (3, 600, 100, 300)
    assert entry.average == 200


def test_a_call_of_no_time_is_the_shortest():
    entry = Entry("x")
    entry.add(0)
    entry.add(5)
    assert (entry.shortest, entry.longest) == (0, 5)


def test_failed_calls_are_counted_as_calls_too():
    tally = Tally()
    tally.add("x", 1, failed=True)
    tally.add("x", 2)
    assert (tally["x"].calls, tally["x"].failed) == (2, 1)


def test_merge_is_as_if_added_to_the_same_tally():
    first, other, both = Tally(), Tally(), Tally()
    for i, (name, nanoseconds) in enumerate([("a", 5), ("b", 7), ("a", 1), ("c", 9), ("b", 2)]):
        (first if i % 2 else other).add(name, nanoseconds, failed=i == 3)
        both.add(name, nanoseconds, failed=i == 3)
    first.merge(other)
    assert first.by_time() == both.by_time()


def test_merge_with_an_empty_entry_changes_nothing():
    entry = Entry("x", 1, 0, 5, 5, 5)
    entry.merge(Entry("x"))
    assert entry == Entry("x", 1, 0, 5, 5, 5)


def test_names_and_entries_as_a_dict_has_them():
    tally = Tally([Entry("a", 1, 0, 5, 5, 5), Entry("b", 2, 0, 7, 3, 4)])
    assert list(tally.keys()) == ["a", "b"] and "a" in tally and "c" not in tally and len(tally) == 2
    assert list(tally.values()) == list(tally) == [tally["a"], tally["b"]]
    assert dict(tally.items()) == dict(tally) == {"a": tally["a"], "b": tally["b"]}
    assert tally.get("b") is tally["b"] and tally.get("c") is None and tally.get("c", 5) == 5


def test_a_name_that_is_not_there_is_refused_and_adds_none():
    tally = Tally([Entry("scale", 1, 0, 5, 5, 5), Entry("saxpy", 2, 0, 7, 3, 4)])
    with pytest.raises(KeyError) as raised:
        tally["saxpi"]
    expected = "expected a name in the table ('scale', 'saxpy'), got 'saxpi'. Did you mean 'saxpy'?"
    assert raised.value.args == (expected,) and list(tally.keys()) == ["scale", "saxpy"]
    with pytest.raises(KeyError, match="got 0"):
        tally[0]


def test_a_missing_name_of_an_empty_or_large_table():
    with pytest.raises(KeyError, match="got 'x': the table is empty"):
        Tally()["x"]
    with pytest.raises(KeyError, match="'k19' or one of 30 others\\), got 'x'"):
        Tally(Entry(f"k{number}") for number in range(50))["x"]


def test_merging_does_not_tie_the_two_together():
    first, other = Tally(), Tally()
    other.add("x", 1)
    first.merge(other)
    first.add("x", 1)
    assert other["x"].calls == 1


def test_total_is_over_all_names():
    tally = Tally()
    tally.add("a", 3)
    tally.add("b", 1)
    total = tally.total()
    assert (total.name, total.calls, total.total, total.shortest, total.longest) == ("Total", 2, 4, 1, 3)


def test_sorted_by_time_then_by_name():
    tally = Tally()
    for name, nanoseconds in (("b", 1), ("a", 1), ("c", 2)):
        tally.add(name, nanoseconds)
    assert [entry.name for entry in tally.by_time()] == ["c", "a", "b"]


@pytest.mark.parametrize(
    "nanoseconds, text",
    [
        (0, "0.00ns"),
        (980, "980.00ns"),
        (999.99, "999.99ns"),
        (999.999, "1.00us"),
        (995_000, "995.00us"),
        (5260, "5.26us"),
        (999_994, "999.99us"),
        (999_996, "1.00ms"),
        (100_670_000, "100.67ms"),
        (1_430_000_000, "1.43s"),
        (600_000_000_000, "600.00s"),
        (-5260, "-5.26us"),
    ],
)
def test_times(nanoseconds, text):
    assert format_time(nanoseconds) == text


def test_shares():
    assert format_share(1, 3) == "33.33%"
    assert format_share(0, 0) == "0.00%"


@pytest.mark.parametrize(
    "size, text", [(0, "0 B"), (1000, "1000 B"), (1024, "1 KiB"), (25276502016, "23.5 GiB"), (2**50, "1024 TiB")]
)
def test_bytes(size, text):
    assert format_bytes(size) == text


def test_table_as_iprof_prints_it():
    tally = Tally()
    tally.add("hipLaunchKernel", 1000)
    tally.add("hipLaunchKernel", 2000)
    tally.add("hipMalloc", 9000)
    head, line, first, second, _, total = printed(calls_table(tally))
    assert head == ["Name", "Time", "Time(%)", "Calls", "Average", "Min", "Max"]
    assert set(line[0]) <= set("-+")
    assert first == ["hipMalloc", "9.00us", "75.00%", "1", "9.00us", "9.00us", "9.00us"]
    assert second == ["hipLaunchKernel", "3.00us", "25.00%", "2", "1.50us", "1.00us", "2.00us"]
    assert total == ["Total", "12.00us", "100.00%", "3", "4.00us", "1.00us", "9.00us"]


def test_failed_is_shown_when_something_has():
    tally = Tally()
    tally.add("x", 1)
    assert "Failed" in printed(calls_table(tally, failed=True))[0]
    assert "Failed" not in printed(calls_table(tally))[0]
    tally.add("x", 1, failed=True)
    rows = printed(calls_table(tally))
    assert rows[0][-1] == "Failed"
    assert rows[2][-1] == rows[-1][-1] == "1"
    assert "Failed" not in printed(calls_table(tally, failed=False))[0]


def test_an_empty_tally_has_a_table():
    assert printed(calls_table(Tally()))[-1][0] == "Total"


def test_nothing_is_cut_off_in_a_file():
    tally = Tally()
    name = "k" * 500
    tally.add(name, 1)
    assert printed(calls_table(tally))[2][0] == name


def wide_tally():
    tally = Tally()
    tally.add("hipStreamWaitEvent", 123456)
    return tally


@pytest.mark.parametrize("width", [83, 88])
def test_a_narrow_terminal_breaks_long_names(width):
    rows = printed(calls_table(wide_tally(), failed=True), width=width)
    assert rows[0][:2] == ["Name", "Time"]
    assert (rows[2][0] + rows[3][0], rows[2][1]) == ("hipStreamWaitEvent", "123.46us")


def test_a_narrower_one_shows_fewer_columns_and_says_so():
    from launchpath._report.console import table

    drawn = table("Name", "Time", "Min", "Max", spare=("Max", "Min"))
    drawn.add_row("scale", "12.00us", "11.00us", "13.00us")
    assert list(drawn.lines(35)) == [
        "Name  | Time    | Min     | Max",
        "------+---------+---------+--------",
        "scale | 12.00us | 11.00us | 13.00us",
    ]
    assert list(drawn.lines(34)) == [
        "Name  | Time    | Min",
        "------+---------+--------",
        "scale | 12.00us | 11.00us",
        "(a wider terminal shows: Max)",
    ]
    assert list(drawn.lines(24))[2:] == ["scale | 12.00us", "(a wider terminal shows:", "Max, Min)"]


def test_where_no_row_fits_each_is_a_paragraph_of_all_its_cells():
    from launchpath._report.console import table

    drawn = table("Name", "Time", "Min", "Max", spare=("Max",))
    drawn.add_row("scale", "12.00us", "11.00us", "13.00us")
    drawn.add_row("a_kernel_with_a_long_name", "1.00us", "", "1.00us", end_section=True)
    assert list(drawn.lines(20)) == [
        "Name: scale",
        "  Time: 12.00us",
        "  Min: 11.00us",
        "  Max: 13.00us",
        "Name:",
        "  a_kernel_with_a_",
        "  long_name",
        "  Time: 1.00us",
        "  Max: 1.00us",
        "--------------------",
    ]


@pytest.mark.parametrize("width", range(1, 130))
def test_no_line_is_wider_than_the_terminal(width):
    tally = wide_tally()
    tally.add("void 核心::core<float, 3>(float *, unsigned long)", 7, failed=True)
    lines = list(calls_table(tally).lines(width))
    assert max(map(text_width, lines)) <= max(width, 12)


@pytest.mark.parametrize("width", [20, 40, 80])
def test_a_text_is_broken_between_words_with_further_lines_deeper(width):
    from launchpath._report.console import console

    file = io.StringIO()
    terminal = console(file)
    terminal.width = width
    text = "  a path: /a/path/that/is/wider/than/the/terminal, and many words behind it"
    terminal.print(text)
    lines = file.getvalue().splitlines()
    assert " ".join(line.strip() for line in lines) == text.strip()
    assert all(len(line) <= width or " " not in line.strip() for line in lines)  # a path stays whole
    assert all(line.startswith("    ") for line in lines[1:])
    file.truncate(0)
    terminal.print(text, as_it_is=True)
    assert file.getvalue().strip("\0") == f"{text}\n"


def test_a_narrow_terminal_wraps_between_words():
    from launchpath._report.console import table

    drawn = table("Case", "Subject")
    drawn.add_row("many arguments and other things besides", "launchpath")
    rows = printed(drawn, width=30)
    assert " ".join(row[0] for row in rows[2:]) == "many arguments and other things besides"
    assert rows[2][1] == "launchpath"


def test_failed_calls_alone_are_merged_too():
    tally = Tally([Entry("x", failed=2), Entry("x", 1, 0, 5, 5, 5)])
    assert (tally["x"].calls, tally["x"].failed, tally["x"].shortest) == (1, 2, 5)
    assert tally.total().failed == 2


def test_deviation_needs_the_squares():
    entry = Entry("x", 2, 0, 30, 10, 20, squares=500.0)
    entry.merge(Entry("x", 1, 0, 30, 30, 30, squares=900.0))
    assert entry.deviation == pytest.approx((200 / 3) ** 0.5)
    assert Entry("x", 1, 0, 5, 5, 5).deviation == 0


def test_further_columns():
    tally = Tally([Entry("x", 2, 0, 30, 10, 20), Entry("y", 1, 0, 5, 5, 5)])
    rows = printed(calls_table(tally, more={"Double": lambda entry: str(2 * entry.calls)}))
    assert [row[-1] for row in (rows[0], *rows[2:4], rows[-1])] == ["Double", "4", "2", "6"]


def test_json_has_microseconds():
    tally = Tally()
    tally.add("x", 1500)
    assert tally.as_json() == [
        {"name": "x", "calls": 1, "failed": 0, "us": 1.5, "us_average": 1.5, "us_min": 1.5, "us_max": 1.5}
    ]


@pytest.mark.processes
def test_rich_and_click_are_not_loaded_with_launchpath():
    code = "import sys, launchpath, launchpath._report; print({'rich', 'click'} & set(sys.modules))"
    assert python("-c", code).stdout.strip() == "set()"


def test_wide_characters_take_two_columns():
    from launchpath._report.console import table

    drawn = table("Name", "Count", right=("Count",))
    drawn.add_row("核心", "5")
    drawn.add_row("core", "12", end_section=True)
    drawn.add_row("e\u0301")
    assert list(drawn.lines()) == [
        "Name | Count",
        "-----+------",
        "核心 |     5",
        "core |    12",
        "-----+------",
        "e\u0301    |",
    ]


def test_absent_names_have_hints_and_are_not_shown():
    tally = Tally([Entry("mix", 2, 0, 30, 10, 20)])
    with pytest.raises(AttributeError, match=r"an Entry has no attribute 'mean': use average, in nanoseconds$"):
        tally["mix"].mean  # noqa: B018
    with pytest.raises(AttributeError, match=r"a Tally has no attribute 'sort': use by_time\(\)$"):
        tally.sort  # noqa: B018
    assert not {"mean", "min", "sort"} & {*dir(tally["mix"]), *dir(tally)}
    assert {"average", "by_time"} <= {*dir(tally["mix"]), *dir(tally)}


def test_a_table_of_many_names_sums_up_the_last_ones():
    """A row for each took 1.5 ms."""
    tally = Tally(Entry(f"kernel {number}", 1, 0, number, number, number) for number in range(5000))
    rows = printed(calls_table(tally))
    assert rows[2][0] == "kernel 4999"
    assert rows[-3][:4] == ["(4000 others)", "8.00ms", "64.00%", "4000"]


def test_an_output_of_another_encoding_gets_escapes():
    from launchpath._report.console import console, table

    file = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    drawn = table("Name")
    drawn.add_row("zwölf 核")
    console(file).print(drawn)
    file.flush()
    assert file.buffer.getvalue().decode("latin-1").splitlines()[-1] == "zwölf \\u6838"
