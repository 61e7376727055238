"""Launches as other libraries write them."""

from __future__ import annotations

from collections.abc import Sequence

from launchpath._shown import shown


def how_to_launch(name: str, args: Sequence[object], is_queue_first: bool) -> str:
    """Say how to launch a kernel that was called without a grid and a block, as CuPy and PyOpenCL call theirs."""
    text = f"{name}: expected a grid and a block: {name}[grid, block](...)"
    if is_queue_first:
        return (
            f"{text}: for {name}(queue, global_size, local_size, ...) write {name}[grid, block, stream](...), "
            "where the grid is in blocks"
        )
    if len(args) == 3 and all(isinstance(each, tuple) for each in args):
        return f"{text}: write {name}[{shown(args[0])}, {shown(args[1])}](*arguments)"
    return f"{text}, or {name}.over(n)(...) for n elements"
