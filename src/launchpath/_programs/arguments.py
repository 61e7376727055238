"""Arguments in device memory: what was uploaded, and whether uploads are left out."""

from __future__ import annotations

from launchpath import _core
from launchpath._shown import as_bool
from launchpath._streams.device import configure


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


def skip_uploads(on: bool) -> bool:
    """Leave out the upload of arguments that are in device memory already (the default), or upload for every launch.

    For the whole process, for comparing the two. ``LAUNCHPATH_SKIP_UPLOADS=0`` in the environment says the latter,
    until this is called.

    Parameters
    ----------
    on : bool
        Whether to leave them out.

    Returns
    -------
    bool
        What it was before.
    """
    wanted = as_bool(on, "skip_uploads")
    configure()  # or the environment would be read later, and have the last word
    return _core.set_argument_skipping(wanted)
