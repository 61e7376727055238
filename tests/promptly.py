"""Calls that must return at once, for tests of what would hang."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.patience import PROMPT


def promptly(function: Callable[[], Any], message: str) -> Any:
    """Call a function on a thread of its own, and return its result; fail with the message if the function hangs.

    What would let it go on then, such as the end of a hold, is left to the caller's ``finally``. A result that comes
    late, such as another hold, is dropped.
    """
    __tracebackhide__ = True
    results: list[Any] = []
    errors: list[BaseException] = []
    late = threading.Event()

    def call() -> None:
        try:
            result = function()
            if not late.is_set():
                results.append(result)
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    thread.join(PROMPT)
    if thread.is_alive():
        late.set()
        pytest.fail(f"{message}: expected it to return at once, got nothing within {PROMPT:g} s")
    if errors:
        raise errors[0]
    return results[0]
