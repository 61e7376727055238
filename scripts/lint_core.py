"""Run cython-lint over the core as Cython sees it: one file with all that it includes.

    python scripts/lint_core.py

cython-lint looks for unused names only in whole files, and ``.pxi`` files are parts. So this writes the whole one to
``build/lint/core.pyx``, and gives each finding the file and line that it comes from. What is looked for is configured
in ``pyproject.toml``.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
CORE = ROOT / "src" / "launchpath" / "_core"
WHOLE = ROOT / "build" / "lint" / "core.pyx"


def expanded(path: Path) -> list[tuple[str, Path, int]]:
    """The lines of a file with those of what it includes in their place, each with its file and number."""
    lines = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        include = re.fullmatch(r'include "(.+)"', line)
        if include:
            lines += [*expanded(CORE / include[1]), ("", path, number), ("", path, number)]
        else:
            lines.append((line, path, number))
    return lines


def main() -> int:
    """Print what cython-lint finds; the exit status says whether it found anything."""
    lines = expanded(CORE / "core.pyx")
    WHOLE.parent.mkdir(parents=True, exist_ok=True)
    WHOLE.write_text("".join(f"{line}\n" for line, _, _ in lines))
    tools = Path(sys.executable).parent  # pycodestyle is there too, which cython-lint looks for on the PATH
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ.get('PATH', '')}"}
    command = [str(tools / "cython-lint"), str(WHOLE)]
    answer = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    for finding in answer.stdout.splitlines():
        place = re.fullmatch(r".*core\.pyx:(\d+):(\d+: .*)", finding)
        if place:
            _, path, number = lines[int(place[1]) - 1]
            print(f"{path.relative_to(ROOT)}:{number}:{place[2]}")
        else:
            print(finding)
    print(answer.stderr, end="", file=sys.stderr)
    return answer.returncode


if __name__ == "__main__":
    sys.exit(main())
