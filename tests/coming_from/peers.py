"""The other libraries: what runs their snippets here, or why nothing does."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

import launchpath as lp
from tests.coming_from.snippets import LAUNCHPATH, Snippet, cpp, outputs, python, snippets
from tests.patience import PATIENCE

GPUS = [device for device in lp.devices() if device.driver in ("cuda", "hip")]
COMMAND = ".venv/bin/python -m pytest tests/coming_from"


@dataclass(frozen=True)
class Peer:
    """A library: the modules that its snippets import, and how they run on a machine without a GPU."""

    modules: tuple[str, ...] = ()
    driver: str = ""  # of the GPU that it needs; empty: it runs without one
    without_gpu: Mapping[str, str] = field(default_factory=dict)  # variables that switch its simulator on
    through: tuple[str, ...] = ()  # the module that runs its programs where its GPU is missing
    commands: tuple[str, ...] = ()  # that it starts


PEERS = {
    "cupy": Peer(("cupy",), "cuda"),
    "pyopencl": Peer(("pyopencl",)),
    "numba": Peer(("numba.cuda",), without_gpu={"NUMBA_ENABLE_CUDASIM": "1"}),
    "cuda-core": Peer(("cuda.core", "cuda.bindings"), "cuda"),
    "hip-python": Peer(("hip",), "hip", through=("-m", "launchpath.hip")),
    "triton": Peer(("triton", "torch"), without_gpu={"TRITON_INTERPRET": "1"}),
    "warp": Peer(("warp",)),
    "torch-extensions": Peer(("torch",), "cuda", commands=("nvcc", "ninja")),
    "cuda-cpp": Peer((), "cuda"),
}


def missing(peer: Peer) -> list[str]:
    """Return the modules of a library that are not installed, or do not work with what else is; and its commands."""
    commands = [name for name in peer.commands if shutil.which(name) is None]
    return [name for name in peer.modules if not _imports(name)] + commands


@cache
def _imports(name: str) -> bool:
    """Whether a module can be imported: in a process of its own, since some start a driver."""
    try:
        if importlib.util.find_spec(name) is None:
            return False
    except ModuleNotFoundError:  # its parent
        return False
    return subprocess.run([sys.executable, "-c", f"import {name}"], capture_output=True, check=False).returncode == 0


def side(page: str, name: str, gpu: bool) -> list[Snippet]:
    """Return the snippets of one side of a page that run on a GPU, or without one."""
    return [each for each in snippets(page) if each.side == name and (gpu or each.place != "gpu")]


def run_launchpath(page: str, device: lp.Device, folder: Path) -> tuple[list[Snippet], list[list[str]]]:
    """Run launchpath's side of a page on a device; return the snippets, and the lines that each printed."""
    on_gpu = device in GPUS and not missing(PEERS[page])
    chosen = side(page, LAUNCHPATH, on_gpu)
    theirs = [each for each in snippets(page) if each.language == "cpp"]
    if theirs:
        (folder / "program.cu").write_text(cpp(theirs), encoding="utf-8")
    index = str(lp.devices().index(device))
    return chosen, outputs(_run(["program.py"], python(chosen), folder, {"LAUNCHPATH_DEVICE": index}), chosen)


def run_peer(page: str, folder: Path) -> tuple[list[Snippet], list[list[str]]]:
    """Run the other side of a page, or skip with the reason; return the snippets, and the lines that each printed."""
    peer = PEERS[page]
    gpus = [device for device in GPUS if peer.driver in ("", device.driver)]
    chosen = side(page, page, bool(gpus))
    if page == "cuda-cpp":
        return chosen, outputs(_nvcc(cpp(chosen), folder, bool(gpus)), chosen)
    absent = missing(peer)
    if peer.through and (absent or not gpus):
        return chosen, outputs(_run([*peer.through, "program.py"], python(chosen), folder, {}), chosen)
    if absent:
        pytest.skip(f"not installed, or not to be imported: {', '.join(absent)}")
    if peer.driver and not gpus:
        pytest.skip(f"{page} needs a GPU; there run: {COMMAND} -k {page}")
    if page == "pyopencl":
        _needs_a_platform()
    settings = {} if gpus else dict(peer.without_gpu)
    return chosen, outputs(_run(["program.py"], python(chosen), folder, settings), chosen)


def _needs_a_platform() -> None:
    import pyopencl

    try:
        pyopencl.get_platforms()
    except pyopencl.LogicError as error:  # its loader finds no runtime
        pytest.skip(f"PyOpenCL has no platform: {error}")


def _nvcc(source: str, folder: Path, gpu: bool) -> str:
    """Compile C++ by nvcc, and run it where a GPU is. Without a GPU that is a test of the compilation only."""
    if shutil.which("nvcc") is None:
        pytest.skip("nvcc is not installed")
    (folder / "program.cu").write_text(source, encoding="utf-8")
    _finish(["nvcc", "-std=c++17", "-o", "program", "program.cu"], folder, {})
    if not gpu:
        pytest.skip("nvcc compiles it; running it needs a GPU")
    return _finish([str(folder / "program")], folder, {})


def _run(arguments: list[str], code: str, folder: Path, settings: Mapping[str, str]) -> str:
    (folder / "program.py").write_text(code, encoding="utf-8")
    return _finish([sys.executable, "-W", "ignore::UserWarning", *arguments], folder, settings)


def _finish(command: list[str], folder: Path, settings: Mapping[str, str]) -> str:
    path = os.pathsep.join(filter(None, [str(Path(lp.__file__).parents[1]), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, **settings},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
