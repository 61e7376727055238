"""Programs of Triton that `test_triton.py` runs in processes of their own, each a function here."""

from __future__ import annotations

import random
import sys
import warnings
from typing import Any

import torch
import triton
import triton.language as tl

from launchpath import fast
from launchpath._fast.triton import admission
from launchpath._fast.triton.admission import admit
from tests.fast_launches.triton_cuda import Cuda

SCALE = tl.constexpr(2)
CHANGED = tl.constexpr(3)


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(out + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)


@triton.jit(do_not_specialize=["c"], do_not_specialize_on_alignment=["d", "q"])
def nothing_kernel(p, q, a, b: tl.int64, c, d, e, f: tl.float16, g: tl.int1, H: tl.constexpr, k=16, w=0.5):
    pass


def counts(name: str = "add_kernel") -> tuple[int, int]:
    """Return the launches of a kernel, fast and original."""
    found = [kernel for kernel in fast.report().kernels if kernel.name.endswith(name)]
    return sum(kernel.fast for kernel in found), sum(kernel.original for kernel in found)


def reasons(name: str = "add_kernel") -> dict[str, int]:
    return next(kernel.reasons for kernel in fast.report().kernels if kernel.name.endswith(name))


def program_results() -> None:
    """Launches by each way give the same, and say how many were fast."""
    cuda = Cuda()
    x, y, out = cuda.tensor(range(1000)), cuda.tensor(range(1000)), cuda.tensor([0.0] * 1000)
    results = set()
    for n in (1000, 16, 17, 1, 1000, 16, 17, 1, 1000, 16, 17, 1, 1000, 16, 17, 1, 1000, 16, 17, 1):
        out.zero_()
        results.add(add_kernel[(4,)](x, y, out, n, BLOCK=256))
        cuda.synchronize()
        assert out[:n].tolist() == [2.0 * i for i in range(n)]
        assert not out[n:].any()
    assert len(results) == 3  # 1, and multiples of 16 or not
    assert counts() == (20 - 3 * 4 - 0, 12) or counts()[0] > 4, counts()
    grid = lambda meta: (triton.cdiv(meta["n"], meta["BLOCK"]),)  # noqa: E731
    before = counts()
    assert add_kernel[grid](x, y, out, 1000, BLOCK=256) is add_kernel[(4,)](x, y, out, 1000, BLOCK=256)
    assert counts() == (before[0] + 2, before[1])
    assert add_kernel.run(x, y, out, 1000, grid=(4,), warmup=False, BLOCK=256) in results
    assert set(reasons()) <= {"the first launch of its kind", "on trial"}, reasons()


def fast_one(cuda: Cuda) -> tuple[Any, ...]:
    """Launch a kernel until it is fast, and return its arguments."""
    args = (cuda.tensor([1.0]), cuda.tensor([1.0]), cuda.tensor([1.0]), 1)
    for _ in range(5):
        add_kernel[(1,)](*args, BLOCK=16)
    assert counts() == (1, 4), (counts(), reasons())
    return args


def program_hooks() -> None:
    """Hooks and knobs that are set between two launches are obeyed, and the fast way comes back."""
    args = fast_one(Cuda())
    launch = lambda **more: add_kernel[(1,)](*args, BLOCK=16, **more)  # noqa: E731
    runtime, seen = triton.knobs.runtime, []
    hook = lambda *args, **kwargs: seen.append(args)  # noqa: E731

    def original(undo: Any = None) -> str:
        before = counts()
        launch()
        assert counts() == (before[0], before[1] + 1), reasons()
        if undo is not None:
            undo()
            before = counts()
            launch()
            if counts()[0] == before[0]:
                for _ in range(4):
                    launch()  # what was known is known no more
            before = counts()
            launch()
            assert counts() == (before[0] + 1, before[1]), reasons()
        return next(reversed(list(reasons())))

    for chain in (runtime.launch_enter_hook, runtime.launch_exit_hook):
        chain.add(hook)
        original(lambda chain=chain: chain.remove(hook))
    assert len(seen) == 2
    runtime.launch_enter_hook = hook
    original(lambda: delattr(runtime, "launch_enter_hook"))
    assert len(seen) == 3
    runtime.add_stages_inspection_hook = lambda *args: ("key", "hash")
    original(lambda: delattr(runtime, "add_stages_inspection_hook"))
    runtime.debug = True
    original(lambda: setattr(runtime, "debug", False))
    add_kernel.add_pre_run_hook(lambda *args, **kwargs: seen.append("run"))
    original(add_kernel.pre_run_hooks.clear)
    assert seen[-1] == "run"
    kept = triton.knobs.runtime
    triton.knobs.runtime = kept.copy()
    triton.knobs.runtime.launch_exit_hook = hook
    original(lambda: setattr(triton.knobs, "runtime", kept))
    add_kernel.device_caches.clear()
    original(lambda: None)
    assert "knobs.runtime.debug is set" in reasons(), reasons()
    assert "pre_run_hooks" in reasons()


def program_other_arguments() -> None:
    """What a specialization was not compiled for goes to another one."""
    cuda = Cuda()
    args = fast_one(cuda)
    before = counts()
    whole = cuda.tensor([0.0] * 64)
    for other in (
        (whole[1:], *args[1:]), (args[0], args[1], args[2], 2), (args[0].to(torch.float16), *args[1:3], 16), (None, *args[1:]),
    ):  # fmt: skip
        try:
            add_kernel[(1,)](*other, BLOCK=16)
        except Exception as error:
            assert other[0] is None or "cpu tensor" in str(error), error
    assert counts() == (before[0], before[1] + 4)
    add_kernel[(1,)](*args, BLOCK=32)
    add_kernel[(1,)](*args, BLOCK=16, num_warps=8)
    assert counts() == (before[0], before[1] + 6)
    compiled = add_kernel.warmup(*args, grid=(1,), BLOCK=16)
    assert compiled is add_kernel[(1,)](*args, BLOCK=16)
    assert reasons()["a warm-up"] == 1


def program_difference() -> None:
    """A kernel of which other bytes would be launched is switched off, with a warning."""

    class Wrong(admission.Layout):
        def __init__(self, kernel: Any) -> None:
            super().__init__(kernel)
            self.places["x"], self.places["y"] = self.places["y"], self.places["x"]

    admission.Layout = Wrong
    cuda = Cuda()
    args = (cuda.tensor([1.0]), cuda.tensor([1.0]), cuda.tensor([1.0]), 1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(6):
            add_kernel[(1,)](*args, BLOCK=16)
    assert counts() == (0, 6)
    texts = [str(warning.message) for warning in caught if warning.category is fast.FastLaunchWarning]
    assert len(texts) == 1, texts
    assert "add_kernel" in texts[0] and "parameter 'x'" in texts[0], texts
    theirs, ours = (args[place].data_ptr().to_bytes(8, "little").hex() for place in (0, 1))
    assert f"{theirs} there, {ours} here" in texts[0], texts


def program_globals() -> None:
    """A used global that changes is an error, as without."""
    cuda = Cuda()
    out = cuda.tensor([0.0] * 16)
    for _ in range(6):
        uses_globals[(1,)](out)
    assert counts("uses_globals")[0] == 2, reasons("uses_globals")
    globals()["CHANGED"] = tl.constexpr(3)
    for _ in range(6):
        uses_globals[(1,)](out)
    assert counts("uses_globals")[0] >= 6, reasons("uses_globals")
    globals()["CHANGED"] = tl.constexpr(4)
    try:
        uses_globals[(1,)](out)
    except RuntimeError as error:
        assert "CHANGED has changed" in str(error), error
    else:
        raise AssertionError("no error")


@triton.jit
def uses_globals(out):
    tl.store(out, SCALE + CHANGED)


def program_uninstall() -> None:
    """Triton's own launches are put back."""
    args = fast_one(Cuda())
    fast.uninstall()
    kept = counts()
    add_kernel[(1,)](*args, BLOCK=16)
    assert counts() == kept
    assert "__getitem__" not in vars(type(add_kernel))
    assert type(vars(type(add_kernel))["run"]).__name__ == "function"
    fast.install()
    add_kernel[(1,)](*args, BLOCK=16)
    assert counts() == (kept[0] + 1, kept[1])


class Draws:
    """Random arguments of `nothing_kernel`."""

    def __init__(self, cuda: Cuda) -> None:
        storage = cuda.tensor([0.0] * 64)
        self.tensors = [storage[i:] for i in (0, 1, 4, 5)] + [storage.view(torch.int32)[i:] for i in (0, 3)]
        small = [0, 1, 2, 3, 15, 16, 17, 32, 48, -1, -16, -17, 1 << 20]
        edges = [(1 << 31) - 1, 1 << 31, -(1 << 31), -(1 << 31) - 1, (1 << 31) + 16, 1 << 40, (1 << 63) - 1, -(1 << 63)]
        self.signed = small + edges
        self.ints = [*self.signed, 1 << 63, (1 << 64) - 1, (1 << 63) + 16, (1 << 63) + 17]
        self.reals, self.flags = [0.0, 1.0, 16.0, 0.5], [True, False]
        self.constants = [1, 2, True, 1.0, "a", None, (1, 2), tl.float32]

    def draw(self) -> tuple[Any, ...]:
        pick = random.choice
        mixed = [*self.ints, *self.reals, *self.flags]
        numbers = [pick(self.ints), pick(self.signed), *(pick(mixed) for _ in range(3))]
        given = (pick(self.tensors), pick(self.tensors), *numbers, pick(self.reals), pick(self.flags))
        return (*given, pick(self.constants), *(pick(self.ints), pick(self.reals))[: random.randrange(3)])

    def mutated(self, base: tuple[Any, ...]) -> tuple[Any, ...]:
        fresh = self.draw()
        pairs = zip(base, fresh + base[len(fresh) :], strict=False)
        return tuple(new if random.random() < 0.15 else old for old, new in pairs)


def program_random() -> None:
    """The rules take arguments exactly when Triton's key is the same: 4,000 pairs of random arguments."""
    draws = Draws(Cuda())
    random.seed(int(sys.argv[2]) if len(sys.argv) > 2 else 1)

    def key(args: tuple[Any, ...]) -> Any:
        _, specialization, _ = nothing_kernel.device_caches[0][-1](*args)
        return [(row, type(row[1])) for row in specialization]

    admitted, same, other = [], 0, 0
    for _ in range(40):
        args = draws.draw()
        try:
            compiled = nothing_kernel[(1,)](*args)
        except (OverflowError, ValueError, TypeError):
            continue
        made = admit(nothing_kernel, compiled, 0, (), args, {})
        assert made.packed(args) is not None, args
        admitted.append((args, key(args), made))
    assert len(admitted) > 20
    for _ in range(4000):
        base, expected, made = random.choice(admitted)
        args = draws.mutated(base)
        equal = key(args) == expected and all(type(old) is type(new) for old, new in zip(base, args, strict=True))
        assert (made.packed(args) is not None) == equal, (base, args, key(args), expected)
        same, other = same + equal, other + (not equal)
    assert min(same, other) > 300, (same, other)


def program_launchers() -> None:
    """What launches a compiled kernel itself, as torch's inductor does, is launched too."""
    cuda = Cuda()
    args = (cuda.tensor([1.0] * 16), cuda.tensor([2.0] * 16), cuda.tensor([0.0] * 16), 16)
    compiled = add_kernel.warmup(*args, grid=(1,), BLOCK=16)
    compiled._init_handles()
    enter, leave = triton.knobs.runtime.launch_enter_hook, triton.knobs.runtime.launch_exit_hook
    run = compiled.run

    def launch(hook: Any = enter) -> None:
        run(1, 1, 1, 0, compiled.function, compiled.packed_metadata, None, hook, leave, *args, 16)

    def numbers() -> tuple[int, int]:
        return next((kernel.fast, kernel.original) for kernel in fast.report().kernels if kernel.name == "add_kernel")

    for _ in range(7):
        args[2].zero_()
        launch()
        cuda.synchronize()
        assert args[2].tolist() == [3.0] * 16
    assert numbers() == (3, 4), fast.report()
    seen: list[Any] = []
    launch(seen.append)
    assert seen == [None]
    assert numbers() == (3, 5), fast.report()
    enter.add(seen.append)
    launch()
    assert len(seen) == 2
    enter.remove(seen.append)
    launch()
    assert numbers() == (4, 6), fast.report()
    fast.uninstall()
    assert type(compiled.run).__name__ == "CudaLauncher"


if __name__ == "__main__":
    fast.install(children=False)
    globals()[f"program_{sys.argv[1]}"]()
