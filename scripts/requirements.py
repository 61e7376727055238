"""Print what launchpath needs with some of its extras, to build and to run, one requirement a line.

    python scripts/requirements.py docs

pip installs an extra only together with the package, whose compiler it would need; this reads pyproject.toml alone.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path


def requirements(extras: list[str]) -> list[str]:
    """Return the requirements of the package, of its build and of extras, those that name other extras resolved."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    wanted, seen = list(extras), set()
    result = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    while wanted:
        extra = wanted.pop()
        if extra in seen:
            continue
        seen.add(extra)
        for requirement in project["project"]["optional-dependencies"][extra]:
            own = re.fullmatch(r"launchpath\[([\w,]+)\]", requirement)
            if own is None:
                result.append(requirement)
            else:
                wanted += own[1].split(",")
    return list(dict.fromkeys(result))


if __name__ == "__main__":
    print("\n".join(requirements(sys.argv[1:])))
