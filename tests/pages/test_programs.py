"""The programs of docs/kernels run as they stand: each block is a file, and prints what the page says below it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import launchpath as lp
from tests.pages import blocks, programs, run_programs
from tests.patience import PATIENCE

DEVICES = lp.devices()
on_each_device = pytest.mark.parametrize("device", DEVICES, ids=[device.info["platform"] for device in DEVICES])
on_each_page = pytest.mark.parametrize("page", blocks.KERNELS)
# Commands that are not plain: each has a process of its own.
ALONE = [(page, command) for page in blocks.KERNELS for command in programs.commands(page) if not command.is_plain]

pytestmark = pytest.mark.skipif(not blocks.KERNELS, reason="not in a checkout")


@on_each_page
def test_each_program_has_a_command(page: str) -> None:
    run = {command.file for command in programs.commands(page)}
    assert run == set(programs.sources(page))
    assert "## On a CPU" in blocks.text(page)


def test_names_of_programs_are_those_of_a_single_page() -> None:
    names = [name for page in blocks.KERNELS for name in programs.sources(page)]
    assert len(names) > 25 and len(names) == len(set(names))


@pytest.mark.processes
@on_each_page
@on_each_device
def test_the_programs_print_what_the_page_says(device: lp.Device, page: str, tmp_path: Path) -> None:
    plain = [command for command in programs.commands_on(page, device) if command.is_plain]
    assert plain
    files = list(dict.fromkeys(command.file for command in plain))
    helper = tmp_path / "run_programs.py"
    helper.write_text(Path(run_programs.__file__).read_text(encoding="utf-8"), encoding="utf-8")
    status, text = _run(["run_programs.py", *files], device, page, tmp_path, {})
    assert status == 0, text
    printed = dict(part.split("\n", 1) for part in re.split(rf"(?m)^{run_programs.MARK}", text)[1:])
    for command in plain:
        assert command.printed(printed[command.file]), f"{command.file}:\n{printed[command.file]}"


@pytest.mark.processes
@pytest.mark.sample(4)
@pytest.mark.parametrize("page, command", ALONE, ids=[f"{Path(page).stem}-{each.file}" for page, each in ALONE])
@on_each_device
def test_other_commands_print_what_the_page_says(
    device: lp.Device, page: str, command: programs.Command, tmp_path: Path
) -> None:
    if command not in programs.commands_on(page, device):
        pytest.skip("the command is for other devices")
    status, text = _run(list(command.words), device, page, tmp_path, dict(command.variables))
    assert bool(status) == command.fails
    assert command.printed(text), text


def test_another_output_is_noticed() -> None:
    (command,) = programs._commands("$ A=1 python -X dev a.py\n[1 2]  ...\nthe end\n", "cpu")
    assert command == programs.Command(("-X", "dev", "a.py"), (("A", "1"),), "[1 2]  ...\nthe end\n", "cpu")
    assert command.printed("[1 2] 3 4\n5\nthe end\n")
    assert not command.printed("[1 3] 3 4\nthe end\n") and not command.printed("[1 2] 3 4\n")


def _run(words: list[str], device: lp.Device, page: str, folder: Path, variables: dict[str, str]) -> tuple[int, str]:
    """Run the files of a page; return the status, and all that was printed."""
    for name, code in programs.sources(page).items():
        (folder / name).write_text(code.lstrip("\n"), encoding="utf-8")
    path = os.pathsep.join(filter(None, [str(Path(lp.__file__).parents[1]), os.environ.get("PYTHONPATH")]))
    around = {"PYTHONPATH": path, "PYTHONUNBUFFERED": "1"}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, **around, **variables, "LAUNCHPATH_DEVICE": str(DEVICES.index(device))},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode, done.stdout
