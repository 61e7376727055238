"""The OpenCL runtimes of the tests, as programs without launchpath come by them."""

import os

import pytest

from launchpath._drivers.opencl import ICD_VARIABLE, embedded_runtime


def platform(which: str) -> tuple[str, dict[str, str]]:
    """Give the loader of a runtime, and what it needs."""
    if which == "Portable":
        return "libOpenCL.so.1", {}
    runtime = embedded_runtime()
    if runtime is None:
        pytest.skip("the embedded runtime is not installed")
    folders = {os.path.dirname(path) for path in runtime.needed}
    return runtime.loader, {ICD_VARIABLE: runtime.runtime, "LD_LIBRARY_PATH": os.pathsep.join(folders)}
