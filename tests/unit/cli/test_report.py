"""``launchpath report`` of many files: folders, lists, what is damaged, and files of what traces sum up to."""

import json
from pathlib import Path

import pytest

from launchpath._cli import report as module
from launchpath._trace.condensed import packing
from launchpath._trace.summaries.summarize import summarize
from tests.command import run, succeeded
from tests.trace.executors.files import sums, traces


@pytest.fixture
def no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("launchpath._trace.executors.processes._Worker", None)


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    (tmp_path / "runs").mkdir()
    return traces(tmp_path / "runs", 6)


def test_a_folder_a_pattern_and_a_list_give_the_same(paths: list[Path], tmp_path: Path) -> None:
    folder = paths[0].parent
    (tmp_path / "list").write_text("".join(f"{path}\n" for path in paths))
    shown = succeeded("report", folder).stdout
    assert "2 hosts, 6 processes, " in shown and "Kernels (time on the device)" in shown
    for words in ([folder / "run.*"], [f"@{tmp_path / 'list'}"], paths):
        assert succeeded("report", *words).stdout == shown


def test_files_with_records_are_searched_if_they_are_few(paths: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def lead(*words: object) -> str:
        return succeeded("report", *words).stdout.splitlines()[0]

    assert lead(paths[0].parent).startswith("what holds the program back is not looked for: a summary")
    assert not lead(*paths[:2]).startswith("what holds the program back is not")
    monkeypatch.setattr(module, "_SEARCHED", 1)
    assert lead(*paths[:2]).startswith("not looked for in 2 files: what holds the program back")


def test_damaged_and_missing_files_are_named(paths: list[Path], tmp_path: Path) -> None:
    for number in range(12):
        (tmp_path / f"text{number:02}").write_text("no trace")
    done = run("report", *paths, tmp_path / "none", tmp_path / "text*", "--json", tmp_path / "out.json")
    lines = done.stderr.splitlines()
    assert done.exit_code == 1 and "Kernels" in done.stdout
    assert lines[0] == "files that could not be read, and are left out: 13 of 19"
    assert lines[1] == f"  {tmp_path / 'none'}: there is no such file"
    assert lines[2].startswith(f"  {tmp_path / 'text00'}: expected a trace, which begins with ")
    assert lines[10].startswith(f"  {tmp_path / 'text08'}: ") and lines[11:] == ["  3 others"]
    data = json.loads((tmp_path / "out.json").read_text())
    assert len(data.pop("left_out")) == 13
    assert data == json.loads(json.dumps(summarize(sorted(paths)).as_json()))


def test_nothing_that_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no trace")
    done = run("report", tmp_path / "text", tmp_path / "none")
    assert done.exit_code == 1 and "TraceFileError: " in done.stderr and "(and 1 other files)" in done.stderr
    done = run("report", tmp_path / "none", "--csv", tmp_path / "out")
    assert done.exit_code == 2 and "does not exist" in done.stderr


def test_other_formats_tell_by_the_exit_code_that_a_file_is_missing(paths: list[Path], tmp_path: Path) -> None:
    done = run("report", paths[0], tmp_path / "none", "--csv", tmp_path / "out.csv")
    assert done.exit_code == 1 and (tmp_path / "out.csv").exists() and "none: there is no such file" in done.stderr


def test_names_are_printed_without_their_effect(paths: list[Path], tmp_path: Path) -> None:
    (tmp_path / "red\x1b[31m").write_text("no trace")
    assert "red\\x1b[31m: expected a trace" in run("report", *paths, tmp_path / "red*").stderr


def test_what_is_counted_twice(paths: list[Path]) -> None:
    packing.write(packing.read(paths[2]), paths[2].with_name("same.lpsum"))
    done = succeeded("report", *paths, paths[0], paths[2].with_name("same.lpsum"))
    assert "files that were named more than once, and are counted once: 1" in done.stderr
    assert "processes that are there more than once, and are counted so: 1: " in done.stderr
    assert "6 processes" in done.stdout


def test_lpsum(paths: list[Path], tmp_path: Path) -> None:
    target = tmp_path / "all.lpsum"
    assert succeeded("report", *paths, "--lpsum", target).stdout == f"written: {target}\n"
    assert target.read_bytes() == sums(paths)
    assert succeeded("report", target).stdout == succeeded("report", *paths).stdout
    assert run("report", *paths, "--lpsum", paths[2]).exit_code == 1  # a trace that is to be read


def test_lpsum_of_each(paths: list[Path], tmp_path: Path) -> None:
    (tmp_path / "runs" / "text.lptrace").write_text("no trace")
    done = run("report", tmp_path / "runs", "--lpsum-each", tmp_path / "sums", "--lpsum", tmp_path / "all")
    assert done.exit_code == 1 and f"written: 6 files in {tmp_path / 'sums'}\n" in done.stdout
    assert sorted(path.name for path in (tmp_path / "sums").iterdir()) == [f"run.{rank}.lpsum" for rank in range(6)]
    for path in paths:
        assert (tmp_path / "sums" / path.with_suffix(".lpsum").name).read_bytes() == sums([path])
    assert (tmp_path / "all").read_bytes() == sums(paths)


def test_lpsum_of_each_into_no_folder(paths: list[Path], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "sums").mkdir()
    (tmp_path / "sums" / "run.1.lpsum").mkdir()  # in the place of a file
    assert run("report", *paths, "--lpsum-each", tmp_path / "file").exit_code == 2
    done = run("report", *paths, "--lpsum-each", tmp_path / "sums")
    assert done.exit_code == 1 and "written: 5 files" in done.stdout
    assert f"run.1.lptrace: {tmp_path / 'sums' / 'run.1.lpsum'} cannot be written: Is a directory" in done.stderr


def test_executors(paths: list[Path], no_processes: None) -> None:
    assert succeeded("report", "--with", "processes", *paths).stdout == succeeded("report", *paths).stdout
    done = run("report", "--with", "slurm", *paths)
    assert done.exit_code == 2 and "expected processes, dask=ADDRESS or mpi, got 'slurm'" in done.stderr


def test_many_processes_fit_on_a_screen(tmp_path: Path, no_processes: None) -> None:
    """Few lines, and how many others there are."""
    data = traces(tmp_path, 3)
    one = packing.read(data[2])
    for number in range(300):
        row = {
            **one.processes[0],
            "pid": number,
            "rank": number * 2,
            "host": f"node{number // 8}",
            "remarks": [f"remark {number}"],
        }
        one.processes = [row]
        one.threads = [{**thread, **{key: row[key] for key in ("pid", "rank", "host")}} for thread in one.threads]
        packing.write(one, tmp_path / f"made.{number}.lpsum")
    done = succeeded("report", f"{tmp_path}/made.*")
    lines = done.stdout.splitlines()
    assert len(lines) < 170
    assert "38 hosts, 300 processes, " in done.stdout
    assert "and 280 other lines like this" in lines
    hosts = [line for line in lines if line.startswith("node0 ")]
    assert [cell.strip() for cell in hosts[0].split("|")[1:3]] == ["8", "0, 2, 4, 6, ..."]
    assert any(line.startswith("(18 others) |       140 |") for line in lines)  # hosts, and their processes
    assert any("(880 others)" in line for line in lines)  # threads
