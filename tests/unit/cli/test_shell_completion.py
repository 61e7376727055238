"""Completion in shells, as docs/command-line.md has it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.python import python

PAGE = (Path(__file__).parents[3] / "docs" / "command-line.md").read_text()
SHELLS = {
    "bash": "complete -o nosort -F",
    "zsh": "#compdef launchpath",
    "fish": "complete --no-files --command launchpath",
}
# As the installed command does: its name is what the variable is named after.
COMMAND = "import sys\nfrom launchpath._cli import main\nsys.argv[0] = 'launchpath'\nmain(prog_name='launchpath')"


def run(**variables: str) -> str:
    return python("-c", COMMAND, env=variables).stdout  # bash's version is looked at first, and only warned about


@pytest.mark.processes
@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_produced(shell):
    assert f"_LAUNCHPATH_COMPLETE={shell}_source launchpath" in PAGE
    script = run(_LAUNCHPATH_COMPLETE=f"{shell}_source")
    assert SHELLS[shell] in script
    assert f"_LAUNCHPATH_COMPLETE={shell}_complete" in script
    if shutil.which(shell):
        done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_every_shell_of_the_page_is_tested():
    assert set(re.findall(r"_LAUNCHPATH_COMPLETE=(\w+)_source", PAGE)) == set(SHELLS)


@pytest.mark.processes
@pytest.mark.parametrize(
    "words, expected",
    [
        ("launchpath d", {"devices", "demo"}),
        ("launchpath cache c", {"clear"}),
        ("launchpath devices --v", {"--verbose"}),
        ("launchpath info --j", {"--json"}),
    ],
)
def test_what_is_completed(words, expected):
    variables = {
        "_LAUNCHPATH_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    assert {line.partition(",")[2] for line in run(**variables).splitlines()} == expected
