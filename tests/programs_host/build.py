"""Compile programs with host code by the driver, and run them, as a user would."""

import subprocess
from pathlib import Path

import pytest

from launchpath._host.compiler import driver


class Builder:
    """Runs the driver in a folder."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capture = folder, capture

    def write(self, name: str, text: str) -> str:
        (self.folder / name).write_text(text)
        return name

    def fails(self, *words: object, **options: object) -> str:
        """Run it; it must fail. Give its output."""
        return self._run(1, *words, **options)

    def __call__(self, *words: object, **options: object) -> str:
        return self._run(0, *words, **options)

    def _run(self, code: int, *words: object, **options: object) -> str:
        self._capture.readouterr()
        exit_code = driver.run([str(word) for word in words], **options)
        output = self._capture.readouterr()
        assert exit_code == code, output.err
        return output.err + output.out

    def run(self, name: str, *words: object, code: int = 0) -> str:
        """Run a program and give its output."""
        process = self.result(name, *words)
        assert process.returncode == code, process.stderr + process.stdout
        return process.stdout

    def result(self, name: str, *words: object) -> subprocess.CompletedProcess[str]:
        """Run a program, however it ends."""
        command = [str(self.folder / name), *map(str, words)]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False, timeout=60)
