"""The condenser under AddressSanitizer and UndefinedBehaviorSanitizer, given slots of damaged files."""

import os
import subprocess
from pathlib import Path

import pytest

from launchpath._trace import format
from tests.sample import amount
from tests.standin.build import compile_c

CORE = Path(format.__file__).parents[1] / "_core"
SOURCE = Path(__file__).with_name("fuzz.c")
SANITIZERS = "-fsanitize=address,undefined,float-cast-overflow,float-divide-by-zero"

pytestmark = [pytest.mark.compiles, pytest.mark.processes]


def built(target: Path, *options: str) -> Path:
    result = compile_c("-O1", "-g", *options, "-Wno-unused-function", f"-I{CORE}", SOURCE, "-o", target)
    assert result.returncode == 0, result.stderr
    return target


def status(*command: object) -> tuple[int, str]:
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=1", "UBSAN_OPTIONS": "print_stacktrace=1"}
    words = [str(word) for word in command]
    result = subprocess.run(words, capture_output=True, text=True, check=False, timeout=500, env=environment)
    return result.returncode, result.stderr[-4000:]


def test_no_slots_are_too_strange(tmp_path: Path) -> None:
    recover = "-fno-sanitize-recover=undefined,float-cast-overflow,float-divide-by-zero"
    fuzz = built(tmp_path / "fuzz", SANITIZERS, recover, "-fno-omit-frame-pointer")
    assert status(fuzz, 0, amount(60, 3000)) == (0, "")


def test_memory_does_not_depend_on_how_many_slots_there_are(tmp_path: Path) -> None:
    assert status(built(tmp_path / "fuzz", "-O3"), "endless") == (0, "")
