"""Arguments in device memory: what was uploaded, and whether uploads are left out."""

from __future__ import annotations

import os

from launchpath import _core


def argument_counts() -> dict[str, int]:
    """Count what the argument blocks of all kernels and streams have done so far, those that are gone included.

    A block is the arguments of a kernel on a stream, in device memory: for kernels called `by_fields`, and for those
    whose arguments are more than the device takes with a launch. ``kernel.argument_counts()`` counts one kernel's.

    Returns
    -------
    dict of str to int
        ``uploads`` made, uploads ``skipped``, ``bytes`` uploaded, ``slots`` made, ``growths`` (of slots and of staging
        memory: the only allocations), ``waits`` for an upload under way, ``captured`` launches.
    """
    return _core.argument_counts()


def skip_uploads(on: bool) -> None:
    """Leave out the upload of arguments that are in device memory already (the default), or upload for every launch.

    For the whole process, for comparing the two. ``LAUNCHPATH_SKIP_UPLOADS=0`` in the environment does the same.

    Parameters
    ----------
    on : bool
    """
    _core.set_argument_skipping(bool(on))


if os.environ.get("LAUNCHPATH_SKIP_UPLOADS", "1") in ("", "0"):
    skip_uploads(False)
