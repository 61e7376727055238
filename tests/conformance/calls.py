"""Calls on threads of their own: does one block until something happens, or come back while it has not?"""

import threading
import time

from tests.patience import PATIENCE

MOMENT = 0.1  # seconds after which a call that has not come back counts as blocked


class Call:
    """A function called on another thread."""

    def __init__(self, function, *args):
        self.value = self.error = None
        self.begun = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(function, args), daemon=True)
        self.thread.start()

    def _run(self, function, args):
        self.begun.set()
        try:
            self.value = function(*args)
        except BaseException as error:
            self.error = error

    def blocks(self):
        self.begun.wait(PATIENCE)
        self.thread.join(MOMENT)
        return self.thread.is_alive()

    def result(self):
        """What the function returned or raised; it must come back."""
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive(), "the call did not come back"
        if self.error is not None:
            raise self.error
        return self.value


def returns_at_once(function, *args):
    """Whatever is held stays held meanwhile: a call that waits for it fails here instead of hanging the run."""
    return Call(function, *args).result()


def waits_until_released(hold, function, *args):
    """The call comes back after the release and not before. Returns what it returned."""
    released = threading.Event()

    def call():
        value = function(*args)
        return value, released.is_set()

    waiting = Call(call)
    blocked = waiting.blocks()
    released.set()
    hold.release()
    value, after = waiting.result()
    assert blocked and after, "the call came back although what it should wait for had not ended"
    return value


def becomes_true(condition):
    """Poll until the condition holds; False only when patience ends."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.0005)
    return True
