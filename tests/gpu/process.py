"""Processes for what one process can have only once: another library, a failed device, fork and exit."""

import os
import subprocess
import sys
import textwrap
from typing import Any

from tests.faults.processes import end
from tests.standin.build import environment

HEAD = """
import gc, os, sys, threading, time
import numpy as np
import launchpath as lp
from launchpath import _core
from tests.gpu.standin import IMAGE, OUT, Standin, devices, image
from tests.standin.client import on_thread, soon
from tests.standin.control import Control
"""
CONTROL = """
control = Control(os.environ.get("HIP_FORWARD_CUDA") or os.environ["LAUNCHPATH_CUDA_LIBRARY"])
"""
OPEN = """
gpu = Standin.alone()
device, control = gpu.device, gpu.control
"""


def run(driver: str, code: str, without: tuple[str, ...] = (), head: str = HEAD + OPEN, **options: Any) -> str:
    """Run Python code with a stand-in of its own, and return what it printed.

    Parameters
    ----------
    driver : {"cuda", "hip"}
    code : str
        Python, with ``gpu``, ``device`` and ``control`` at hand.
    without : tuple of str
        Functions that the driver's own library is not to have.
    head : str
        What comes first.
    **options
        Of the stand-in, ``devices=1``; in capitals other environment variables.
    """
    __tracebackhide__ = True
    variables = {key: value for key, value in os.environ.items() if not key.startswith(("LAUNCHPATH_", "STANDIN_"))}
    variables |= {"PYTHONFAULTHANDLER": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    variables["LAUNCHPATH_OPENCL_LIBRARY"] = "/none"  # only what is tested
    own = {name: str(value) for name, value in options.items() if name.isupper()}
    variables |= environment(driver, without, **{k: v for k, v in options.items() if not k.isupper()}) | own
    text = textwrap.dedent(head) + textwrap.dedent(code)
    if "pytest." in text:  # not in every process: importing it takes as long as everything else
        text = "import pytest\n" + text
    process = subprocess.Popen([sys.executable, "-c", text], text=True, env=variables, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)  # fmt: skip
    return end(process)
