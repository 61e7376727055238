"""Other threads that end before a test goes on: what they raise is the test's own failure."""

import threading
from collections.abc import Callable, Iterable
from typing import Any


def apart(function: Callable[..., Any], *arguments: object) -> Any:
    """Call a function on a thread of its own, and give what it returns."""
    results: list[Any] = []
    at_once(lambda _: results.append(function(*arguments)), [0])
    return results[0]


def at_once(work: Callable[[Any], object], items: Iterable[Any]) -> None:
    """Call a function with each of these on a thread of its own; raise what one of them raised."""
    wrong: list[BaseException] = []

    def run(item: Any) -> None:
        try:
            work(item)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=run, args=(item,)) for item in items]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for error in wrong:
        raise error
