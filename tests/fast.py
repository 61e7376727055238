"""The fast tests: ``make test-fast``, or ``pytest -p tests.fast tests/unit``. They start no process and run no compiler.

Left out are tests on real devices, whose drivers compile, and tests with the marker ``compiles`` or ``processes``. A test
that is not left out but starts a process or a compiler fails, and says which marker it needs.
"""

import sys
from collections.abc import Generator
from types import FrameType
from typing import Any, NoReturn

import pytest

DEVICES = {"device_id", "device_ids"}
STARTS = {"subprocess.Popen", "os.posix_spawn", "os.fork", "os.forkpty", "os.exec", "os.spawn", "os.system"}

_refused: list[str] | None = None  # what the test that runs now has tried


def pytest_configure() -> None:
    from launchpath._compiler.rtc.library.library import Library  # after tests/conftest.py has set the environment

    sys.addaudithook(_audit)
    Library.compile = _compile  # type: ignore[method-assign]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = [item for item in items if not _is_fast(item)]
    items[:] = [item for item in items if _is_fast(item)]
    config.hook.pytest_deselected(items=left_out)


def _is_fast(item: pytest.Item) -> bool:
    if DEVICES & set(getattr(item, "fixturenames", ())):
        return False
    return not (item.get_closest_marker("compiles") or item.get_closest_marker("processes"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, Any, Any]:
    global _refused
    _refused = []
    try:
        return (yield)
    finally:
        _refused = None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test that goes on after it was refused something: it may have caught the error, or another thread had it."""
    report = yield
    if _refused:
        if report.passed:
            report.outcome, report.longrepr = "failed", _refused[0]
        _refused.clear()
    return report


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if _refused is not None and event in STARTS:
        _refuse(f"{event} of {arguments[0]!r}" if arguments else event, _is_of_the_compiler(sys._getframe(1)))


def _is_of_the_compiler(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith("launchpath._compiler"):
            return True
        frame = frame.f_back
    return False


def _compile(library: object, program: object) -> NoReturn:
    _refuse(f"a compilation by {library}", True)


def _refuse(what: str, compiles: bool) -> NoReturn:
    marker = "compiles" if compiles else "processes"
    message = f"expected no process in a fast test, got {what}: mark it with @pytest.mark.{marker}"
    if _refused is not None:
        _refused.append(message)
    pytest.fail(message)
