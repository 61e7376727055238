"""What the process that compiles imports: each millisecond of it is one of every first compilation."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import launchpath

SLOW = {"numpy", "elftools", "hashlib", "asyncio", "multiprocessing", "email", "unittest"}
CODE = f"""
import sys, types
package = sys.modules["launchpath"] = types.ModuleType("launchpath")
package.__path__ = {launchpath.__path__!r}
import launchpath._compiler.process.child
import launchpath._compiler.compile, launchpath._compiler.rtc.native, launchpath._compiler.rtc.several
slow = {SLOW!r} & sys.modules.keys()
sys.exit(f"expected none of these to be imported: {{slow}}" if slow else 0)
"""


def test_nothing_slow_is_imported() -> None:
    path = [str(Path(folder).resolve()) for folder in sys.path if folder]
    start = f"import sys\nsys.path[:] = {path!r}\n"
    done = subprocess.run([sys.executable, "-S", "-c", start + CODE], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
