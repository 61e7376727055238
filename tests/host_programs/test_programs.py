"""Programs with their host code, compiled and run as they are: what they print, how they end, and what they leave."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import launchpath as lp
from launchpath._host.compiler import openmp
from launchpath._host.compiler.words import UsageError

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
RUN = [sys.executable, "-m", "launchpath", "run"]
INTEL = ["--device", "intel"]


@pytest.fixture(scope="module", autouse=True)
def _intel():
    if not any("Intel" in str(device.info["platform"]) for device in lp.devices()):
        pytest.skip("Intel's CPU runtime is not installed")


def run(*words, **extra):
    """Run launchpath run to its end; the exit code, what it printed, and what it complained of."""
    done = subprocess.run([*RUN, *map(str, words)], check=False, capture_output=True, text=True, timeout=120, **extra)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    "name",
    [
        "memory.hip",
        "streams.hip",
        "compile.hip",
        "conformance.hip",
        "cub.hip",
        "instances.hip",
        "arguments_of_templates.cu",
        "by_name.hip",
        "graphs.hip",
        "variables.hip",
    ],
)
def test_a_program_of_hips_functions(name):
    assert run(*INTEL, PROGRAMS / name) == (0, "PASS\n", "")


def test_a_file_of_cudas_suffix_is_of_hip_where_it_includes_hips_headers(tmp_path):
    text = (PROGRAMS / "variables.hip").read_text()
    (tmp_path / "variables.cu").write_text(text.replace('"check.h"', f'"{PROGRAMS / "check.h"}"'))
    assert run(*INTEL, tmp_path / "variables.cu") == (0, "PASS\n", "")


@pytest.mark.parametrize("device", ["intel", "portable"])
def test_algorithms_of_thrust_see_what_kernels_wrote(device):
    pytest.importorskip("nvidia", reason="nvidia-cuda-cccl is not installed")
    assert run("--device", device, PROGRAMS / "thrust.cu") == (0, "PASS\n", "")


def test_threads_of_openmp_and_algorithms_of_thrust_on_them():
    pytest.importorskip("nvidia", reason="nvidia-cuda-cccl is not installed")
    try:
        openmp.find()
    except UsageError:
        pytest.skip("no OpenMP library is installed")
    n = 1 << 18
    expected = f"4 6 4 4 {n * (n + 1) // 2} {n // 2 + 1}\n"
    for _ in range(3):
        assert run(*INTEL, "-fopenmp", PROGRAMS / "openmp.cu") == (0, expected, "")


def test_a_kernel_that_reads_a_clock_is_refused_when_it_runs_where_there_is_none(tmp_path):
    source = """#include <hip/hip_runtime.h>
        #include <cstdio>
        __global__ void timed(long long *p) { *p = clock64(); }
        __global__ void other(long long *p) { *p = 5; }
        int main() {
          long long *p, h = 0;
          (void)hipMalloc(&p, 8);
          other<<<1, 1>>>(p);
          (void)hipMemcpy(&h, p, 8, hipMemcpyDefault);
          printf("%lld\\n", h);
          fflush(stdout);
          timed<<<1, 1>>>(p);
          (void)hipDeviceSynchronize();
        }"""
    (tmp_path / "clock.hip").write_text(source)
    _code, printed, _ = run("--device", "portable", tmp_path / "clock.hip")
    assert printed.splitlines() == ["5", "clock64(): this device has no clock that kernels can read"]


def test_the_program_of_the_page_prints_what_the_page_says(tmp_path):
    page = (HERE.parents[1] / "docs" / "programs.md").read_text()
    (source,) = re.findall(r"```c\+\+\n(// saxpy\.cu\n.*?)```", page, re.DOTALL)
    (printed,) = re.findall(r"\$ launchpath run saxpy\.cu\n(.*?)```", page, re.DOTALL)
    (tmp_path / "saxpy.cu").write_text(source)
    assert run(tmp_path / "saxpy.cu") == (0, printed, "")


def test_the_commands_of_the_page_build_a_program_from_two_files(tmp_path):
    page = (HERE.parents[1] / "docs" / "programs.md").read_text()
    (commands,) = re.findall(r"```console\n\$ (launchpath c\+\+ .*?)```", page, re.DOTALL)
    (tmp_path / "a.hip").write_text("#include <hip/hip_runtime.h>\n__global__ void set(int *to) { *to = 42; }\n")
    (tmp_path / "b.cpp").write_text(
        "#include <hip/hip_runtime.h>\n#include <cstdio>\n__global__ void set(int *to);\n"
        "int main() { int *to; hipMallocManaged(&to, sizeof(int)); set<<<1, 1>>>(to); hipDeviceSynchronize();\n"
        '             std::printf("%d\\n", *to); }\n'
    )
    launchpath = f"{sys.executable} -m launchpath"
    lines = [line.removeprefix("$ ").replace("launchpath", launchpath, 1) for line in commands.splitlines()]
    done = subprocess.run(
        ["sh", "-ec", "\n".join(lines)], cwd=tmp_path, check=False, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "42\n", "")


def test_threads_constructors_exceptions_arguments_and_exit_code():
    code, printed, complaints = run(*INTEL, PROGRAMS / "threads.cu", "7", "two words")
    assert (code, printed.splitlines(), complaints) == (
        7, ["kernel says 42", "thrown and caught", "PASS", "destroyed"], "",
    )  # fmt: skip


def test_the_other_device_and_a_trace(tmp_path):
    trace = tmp_path / "threads.lptrace"
    code, printed, _ = run("--device", "portable", f"--trace={trace}", PROGRAMS / "threads.cu", "--", "0", "two words")
    assert code == 0 and "PASS" in printed
    summary = subprocess.run([*RUN[:3], "report", str(trace)], capture_output=True, text=True, timeout=60, check=True)
    assert "step" in summary.stdout and "4000" in summary.stdout.replace(",", "")


def test_it_is_compiled_again_only_where_a_file_has_changed(tmp_path):
    source, header = tmp_path / "main.cu", tmp_path / "value.h"
    source.write_text('#include <cstdio>\n#include "value.h"\nint main() { printf("%d\\n", VALUE); return VALUE; }\n')
    header.write_text("#define VALUE 3\n")
    assert run(source)[:2] == (3, "3\n")
    header.write_text("#define VALUE 4\n")
    assert run(source)[:2] == (4, "4\n")
    assert run(source, "-DVALUE=4", "--")[0] == 4 and run("-DUNUSED", source)[0] == 4


def test_signals_and_what_nobody_catches():
    environment = {**os.environ, "PROGRAM_THROWS": "1"}
    code, _, complaints = run(*INTEL, PROGRAMS / "threads.cu", "0", "two words", env=environment)
    assert code == -signal.SIGABRT and "nobody catches this" in complaints


@pytest.fixture(scope="module")
def exits(tmp_path_factory):
    program = tmp_path_factory.mktemp("exits") / "exits"
    subprocess.run([*RUN[:3], "c++", str(PROGRAMS / "exits.hip"), "-o", str(program)], check=True, timeout=120)
    return program


@pytest.mark.parametrize(
    ("state", "code"),
    [
        ("return", 0), ("exit", 11), ("quick_exit", 12), ("_exit", 13), ("abort", -signal.SIGABRT),
        ("kill", -signal.SIGKILL), ("terminate", -signal.SIGABRT), ("segfault", -signal.SIGSEGV), ("late", 0),
        ("thread", 14), ("callback", 15), ("threads", 16), ("pthread_exit", 17), ("child", 18),
    ],
)  # fmt: skip
def test_every_end_of_a_program_with_work_in_flight(exits, state, code):
    done = subprocess.run([exits, state], check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == code, done.stderr
    assert done.stdout.splitlines() == [state, *(["destructor 0"] if state == "late" else [])]
    if state in ("abort", "terminate", "segfault"):
        assert "ends the process while kernels on CPU devices are not known to be complete" in done.stderr
    else:
        assert done.stderr == ""


def test_the_memory_of_a_program_does_not_grow():
    assert run(*INTEL, PROGRAMS / "leaks.hip", "--", "300") == (0, "PASS\n", "")


def test_what_does_not_compile_says_so_and_nothing_runs(tmp_path):
    bad = tmp_path / "bad.cu"
    bad.write_text("__global__ void k(int *p) { *p = undeclared; }\nint main() { k<<<1, 1>>>(nullptr); }\n")
    code, printed, complaints = run(bad)
    assert code == 1 and printed == "" and "bad.cu:1:" in complaints and "undeclared" in complaints


def test_a_program_starts_itself(tmp_path):
    program = tmp_path / "app"
    compile = [sys.executable, "-m", "launchpath", "c++"]
    subprocess.run([*compile, "-x", "cu", str(PROGRAMS / "threads.cu"), "-o", str(program)], check=True, timeout=120)
    done = subprocess.run([program, "5", "two words"], check=False, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (5, "") and "PASS" in done.stdout
    lost = {**os.environ, "LAUNCHPATH_PYTHON": "/nowhere/python"}
    done = subprocess.run([program], check=False, capture_output=True, text=True, timeout=60, env=lost)
    assert done.returncode == 127 and "/nowhere/python" in done.stderr and "LAUNCHPATH_PYTHON" in done.stderr
