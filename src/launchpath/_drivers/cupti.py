"""Find CUPTI, the profiler of CUDA devices."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from launchpath._installed import SYSTEM_FOLDERS, cuda_folders, libraries_in, loader_folders, major_version, namespace
from launchpath.errors import LibraryError

VARIABLE = "LAUNCHPATH_CUPTI_LIBRARY"
_MAJORS = (13, 12, 11)
# Where Python packages keep it, below `nvidia`.
_PACKAGES = ("cu13/lib", "cuda_cupti/lib", "cu12/lib")
_CUDA = ("extras/CUPTI/lib64", "lib64", "lib", "targets/x86_64-linux/lib")


def load(driver_version: str, environment: Mapping[str, str] = os.environ) -> str:
    """Load CUPTI for this process, if it is not loaded yet.

    Parameters
    ----------
    driver_version : str
        The version of CUDA that the driver has, such as ``"13.0"``. A CUPTI of a newer major version does not
        work with it.
    environment : mapping
        ``LAUNCHPATH_CUPTI_LIBRARY``: the library to load, and no other; ``none`` for none.

    Returns
    -------
    str
        Why there is none; empty if it is loaded.
    """
    from launchpath import _core  # noqa: PLC0415 (only when a trace begins)

    chosen = environment.get(VARIABLE)
    if chosen == "none":
        return f"switched off by {VARIABLE}"
    if _core.cupti_is_loaded():
        return ""
    reasons = []
    for path in [chosen] if chosen else _candidates(int(driver_version.partition(".")[0])):
        try:
            _core.cupti_load(path)
        except LibraryError as error:
            if os.path.isabs(path) or chosen:  # by the name alone it is looked for, and may not be there
                reasons.append(str(error))
        else:
            return ""
    return "; ".join(reasons) or "CUPTI is not installed: pip install nvidia-cuda-cupti, or install CUDA"


def libraries(driver_major: int = _MAJORS[0]) -> list[str]:
    """Return every CUPTI that is installed, for a driver of that major version of CUDA; the newest first."""
    packages = [os.path.join(folder, part) for folder in namespace("nvidia") for part in _PACKAGES]
    folders = [*loader_folders(), *packages, *cuda_folders(*_CUDA), *SYSTEM_FOLDERS]
    paths = [path for path in libraries_in(folders, "libcupti.so.") if major_version(path) in _MAJORS]
    return sorted((path for path in paths if major_version(path) <= driver_major), key=major_version, reverse=True)


def _candidates(driver_major: int) -> Iterator[str]:
    """Yield every CUPTI that may work. What the process has loaded is first: two would be in each other's way."""
    yield from _loaded()
    yield from libraries(driver_major)
    yield from (f"libcupti.so.{major}" for major in _MAJORS if major <= driver_major)


def _loaded() -> list[str]:
    """Give the libraries of CUPTI that this process has loaded."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as file:
            return sorted({match[0] for line in file if (match := re.search(r"/\S*/libcupti\.so\S*$", line.rstrip()))})
    except OSError:
        return []
