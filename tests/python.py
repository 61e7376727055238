"""Python in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from tests.patience import PATIENCE


def python(*words: object, env: Mapping[str, str] | None = None, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run Python, which must succeed, and give what it wrote.

    Parameters
    ----------
    *words
        Of the command, behind ``python``.
    env : mapping of str to str, optional
        Variables besides those here. Modules are found where they are found here, unless ``PYTHONPATH`` is among them.
    **more
        Of `subprocess.run`.
    """
    path = os.pathsep.join([part or os.getcwd() for part in sys.path])
    around = {**os.environ, "PYTHONPATH": path, **(env or {})}
    options = {"capture_output": True, "text": True, "timeout": PATIENCE} | more
    done = subprocess.run([sys.executable, *map(str, words)], env=around, check=False, **options)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done
