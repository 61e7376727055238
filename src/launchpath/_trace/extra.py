"""Packages of the extra ``trace``, which only some formats need."""

from __future__ import annotations

import importlib
from typing import Any

from launchpath.errors import LibraryError


def imported(module: str) -> Any:
    """Import a module of a package that is optional.

    Raises
    ------
    LibraryError
        The package is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise LibraryError(
            f"expected the package {package}, got: {error}. Install it: pip install 'launchpath[trace]'"
        ) from None
