"""Numba's warning of a small grid: it comes when it would without launchpath, and means the same."""

import importlib
import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from launchpath import fast

pytest.importorskip("numba_cuda", reason="numba-cuda is not installed (extra `fast`)")
try:
    dispatcher = importlib.import_module("numba.cuda.dispatcher")
    config = importlib.import_module("numba.cuda.core.config")
    errors = importlib.import_module("numba.cuda.core.errors")
    cuda = importlib.import_module("numba.cuda")
except Exception as error:
    pytest.skip(f"numba-cuda cannot be imported: {error}", allow_module_level=True)

ACTIONS = ("error", "ignore", "always", "default", "module", "once")
REGISTRY = "__warningregistry__"


def kernel(x: Any) -> None:
    pass


@pytest.fixture
def clean() -> Iterator[None]:
    """Numba's module as if it had never warned, and its settings; afterwards, too."""
    module, before = vars(dispatcher), config.CUDA_LOW_OCCUPANCY_WARNINGS
    registry = module.pop(REGISTRY, None)
    with warnings.catch_warnings():
        yield
    fast.uninstall()
    config.CUDA_LOW_OCCUPANCY_WARNINGS = before
    module[REGISTRY] = registry if registry is not None else {}


class Log:
    """What came of each subscript: the warnings as they are shown, or the error."""

    def __init__(self, step: Callable[[Any, random.Random, "Log"], None]) -> None:
        self._step, self.rows = step, []  # type: ignore[var-annotated]

    def run(self, seed: int, action: str, steps: int = 40) -> list[Any]:
        """Do the same steps with Numba's own code, or with whatever is installed."""
        vars(dispatcher).pop(REGISTRY, None)
        warnings.onceregistry.clear()  # type: ignore[attr-defined]
        dispatcher.CUDADispatcher.configure.cache_clear()
        config.CUDA_LOW_OCCUPANCY_WARNINGS = 1
        function, generator = cuda.jit(kernel), random.Random(seed)
        with warnings.catch_warnings(record=True) as shown:
            warnings.resetwarnings()
            warnings.simplefilter(action)  # type: ignore[arg-type]
            for _ in range(steps):
                self._step(function, generator, self)
                self.rows += [
                    (str(each.message), each.category, each.filename, each.lineno, each.source, each.line)
                    for each in shown
                ]
                assert len({id(each.message) for each in shown}) == len(shown)
                assert all(vars(each.message)["msg"] == str(each.message) for each in shown)
                shown.clear()
        return self.rows


def subscript(function: Any, generator: random.Random, log: Log) -> None:
    grid = generator.choice((1, 1, (1,), (2, 3), 127, 128, (2, 64)))
    try:
        configured = function[grid, 32]
    except errors.NumbaPerformanceWarning as error:
        log.rows.append(("raised", type(error), str(error), vars(error)))
    else:
        log.rows.append(("grid", configured.griddim) if generator.random() < 0.1 else "grid")


def step(function: Any, generator: random.Random, log: Log) -> None:
    """Subscripts, and now and then a filter, a setting or another registry."""
    kind = generator.randrange(12)
    if kind == 0:
        warnings.simplefilter(generator.choice(ACTIONS), generator.choice((Warning, UserWarning, errors.NumbaWarning)))  # type: ignore[arg-type]
    elif kind == 1:
        pattern = generator.choice(("", "Grid size 1 ", "other"))
        module = generator.choice(("", r"numba\.cuda\.dispatcher$", "numba", "launchpath", "elsewhere"))
        warnings.filterwarnings(generator.choice(ACTIONS), pattern, module=module)  # type: ignore[arg-type]
    elif kind == 2:
        vars(dispatcher)[REGISTRY] = {}  # as unittest's assertWarns
    elif kind == 3:
        config.CUDA_LOW_OCCUPANCY_WARNINGS = generator.randrange(2)
    elif kind == 4:
        dispatcher.CUDADispatcher.configure.cache_clear()  # as launches of more than 128 other configurations
    elif kind == 5:
        with warnings.catch_warnings():
            warnings.simplefilter(generator.choice(ACTIONS))  # type: ignore[arg-type]
            subscript(function, generator, log)
    else:
        subscript(function, generator, log)


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("seed", range(10))
def test_same_steps_show_and_raise_the_same(action: str, seed: int, clean: None) -> None:
    own = Log(step).run(seed, action)
    registry = dict(vars(dispatcher).get(REGISTRY) or {})
    fast.install(children=False)
    ours = Log(step).run(seed, action)
    assert ours == own
    again = dict(vars(dispatcher).get(REGISTRY) or {})
    assert {key for key in again if key != "version"} == {key for key in registry if key != "version"}


def test_another_warn_of_numbas_module_is_called(clean: None, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    fast.install(children=False)
    function = cuda.jit(kernel)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        grid = function[1, 32]
    monkeypatch.setattr(dispatcher, "warn", seen.append)
    assert function[1, 32] is grid
    dispatcher.CUDADispatcher.configure.cache_clear()
    assert function[1, 32] is not grid
    assert len(seen) == 1
