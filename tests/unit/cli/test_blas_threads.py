"""Commands that calculate nothing start no threads of NumPy's."""

import os
import subprocess
import sys

import pytest

from launchpath import _blas_threads


@pytest.mark.parametrize(
    ("arguments", "original", "calculates_nothing"),
    [
        (["-m", "compile", "a.cu"], ["python", "-m", "launchpath", "compile", "a.cu"], True),
        (["/usr/bin/launchpath", "info"], ["python", "/usr/bin/launchpath", "info"], True),
        (["-m", "compile"], ["python", "-m", "other", "compile"], False),
        (["-m", "bench"], ["python", "-m", "launchpath", "bench"], False),
        (["program.py", "compile"], ["python", "program.py", "compile"], False),
        ([""], ["python"], False),
        ([], ["python"], False),
    ],
)
def test_only_launchpaths_own_commands(arguments, original, calculates_nothing):
    assert _blas_threads.calculates_nothing(arguments, original) is calculates_nothing


@pytest.mark.processes
@pytest.mark.parametrize(("variable", "value"), [(None, "1"), ("3", "3")])
def test_the_variable_is_the_callers_if_it_is_set(variable, value):
    around = {name: text for name, text in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    around |= {"OPENBLAS_NUM_THREADS": variable} if variable else {}
    code = "import sys; sys.argv[:] = ['launchpath', 'compile']\nimport launchpath, os\n"
    code += "print(os.environ.get('OPENBLAS_NUM_THREADS'))"
    done = subprocess.run([sys.executable, "-c", code], env=around, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [value]
