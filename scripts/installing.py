"""Run pip, and show what it does: a line for each package with its size, and how long it has taken.

    python scripts/installing.py --editable '.[cpu,bench]'

pip says nothing with --quiet, and hundreds of lines without. Its whole output is printed if it fails. Standard library
only: the environment has nothing else yet.
"""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time

_WIDTH = 79
_TICK = 1.0  # seconds
_GOT = r"\s*(?:Downloading|Using cached) (?:\S*/)?"
# Of pip's lines: what is told, and of which parts of the line.
_TOLD = (
    (re.compile(_GOT + r"([^-\s]+)-([^-\s]+)\S*\.whl(?!\.metadata)\S*( \(.*\))?"), "{} {}{}"),
    (re.compile(_GOT + r"(\S+)\.tar\.gz\S*( \(.*\))?"), "{}{}"),
    (re.compile(r"\s*(?:Building editable for|Building wheel for) (\S+).*: started"), "building {}"),
    (re.compile(r"Installing collected packages: (.*)"), "unpacking {} packages"),
)


class Shown:
    """What is on the terminal: lines, and on a terminal one that counts seconds below them."""

    def __init__(self) -> None:
        self._begun, self._lock, self._ended = time.monotonic(), threading.Lock(), threading.Event()
        self._terminal = sys.stdout.isatty()
        self._doing = "asking for packages"
        if self._terminal:
            threading.Thread(target=self._tick, daemon=True).start()

    def line(self, text: str) -> None:
        """Show a line."""
        with self._lock:
            self._doing = text
            clear = "\r\x1b[K" if self._terminal else ""
            print(f"{clear}  {self._seconds():3.0f} s  {text}"[: _WIDTH + len(clear)], flush=True)

    def end(self) -> float:
        """End; give the seconds."""
        with self._lock:
            self._ended.set()
            if self._terminal:
                print("\r\x1b[K", end="", flush=True)
        return self._seconds()

    def _seconds(self) -> float:
        return time.monotonic() - self._begun

    def _tick(self) -> None:
        while not self._ended.wait(_TICK):
            with self._lock:
                if not self._ended.is_set():
                    text = f"  {self._seconds():3.0f} s  ... {self._doing}"
                    print(f"\r\x1b[K{text[:_WIDTH]}", end="", flush=True)


def told(line: str) -> str | None:
    """Give what is shown of a line of pip's; None: nothing."""
    for pattern, text in _TOLD:
        if match := pattern.match(line):
            parts = [part or "" for part in match.groups()]
            if pattern.pattern.startswith("Installing"):
                parts = [str(len(parts[0].split(",")))]
            return text.format(*parts)
    return None


def main(words: list[str]) -> int:
    """Run ``pip install`` with these words; give its exit status."""
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--progress-bar", "off", *words]
    shown, lines = Shown(), list[str]()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            if text := told(line):
                shown.line(text)
    seconds = shown.end()
    if process.returncode:
        print("".join(lines), end="")
        return process.returncode
    print(f"  installed, in {seconds:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
