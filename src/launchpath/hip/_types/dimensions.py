"""Grids and blocks: HIP's dim3, which refuses fractions. The bindings' own cuts them off."""

from __future__ import annotations

from typing import Any

from launchpath._shown import shown
from launchpath._tracebacks import boundary, trim_always
from launchpath.hip._types.bindings import types


def _whole(name: str, value: Any) -> Any:
    """Check the number of one axis.

    Raises
    ------
    ValueError
        It has a fraction, as ``n / 256`` has.
    """
    if hasattr(type(value), "__index__") or not hasattr(type(value), "__float__"):
        return value  # what else is no number the bindings refuse
    if not float(value).is_integer():
        raise ValueError(
            f"dim3: {name}: expected a whole number, got {shown(value)}: divide by //, as in (n + 255) // 256 for the "
            "blocks of 256 threads that n elements need"
        )
    return int(value)


def _axis(name: str) -> property:
    of_bindings = getattr(types.dim3, name)

    def get(self: Any) -> Any:
        return of_bindings.__get__(self)

    def put(self: Any, value: Any) -> None:
        of_bindings.__set__(self, _whole(name, value))

    return property(get, boundary(put, trim_always), doc=of_bindings.__doc__)


class dim3(types.dim3):  # type: ignore[misc]
    """Up to three extents of a grid or a block: ``dim3(x=4, y=2)``. An extent that is not given is 1."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)  # sets the axes, by name

    x, y, z = map(_axis, "xyz")
