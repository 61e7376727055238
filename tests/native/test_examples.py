"""The modules of examples/native: C99, C++17, Cython and Numba."""

import subprocess
import sys
from pathlib import Path

import pytest

import launchpath as lp

ROOT = Path(__file__).parents[2]


def test_each_launches_the_kernel(device_id):
    build = [sys.executable, str(ROOT / "examples" / "native" / "build.py")]
    done = subprocess.run(build, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines() == [
        "module_c: 3 launches, right",
        "module_cpp: 1 launches, right",
        "module_cython: 1 launches, right",
        "by_numba: 5 launches, right",
    ]


@pytest.mark.parametrize(("compiler", "standard"), [("cc", "c99"), ("cc", "c11"), ("c++", "c++17"), ("c++", "c++20")])
def test_the_header_compiles_without_warnings(compiler, standard, tmp_path):
    source = tmp_path / ("x.cpp" if "++" in compiler else "x.c")
    source.write_text("#include <launchpath.h>\nint main(void) { return launchpath_use(0) == LAUNCHPATH_SUCCESS; }\n")
    command = [compiler, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{lp.get_include()}"]
    done = subprocess.run(
        [*command, str(source), "-o", str(tmp_path / "x")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert subprocess.run([str(tmp_path / "x")], check=False).returncode == 0
