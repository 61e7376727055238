"""Programs that run again with a mend: what is proved, and what is not."""

import sys
from pathlib import Path

import pytest

import launchpath as lp
from launchpath._findings.anchor import Anchor
from launchpath._findings.finding import REPLAYED
from launchpath._findings.interval import Interval
from launchpath._proof import replay as module
from launchpath._proof.replay import Replay, is_uneven, replay
from launchpath.errors import ArgumentValueError, LaunchpathError
from tests.mends.programs import REAL, variables, write

pytestmark = pytest.mark.processes

LAUNCHES = """
for i in range(40):
    with lp.range("work"):
        for tag in range(20):
            mix[1, 1, stream](a, b, 16, tag)
        stream.synchronize()  # wait
print(a.to_numpy(stream).sum())
"""
WORK = Anchor("range", "work")


@pytest.fixture(autouse=True)
def _beside_other_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests disturb the programs, and few runs are made: they differ by any amount."""
    monkeypatch.setattr(module, "is_uneven", lambda *_: False)


def replayed(path: Path, mend: str, anchor: Anchor = WORK, **more: object) -> Replay:
    return replay([sys.executable, str(path)], mend, anchor, environment=variables(), **more)  # type: ignore[arg-type]


def test_a_saving(tmp_path: Path) -> None:
    path, _ = write(tmp_path, LAUNCHES + "import time\n")
    runs: list[str] = []
    found = replayed(path, "step:work", progress=runs.append)
    assert runs[:3] == [
        "a run without the mend, for its results", "a run with the mend, for its results",
        "a run without the mend, for its results",
    ]  # fmt: skip
    assert [run.split()[2] for run in runs[3:]] == ["without", "with", "with", "without", "without", "with"]
    assert (found.refused, found.comparable) == ("", True)
    assert found.proof.how == REPLAYED and found.proof.saving is not None
    assert len(found.before) == len(found.after) == 3
    assert found.proof.saving.low <= sum(found.before) / 3 - sum(found.after) / 3 <= found.proof.saving.high
    assert found.forced[0]["effects"] == 40
    assert "the program ran 3 times without and 3 times with step:work: " in found.proof.text
    assert found.proof.text.endswith("results are the same: the exit code, the standard output, 1 read-back")


def test_as_many_runs_as_an_interval_takes(tmp_path: Path) -> None:
    path, _ = write(tmp_path, LAUNCHES)
    found = replayed(path, "step:work", half_width=1e-3, most=4)
    assert len(found.before) == 4
    assert "would take" in found.proof.text and "there were 4" in found.proof.text


def test_a_program_whose_results_change_is_caught(tmp_path: Path) -> None:
    """The host reads shared memory, and nothing but the wait that is left out says that it is written."""
    path, lines = write(tmp_path, """
managed = lp.managed_empty(16, "uint32", device)
view = managed.host_view()
for i in range(6):
    managed.fill(i, stream)
    stream.synchronize()  # needed
    print(view[0])
""")  # fmt: skip
    found = replayed(path, f"no-wait:program.py:{lines['needed']}")
    assert found.proof.saving is None
    assert found.refused.startswith("with the mend the program gives other results: ")
    assert found.proof.text == found.refused
    assert found.comparison is not None and found.comparison.different


def test_an_upload_that_cannot_be_proved(tmp_path: Path) -> None:
    path, _ = write(tmp_path, """
def upload():
    a.copy_from(values, stream)
for i in range(6):
    upload()
    mix[1, 1, stream](a, b, 16, 1)
print(a.to_numpy(stream).sum())
""")  # fmt: skip
    found = replayed(path, "skip-upload:upload", Anchor("kernel", "mix"))
    assert found.refused == (
        "skip-upload:upload cannot be proved: mix may have written there: its parameter is not a pointer to const "
        "(5 times)"
    )
    assert found.proof.saving is None and found.comparable


@pytest.mark.parametrize(
    ("mend", "words"),
    [
        ("step:nothing", "step:nothing had no effect: the program did not come to such a place"),
        ("skip-upload:upload", "skip-upload:upload had no effect: the bytes of all 5 uploads differ"),
    ],
)
def test_a_mend_without_effect(tmp_path: Path, mend: str, words: str) -> None:
    path, _ = write(tmp_path, "def upload():\n    a.copy_from(values, stream)\n"
                              "for i in range(5):\n    values += 1\n    upload()\nprint(a.to_numpy(stream).sum())\n")  # fmt: skip
    found = replayed(path, mend)
    assert (found.refused, found.proof.saving) == (words, None)


def test_a_program_that_is_never_the_same(tmp_path: Path) -> None:
    path, _ = write(tmp_path, LAUNCHES.replace("print(", "import os; a.fill(os.getpid(), stream); print("))
    found = replayed(path, "step:work")
    assert not found.comparable and not found.refused
    assert found.proof.saving is not None
    assert found.proof.text.endswith("results cannot be compared: two runs without the mend differ too")


def test_a_program_with_too_few_repetitions(tmp_path: Path) -> None:
    path, _ = write(tmp_path, LAUNCHES.replace("range(40)", "range(3)"))
    found = replayed(path, "step:work")
    assert found.refused == ("expected at least 4 repetitions of the range 'work', got 3: let the program run longer")


def test_a_program_without_launchpath(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("print(1)\n")
    found = replayed(path, "step:work")
    assert found.refused == (
        "the mend cannot be proved: no process of the program imported launchpath and ended by itself"
    )


def test_what_cannot_be_asked_for(tmp_path: Path) -> None:
    path, _ = write(tmp_path, "")
    with pytest.raises(ArgumentValueError, match="expected step:NAME"):
        replayed(path, "stop:work")
    with pytest.raises(ArgumentValueError, match="turns: expected 3 to 15, got 2"):
        replayed(path, "step:work", turns=2)
    with pytest.raises(LaunchpathError, match="cannot run /nowhere: No such file"):
        replay(["/nowhere"], "step:work", WORK)
    path.write_text("import time; time.sleep(60)")
    with pytest.raises(LaunchpathError, match="to end within 0.5 s"):
        replayed(path, "step:work", timeout=0.5)


@pytest.mark.compiles
def test_runs_that_differ_by_more_than_a_repetition_prove_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_uneven(Interval(33.6, -360, 427), 255) and is_uneven(Interval(300, 290, 310), 255)
    assert not is_uneven(Interval(33.6, -60, 127), 255)
    monkeypatch.setattr(module, "is_uneven", lambda *_: True)
    path, _ = write(tmp_path, LAUNCHES)
    found = replayed(path, "step:work")
    assert found.proof.saving is None
    assert found.refused.startswith("the program's runs differ by more than the mend could save: ")


def test_on_a_device(tmp_path: Path, device: lp.Device) -> None:
    path, lines = write(tmp_path, """
for i in range(60):
    with lp.range("work"):
        for _ in range(10):
            program.scale[1, 256](b, a, by, 256)
            program.scale[1, 256](a, b, by, 256)
    by.copy_from(values)  # upload
    lp.synchronize()  # wait
print(a.to_numpy().sum())
""", REAL)  # fmt: skip
    mend = f"no-wait:{lines['wait']},skip-upload:{lines['upload']}"
    index = str(lp.devices().index(device))
    environment = variables(LAUNCHPATH_DEVICE=index)
    found = replay([sys.executable, str(path)], mend, Anchor("kernel", "scale", 20), environment=environment)
    assert found.refused == "" and found.proof.saving is not None
    assert [forced["effects"] for forced in found.forced] == [60, 59]
