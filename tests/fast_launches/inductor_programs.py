"""Programs with launchers of torch's inductor that `test_triton.py` runs in processes of their own.

torch's classes make the launchers; only its launch function in C, which needs a GPU, is one of this file.
"""

from __future__ import annotations

import ctypes
import importlib
import sys
import types
from typing import Any

import torch
import triton

from launchpath import _core, fast
from tests.fast_launches.triton_cuda import Cuda
from tests.fast_launches.triton_programs import add_kernel

HEURISTICS = "torch._inductor.runtime.triton_heuristics"
TYPES = {"i": ctypes.c_int32, "l": ctypes.c_int64, "O": ctypes.c_void_p}


class LauncherInC:
    """As torch's: loads a kernel, and launches it on arguments of Python."""

    def __init__(self, cuda: Cuda, function: int, loads: int) -> None:
        self.library, self.function, self.launches, self.loads = cuda.library, function, 0, loads

    def _load_kernel(self, *_: Any) -> tuple[int, ...]:
        return (1, self.function, 10, 0)[-self.loads :]

    def _unload_kernel(self, module: int) -> None:
        self.function = 0

    def _launch_kernel(self, function: int, *rest: Any) -> None:
        *grid, warps, shared, letters, args, stream = rest
        self.launches += 1
        values = [
            TYPES[letter](value.data_ptr() if letter == "O" and value is not None else value)
            for letter, value in zip(letters, args, strict=True)
        ]
        params = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
        code = self.library.cuLaunchKernel(
            ctypes.c_void_p(function), *grid, warps * 32, 1, 1, shared, ctypes.c_void_p(stream), params, None
        )
        assert code == 0, code


class Case:
    """A compiled kernel, its arguments, and results of torch's compilation that make its launchers."""

    def __init__(self) -> None:
        self.cuda = Cuda()
        self.args = (*(self.cuda.tensor([value] * 16) for value in (1.0, 2.0, 0.0)), 16)
        self.compiled: Any = add_kernel.warmup(*self.args, grid=(1,), BLOCK=16)
        self.compiled._init_handles()
        self.heuristics: Any = importlib.import_module(HEURISTICS)
        signature = {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32", "BLOCK": "constexpr"}
        self.metas = (
            triton.Config({"BLOCK": 16}), {"device": 0, "constants": {"BLOCK": 16}, "signature": signature},
            {"grid_type": "FixedGrid", "fixed_grid": ["1", "1", "1"], "kernel_name": "add_kernel"},
        )  # fmt: skip
        static: Any = importlib.import_module("torch._inductor.runtime.static_triton_launcher")
        self.compiled._cubin_path = "/nowhere"
        self.kernel = static.StaticallyLaunchedCudaKernel(self.compiled)
        self.in_c = LauncherInC(self.cuda, self.compiled.function, 4 if hasattr(self.kernel, "close") else 3)
        vars(self.kernel)["C_impl"] = self.in_c

    def static(self) -> Any:
        """Make a launcher that launches by torch's static launcher."""
        return self.heuristics.StaticTritonCompileResult(self.kernel, *self.metas).make_launcher()

    def of_triton(self) -> Any:
        """Make a launcher that launches by Triton's."""
        return self.heuristics.TritonCompileResult(self.compiled, *self.metas).make_launcher()

    def autotuner(self, *launchers: Any) -> Any:
        """Make what torch has for a kernel, with such launchers."""
        kind = self.heuristics.CachingAutotuner
        autotuner = kind.__new__(kind)
        autotuner.launchers, autotuner._cached_launcher = list(launchers), None
        autotuner.inductor_meta, autotuner.device_props = {}, types.SimpleNamespace(type="cuda")
        return autotuner

    def launch(self, launcher: Any, times: int = 7) -> None:
        """Launch, and look at the result each time."""
        for _ in range(times):
            self.args[2].zero_()
            launcher(*self.args, stream=0)
            self.cuda.synchronize()
            assert self.args[2].tolist() == [3.0] * 16


def numbers(library: str) -> tuple[int, int]:
    """Return how many launches of a library's kernels were fast, and how many were not."""
    rows = [row for row in fast.report().kernels if row.library == library and row.name == "add_kernel"]
    return sum(row.fast for row in rows), sum(row.original for row in rows)


def program_static() -> None:
    """A launcher by torch's static launcher launches by launchpath, though torch was imported behind Triton."""
    case = Case()
    launcher = case.static()
    case.launch(launcher)
    assert numbers("inductor") == (3, 4), fast.report()
    assert case.in_c.launches == 4 + 3, "3 of them were compared"
    if hasattr(case.kernel, "close"):
        case.kernel.close()
        try:
            launcher(*case.args, stream=0)
        except AssertionError:
            pass
        else:
            raise AssertionError("a kernel that was unloaded was launched")
        assert numbers("inductor") == (3, 5), fast.report()


def program_of_triton() -> None:
    """A launcher by Triton's own is launched, too."""
    case = Case()
    case.launch(case.of_triton())
    assert numbers("triton") == (3, 4), fast.report()


def program_unknown() -> None:
    """Launchers of neither kind are counted."""
    case = Case()
    own = type(case.kernel).run
    run = lambda *args: own.original(case.kernel, *args)  # noqa: E731
    vars(case.kernel)["run"] = run
    case.launch(case.static(), 3)
    assert numbers("inductor") == (0, 3), fast.report()
    (row,) = [row for row in fast.report().kernels if row.library == "inductor"]
    assert row.reasons == {"a launcher that launchpath does not know, function": 3}


def program_existing() -> None:
    """Launchers that were made before `install` launch by launchpath, and by torch after `uninstall`."""
    fast.uninstall()
    case = Case()
    launchers = case.static(), case.of_triton()
    autotuner = case.autotuner(*launchers)
    before = [type(launcher.__globals__["runner"]) for launcher in launchers]
    fast.install(children=False)
    for launcher in launchers:
        case.launch(launcher)
    assert numbers("inductor") == numbers("triton") == (3, 4), fast.report()
    fast.uninstall()
    for launcher in launchers:
        case.launch(launcher, 2)
    assert numbers("inductor") == numbers("triton") == (3, 4), fast.report()
    assert [type(launcher.__globals__["runner"]) for launcher in launchers] == before
    assert not isinstance(case.kernel.run.__func__, _core.FastRunner)
    assert autotuner.launchers == list(launchers)


class _FastCudaLauncher:
    """As torch's: the launcher in C that is bound to a kernel."""

    def __init__(self, function: int, warps: int, shared: int, letters: str, scratch: int) -> None:
        self.bound = function, warps, shared, letters + "O" * scratch, scratch

    def __call__(self, x: int, y: int, z: int, stream: int, *args: Any) -> None:
        function, warps, shared, letters, scratch = self.bound
        IN_C[0]._launch_kernel(function, x, y, z, warps, shared, letters, (*args, *[None] * scratch), stream)


IN_C: list[LauncherInC] = []


def program_in_c() -> None:
    """What torch 2.13's launcher in C launches is counted."""
    case = Case()
    if not hasattr(case.heuristics.CachingAutotuner, "_build_fast_launcher"):
        return
    torch._C._FastCudaLauncher = _FastCudaLauncher  # type: ignore[attr-defined]
    IN_C.append(case.in_c)
    launcher = case.static()
    autotuner = case.autotuner(launcher)
    autotuner._cached_launcher = built = autotuner._build_fast_launcher(launcher)
    case.launch(built, 5)
    assert case.in_c.launches == 5
    (row,) = [row for row in fast.report().kernels if row.library == "inductor"]
    assert row.reasons == {"torch's own launcher in C": 5}, fast.report()
    fast.uninstall()
    case.launch(built, 2)
    assert numbers("inductor") == (0, 5), fast.report()
    assert type(built.__globals__["runner"]) is _FastCudaLauncher
    fast.install(children=False)
    case.launch(built, 2)
    assert numbers("inductor") == (0, 7), fast.report()


if __name__ == "__main__":
    assert HEURISTICS not in sys.modules
    fast.install(children=False)
    globals()[f"program_{sys.argv[1]}"]()
