"""A report as text: one screen, whatever is in it."""

from dataclasses import replace

import pytest

from launchpath._findings.amounts import cut, share_text, short_time, site_text, time_text
from launchpath._findings.finding import SIMULATED, Proof
from launchpath._findings.interval import Interval
from launchpath._findings.report import Report
from launchpath._findings.shown import sentences
from launchpath._findings.shown.screen import HEIGHT, WIDTH, screen, whole
from launchpath._report.wrapping import text_width
from tests.findings import reports

SIMULATE = """\
python simulate.py: 1 process, 4.40s
`integrate` (range, 400 times on MainThread) takes 4.40ms ± 0.05. The device works 29 % of it:
   host-bound.
   Idle: launching 2.69ms (61 %), synchronize 240us (5.5 %), host code 120us (2.7 %).

1. Launching holds the device back in `integrate`: 96 launches of 3.10us, then it is idle.
   Saves 2.30ms ± 0.10 of 4.40ms (52 %), 920ms in all; replayed; intervention: slope 0.97 ± 0.03.
   `with lp.Step():` around simulate.py:41.
2. `upload(params)` sends the same 1.2 MB 400 times (84.00us each): 33.60ms of 4.40s.
   Saves 84.0us ± 4.0 of 4.40ms (1.9 %), 33.6ms in all; simulated.
   Upload it once, before the loop (simulate.py:57).
3. The synchronize at simulate.py:63 waits 41.00us, and nothing reads its result before the next
   one.
   Saves 41.0us (12.0 to 44.0) of 4.40ms (0.9 %), 16.4ms in all; simulated. Leave it out.

Hidden behind longer work, leave it: event queries (+1.00us each changed the step by 0.02us).
Not said: The 12 kernels of `warm_up` ran twice: expected at least 3 repetitions.
The trace itself took 0.21us of each launch, 0.5 % of a repetition."""


def test_a_report_reads_as_the_documentation_shows_it() -> None:
    assert str(reports.simulate()) == SIMULATE


@pytest.mark.parametrize("name", reports.ALL)
@pytest.mark.parametrize("width", [40, 60, 80, WIDTH, 132])
def test_it_fits_the_screen(name: str, width: int) -> None:
    lines = screen(reports.ALL[name](), width).splitlines()
    assert len(lines) <= HEIGHT * max(1, WIDTH / width)
    assert max(map(text_width, lines)) <= width
    assert all(line == line.rstrip() for line in lines)


def test_three_findings_are_shown_however_long_and_many_others_are_and_the_rest_is_counted() -> None:
    lines = str(reports.crowded()).splitlines()
    assert [line[:2] for line in lines if line[1:3] == ". "] == ["1.", "2.", "3."]
    assert "27 more findings: in the report of --html or --json." in lines
    assert sum(line.startswith("   Saves 2.30ms") for line in lines) == 3
    assert any(line.endswith("...") for line in lines)  # what is cut off shows that it is
    assert "8 other regions." in lines
    assert any(line.endswith("and 38 more.") for line in lines)
    assert any(line.endswith("and 11 more.") for line in lines)


@pytest.mark.parametrize("name", reports.ALL)
def test_all_of_it_has_whole_sentences(name: str) -> None:
    report = reports.ALL[name]()
    text = whole(report)
    assert max(map(text_width, text.splitlines())) <= WIDTH
    words = "".join(text.split())  # what is longer than a line is broken inside of a word
    sentences_of = [each.sentence for each in [*report.findings, *report.hidden]] + report.not_said
    assert all("".join(each.split()).removesuffix(".") in words for each in [*sentences_of, report.program])


def test_a_mend_has_room_for_what_to_do() -> None:
    """On a screen too, if there is room for it."""
    report = reports.simulate()
    finding = report.findings[0]
    finding.sentence += " It does so in each of the repetitions that the program has, from the first to the last."
    finding.mend = (
        "Do it while the device works: submit what follows before `Device.synchronize` waits, or move the code before "
        "the wait."
    )
    assert "or move the code before the wait" in " ".join(screen(report).split())


def test_nothing_holds_it_back_is_said_only_where_there_is_something_to_say_it_of() -> None:
    assert "Nothing holds `integrate` back" in str(reports.nothing())
    text = str(reports.unknown())
    assert "Nothing holds" not in text
    assert "What holds the program back is not said: No region ran 3 times" in text
    assert text.count("No region") == 1
    assert "no region of it repeats" in str(Report())


def test_a_saving_that_is_not_known_is_not_given_as_a_number() -> None:
    finding = replace(reports.launch_bound(), saving=None, proofs=[Proof(SIMULATED, None)])
    assert sentences.saving(finding) == "What it costs is not known."


def test_a_whole_program_is_not_multiplied() -> None:
    finding = replace(reports.equal_uploads(), repetitions=1, region="")
    assert "in all" not in sentences.saving(finding)


def test_the_line_is_named_once() -> None:
    assert sentences.mend(reports.launch_bound()) == "`with lp.Step():` around simulate.py:41."
    assert sentences.mend(reports.equal_uploads()).count("simulate.py:57") == 1
    assert sentences.mend(replace(reports.equal_uploads(), mend="")) == "At (simulate.py:57)."
    assert sentences.mend(replace(reports.equal_uploads(), sites=[])) == "Upload it once, before the loop."


def test_the_lead_has_three_lines_at_most() -> None:
    assert [line[:2] for line in sentences.lead(reports.crowded())] == ["1.", "2.", "3."]
    assert all(len(line) < 600 for line in sentences.lead(reports.crowded()))
    assert sentences.lead(reports.nothing())[0].startswith("Nothing holds `integrate` back")
    assert "got 1" in sentences.lead(reports.unknown())[0]
    assert len(sentences.lead(Report())) == 1


def test_text_that_would_change_a_terminal_is_escaped() -> None:
    report = reports.simulate()
    report.program = "\x1b[31mred"
    report.findings[0].sentence = "a\x1b[2Jb\u202ec"
    report.regions[0].name = report.hidden[0].sentence = "\x07"
    report.findings[1].sites = ["/tmp/\x1b]0;x.py:3 f"]
    text = str(report)
    assert all(line.isprintable() for line in text.splitlines())
    assert "\\x1b[31mred" in text


def test_wide_characters_count_as_two_columns() -> None:
    report = reports.simulate()
    report.findings[0].sentence = "界" * 300
    assert max(map(text_width, str(report).splitlines())) <= WIDTH


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        (Interval(2.3e6, 2.2e6, 2.4e6), "2.30ms ± 0.10"),
        (Interval(84e3, 80e3, 88e3), "84.0us ± 4.0"),
        (Interval(920e6, 900e6, 940e6), "920ms ± 20"),
        (Interval(41e3, 12e3, 44e3), "41.0us (12.0 to 44.0)"),
        (Interval(5.0, 5.0, 5.0), "5.00ns"),
        (Interval(0.0, -20.0, 20.0), "0.00ns ± 20.00"),
        (Interval(-1500.0, -1600.0, -1400.0), "-1.50us ± 0.10"),
        (Interval(999.9e3, 999.8e3, 1e6), "1.00ms ± 0.01"),
    ],
)
def test_times_with_intervals(interval: Interval, text: str) -> None:
    assert time_text(interval) == text


def test_amounts() -> None:
    assert share_text(Interval(0.71, 0.68, 0.74)) == "71 % ± 3"
    assert share_text(Interval(0.019, 0.0185, 0.0195)) == "1.9 % ± 0.1"
    assert [short_time(time) for time in (0, 999.6, 33.6e6, 4.4e9, 3600e9)] == [
        "0.00ns",
        "1.00us",
        "33.6ms",
        "4.40s",
        "3600s",
    ]
    assert site_text("/a/b c/simulate.py:57 run") == "simulate.py:57"
    assert site_text("no line at all") == "no line at all"
    assert cut("a" * 50, 20) == "a" * 12 + "..." + "a" * 5 and cut("short", 20) == "short"
