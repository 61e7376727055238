"""Programs in C, compiled once, and how they are run under the recorder."""

import os
import subprocess
import sys
from pathlib import Path

from tests.standin.build import compiler

FOLDER = Path(__file__).parent


def compiled(name: str, folder: Path) -> Path:
    """Compile a program of this folder."""
    path = folder / name
    words = [*compiler(), "-std=gnu11", "-O1", "-w", "-o", path, FOLDER / "c" / f"{name}.c", "-ldl", "-lpthread"]
    subprocess.run([str(word) for word in words], check=True, timeout=60)
    return path


def traced(
    folder: Path, *words: object, options: tuple[str, ...] = (), **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a program by `launchpath trace`, into ``t.lptrace`` of the folder."""
    environment = {name: text for name, text in os.environ.items() if not name.startswith("LAUNCHPATH_TRACE")}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    command = [sys.executable, "-m", "launchpath", "trace", "-o", "t.lptrace", *options, "--", *map(str, words)]
    return subprocess.run(
        command, cwd=folder, env=environment | variables, capture_output=True, text=True, timeout=120, check=False
    )
