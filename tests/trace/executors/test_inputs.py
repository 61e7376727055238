"""The files that words of a command line name."""

import os
from pathlib import Path

import pytest

from launchpath._trace.executors.inputs import Inputs
from launchpath.errors import TraceFileError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b.lptrace", "a.lpsum", "notes.txt", "of_node1/b.lptrace", "of_node1/half.part"):
        (tmp_path / "runs" / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / "runs" / name).write_bytes(b"12345")
    return tmp_path / "runs"


def names(folder: Path, *words: object) -> list[str]:
    return [os.path.relpath(each.path, folder) for each in Inputs.of(list(map(str, words))).inputs]


def test_a_folder_with_those_in_it(folder: Path) -> None:
    assert names(folder, folder) == ["a.lpsum", "b.lptrace", "of_node1/b.lptrace"]


def test_a_file_of_any_name_and_its_size(folder: Path) -> None:
    (found,) = Inputs.of([str(folder / "notes.txt")]).inputs
    assert (found.path, found.size) == (str(folder / "notes.txt"), 5)


def test_patterns(folder: Path) -> None:
    assert names(folder, folder / "*.lptrace") == ["b.lptrace"]
    assert names(folder, f"{folder}/**/*.lptrace") == ["b.lptrace", "of_node1/b.lptrace"]
    assert names(folder, folder / "of_node[12]") == ["of_node1/b.lptrace"]


def test_a_name_that_looks_like_a_pattern(folder: Path) -> None:
    (folder / "run[1].lptrace").touch()
    (folder / "@run").touch()
    assert names(folder, folder / "run[1].lptrace", folder / "@run") == ["run[1].lptrace", "@run"]


def test_a_list_has_files_folders_and_patterns(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.txt").write_text("runs/a.lpsum\n\nruns/of_node1\r\nruns/b.*\nruns/none")
    found = Inputs.of(["@list.txt"])
    assert [each.path for each in found.inputs] == ["runs/a.lpsum", "runs/of_node1/b.lptrace", "runs/b.lptrace"]
    assert found.left_out == [("runs/none", "there is no such file")]


def test_a_list_is_not_in_another(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text(f"@{tmp_path / 'list.txt'}\n")
    assert [each.reason for each in Inputs.of([f"@{tmp_path / 'list.txt'}"]).left_out] == ["there is no such file"]


def test_a_file_is_counted_once(folder: Path) -> None:
    found = Inputs.of([str(folder), str(folder / "a.lpsum"), f"{folder}/of_node1/../b.lptrace"])
    assert len(found.inputs) == 3 and found.repeated == 2


def test_what_is_none(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    found = Inputs.of([str(folder / "pipe"), str(folder / "no*"), "a\0b", str(folder / "gone")])
    (folder / "dangling").symlink_to("nowhere")
    found.left_out += Inputs.of([str(folder / "dangling")]).left_out
    reasons = [each.reason for each in found.left_out]
    assert [each.path for each in found.inputs] == [str(folder / "notes.txt")]  # of no*
    assert reasons[0] == "expected a file, got a pipe, a socket or a device" and "null" in reasons[1]
    assert reasons[2:] == ["there is no such file"] * 2


@pytest.mark.parametrize("word, text", [("@none.txt", "expected a list of files"), (".", "one without any")])
def test_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str, text: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TraceFileError, match=text):
        Inputs.of([word])


def test_targets_keep_folders_and_stay_apart(folder: Path, tmp_path: Path) -> None:
    (folder / "a.lptrace").touch()
    found = Inputs.of([str(folder), str(folder / "notes.txt")]).with_targets("out")
    assert [each.target for each in found.inputs] == [
        "out/a.lpsum", "out/a.lptrace.lpsum", "out/b.lpsum", "out/of_node1/b.lpsum", "out/notes.txt.lpsum",
    ]  # fmt: skip


def test_a_target_is_no_input(folder: Path) -> None:
    with pytest.raises(TraceFileError, match="a.lpsum is a trace that is to be read"):
        Inputs.of([str(folder)]).with_targets(str(folder))
