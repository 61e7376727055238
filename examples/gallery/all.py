"""Run all programs of the gallery: ``python examples/gallery/all.py docs/gallery`` writes their pictures there.

It prints the time that each program took, and exits with 1 if a program failed. Programs for torch run where torch is.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

HERE = Path(__file__).parent
PROGRAM = "\ndef main() -> None:"  # other files are parts of programs


def main() -> int:
    """Run each program with its usual sizes."""
    folder = Path(sys.argv[1])
    failed = []
    for program in sorted(HERE.glob("*.py")):
        if PROGRAM not in program.read_text(encoding="utf-8"):
            continue
        print(f"-- {program.stem}", flush=True)
        if program.stem.startswith("torch") and find_spec("torch") is None:
            print("not run: torch is missing, pip install torch")
            continue
        began = perf_counter()
        command = [sys.executable, str(program), "--output", str(folder / f"{program.stem}.png")]
        if subprocess.run(command, check=False).returncode:
            failed.append(program.stem)
        print(f"{perf_counter() - began:.1f} s in all", flush=True)
    print(f"failed: {', '.join(failed)}" if failed else "all programs agree with NumPy")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
