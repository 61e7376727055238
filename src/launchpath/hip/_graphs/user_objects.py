"""User objects: resources that live as long as the graphs that use them."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any

from launchpath.hip._streams.streams import c_callable
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.handles import Handles

_lock = threading.Lock()


class UserObject:
    """A count of references, and what is called when it comes to 0."""

    def __init__(self, destroy: Callable[[], Any], count: int) -> None:
        self._destroy, self.count = destroy, count
        self.handle = user_objects.add(self)

    def retain(self, count: int) -> None:
        """Add references."""
        with _lock:
            self.count += count

    def release(self, count: int) -> None:
        """Drop references."""
        with _lock:
            if count > self.count:
                raise HipError(
                    Error.hipErrorInvalidValue, f"expected at most {self.count} references to release, got {count}"
                )
            self.count -= count
            ends = self.count == 0
        if ends:
            user_objects.remove(self.handle)
            self._destroy()


user_objects: Handles[UserObject] = Handles(types.hipUserObject, Error.hipErrorInvalidValue)


def check_count(count: int) -> None:
    """Refuse counts that HIP does not take."""
    if not 0 < count < 1 << 31:
        raise HipError(Error.hipErrorInvalidValue, f"expected a count from 1 to {(1 << 31) - 1}, got {count}")


@function(1)
def hipUserObjectCreate(ptr: Any, destroy: Any, initialRefcount: int, flags: int) -> Any:
    """Create a user object. ``destroy(ptr)`` is called when nothing refers to it any more."""
    check_count(initialRefcount)
    if flags != types.hipUserObjectFlags.hipUserObjectNoDestructorSync:
        raise HipError(Error.hipErrorInvalidValue, f"expected hipUserObjectNoDestructorSync, got {flags}")
    called = c_callable(destroy, ctypes.CFUNCTYPE(None, ctypes.c_void_p))
    argument = ptr if callable(destroy) else address(ptr)
    return UserObject(lambda: called(argument), initialRefcount).handle


@function()
def hipUserObjectRetain(object: Any, count: int) -> None:
    """Add references to a user object."""
    check_count(count)
    user_objects.find(object).retain(count)


@function()
def hipUserObjectRelease(object: Any, count: int) -> None:
    """Drop references to a user object."""
    check_count(count)
    user_objects.find(object).release(count)
