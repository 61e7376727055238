"""The variants whose names end in ``_spt``: stream 0 is the calling thread's default stream there."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from launchpath.hip import _arrays, _copies, _streams
from launchpath.hip._streams.streams import per_thread_default

# Parameters that have other names in the variant.
_VARIANTS: dict[str, dict[str, str]] = {
    "hipEventRecord": {},
    "hipLaunchHostFunc": {},
    "hipMemcpy": {},
    "hipMemcpy2D": {},
    "hipMemcpy2DAsync": {},
    "hipMemcpy2DFromArray": {},
    "hipMemcpy2DFromArrayAsync": {"wOffset": "wOffsetSrc", "hOffset": "hOffsetSrc"},
    "hipMemcpy2DToArray": {},
    "hipMemcpy2DToArrayAsync": {},
    "hipMemcpy3D": {},
    "hipMemcpy3DAsync": {},
    "hipMemcpyAsync": {},
    "hipMemcpyFromArray": {"srcArray": "src", "wOffset": "wOffsetSrc"},
    "hipMemcpyFromSymbol": {},
    "hipMemcpyFromSymbolAsync": {},
    "hipMemcpyToSymbol": {},
    "hipMemcpyToSymbolAsync": {},
    "hipMemset": {},
    "hipMemset2D": {},
    "hipMemset2DAsync": {},
    "hipMemset3D": {},
    "hipMemset3DAsync": {},
    "hipMemsetAsync": {},
    "hipStreamAddCallback": {},
    "hipStreamGetFlags": {},
    "hipStreamGetPriority": {},
    "hipStreamQuery": {},
    "hipStreamSynchronize": {},
    "hipStreamWaitEvent": {},
}


def _variant(name: str, other_names: dict[str, str]) -> Callable[..., tuple[Any, ...]]:
    parts = (*_copies.PARTS, *_arrays.PARTS, *_streams.PARTS)
    original = next(getattr(part, name) for part in parts if hasattr(part, name))
    signature = inspect.signature(original)
    parameters = [each.replace(name=other_names.get(each.name, each.name)) for each in signature.parameters.values()]
    signature = signature.replace(parameters=parameters)

    @functools.wraps(original)
    def call(*args: Any, **kwargs: Any) -> tuple[Any, ...]:
        if kwargs:
            args = signature.bind(*args, **kwargs).args
        with per_thread_default():
            return original(*args)  # type: ignore[no-any-return]

    call.__name__ = call.__qualname__ = f"{name}_spt"
    call.__module__ = __name__
    call.__doc__ = f"Do as `{name}` does; stream 0 is the calling thread's default stream."
    call.__signature__ = signature  # type: ignore[attr-defined]
    return call


for _name, _other_names in _VARIANTS.items():
    globals()[f"{_name}_spt"] = _variant(_name, _other_names)
