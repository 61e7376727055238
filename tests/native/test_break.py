"""LAUNCHPATH_BREAK: a debugger stops at the host's launch of a kernel."""

import os
import shutil
import subprocess
import sys

import pytest

PROGRAM = """
import launchpath as lp
program = lp.compile('''
extern "C" __global__ void first(int *x) { *x += 1; }
extern "C" __global__ void second(int *x) { *x += 10; }
''')
x = lp.zeros(1, "int32")
with lp.Step():
    program.first[1, 1](x)
    program.second[1, 1](x)
program.first[1, 1](x)
print("sum", int(x))
"""


def environment(names):
    return {**os.environ, "LAUNCHPATH_BREAK": names}


def test_without_a_debugger_nothing_stops():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False, env=environment("first, second")
    )
    assert (done.returncode, done.stdout) == (0, "sum 12\n"), done.stderr
    assert "LAUNCHPATH_BREAK" not in done.stderr


@pytest.mark.skipif(shutil.which("gdb") is None, reason="there is no gdb here")
@pytest.mark.sample(1)
@pytest.mark.parametrize(("names", "stops"), [("first", 2), ("second", 1), ("first,second", 3), ("third", 0)])
def test_a_debugger_stops_at_each_launch(names, stops):
    # Each stop prints its frames; at the end the program has run.
    script = ["run"] + ["backtrace 3", "continue"] * (stops + 1)
    command = ["gdb", "-q", "-batch", "-nx", "-ex", "set debuginfod enabled off", "-ex", "set confirm off"]
    for line in script:
        command += ["-ex", line]
    done = subprocess.run(
        [*command, "--args", sys.executable, "-c", PROGRAM],
        capture_output=True, text=True, check=False, timeout=120, env=environment(names),
    )  # fmt: skip
    assert done.stdout.count("SIGTRAP") == stops, done.stdout + done.stderr
    assert done.stdout.count("#0 ") == stops
    assert done.stdout.count("launchpath_break") >= stops
    assert "sum 12" in done.stdout
