"""A debugger stops at the launch of a kernel by its name, in a program that another object declares the kernel for."""

import os
import shutil
import subprocess
import sys

import pytest

pytestmark = [
    pytest.mark.compiles,
    pytest.mark.processes,
    pytest.mark.sample(1),
    pytest.mark.skipif(shutil.which("gdb") is None, reason="there is no gdb here"),
]
KERNEL = "__global__ void scale(int n, float by, float *x) { if (threadIdx.x < n) x[threadIdx.x] *= by; }\n"
MAIN = """#include <hip/hip_runtime.h>
__global__ void scale(int n, float by, float *x);
int main() {
  float *x;
  hipMalloc(&x, 16);
  scale<<<2, 4>>>(3, 1.5f, x);
  return hipDeviceSynchronize();
}
"""


def stopped(program, *commands, **environment):
    options = [word for command in ("set debuginfod enabled off", "set breakpoint pending on", "handle SIGPIPE nostop noprint", *commands)
               for word in ("-ex", command)]  # fmt: skip
    done = subprocess.run(
        ["gdb", "-q", "-batch", "-nx", *options, "--args", *map(str, program)],
        capture_output=True, text=True, check=False, timeout=120, env={**os.environ, **environment},
    )  # fmt: skip
    return done.stdout + done.stderr


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_at_the_stub_whose_frame_above_is_the_launch(build, level):
    build.write("kernel.hip", f"#include <hip/hip_runtime.h>\n{KERNEL}")
    build.write("main.hip", MAIN)
    program = [sys.executable, "-m", "launchpath", "run", "-g", level, "kernel.hip", "main.hip"]
    shown = stopped(program, "break __device_stub__scale", "run", "backtrace 2", "continue")
    assert "#1 " in shown and "main.hip:6" in shown, shown
    assert "exited normally" in shown


def test_by_the_kernels_name_with_the_arguments(build):
    build.write("kernel.hip", f"#include <hip/hip_runtime.h>\n{KERNEL}")
    build.write("main.hip", MAIN)
    build("kernel.hip", "main.hip", "-o", "app")
    shown = stopped([build.folder / "app"], "run", "continue", LAUNCHPATH_BREAK="scale")
    assert "a launch of scale<<<(2, 1, 1), (4, 1, 1)>>>(n=3, by=1.5, x=0x" in shown, shown
    assert shown.count("SIGTRAP") == 1
    assert "exited normally" in shown
