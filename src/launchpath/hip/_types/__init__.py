"""HIP's types, handles, values and errors."""

from __future__ import annotations

from launchpath.hip._types import errors

PARTS = (errors,)  # with functions of HIP's
