"""Arguments in device memory: counts of uploads, and the switch that skips uploads."""

from __future__ import annotations

from launchpath import _core
from launchpath._shown import as_bool
from launchpath._streams.device import configure


def argument_counts() -> dict[str, int]:
    """Count the uploads of all argument blocks so far, including those of kernels and streams that no longer exist.

    A block is the arguments of a kernel on a stream, in device memory: for kernels called `by_fields`, and for kernels
    with more arguments than the device takes with a launch. ``kernel.argument_counts()`` counts those of a kernel.

    Returns
    -------
    dict of str to int
        ``uploads`` made, uploads ``skipped``, ``bytes`` uploaded, ``slots`` made, ``growths`` (of slots and of staging
        memory: the only allocations), ``waits`` for an upload under way, ``captured`` launches.
    """
    return _core.argument_counts()


def skip_uploads(on: bool) -> bool:
    """Skip uploads of arguments that are already in device memory (the default), or upload for every launch.

    For the whole process, to compare the two. ``LAUNCHPATH_SKIP_UPLOADS=0`` in the environment selects the latter,
    until this is called.

    Parameters
    ----------
    on : bool
        Whether to skip them.

    Returns
    -------
    bool
        The previous setting.
    """
    skips = as_bool(on, "skip_uploads")
    configure()  # or the environment would be read later, and have the last word
    return _core.set_argument_skipping(skips)
