"""Builds of OpenCL C without the platform's header of all functions: programs declare those that they call.

The header has a guard, which the option defines. On a platform where the declarations do not suffice the program does
not build; then it is built again, with the header.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from launchpath.errors import CompileError

_GUARD = "_OPENCL_H_"  # of opencl-c.h, in all versions of Clang


def options(info: Mapping[str, Any]) -> str:
    """Give the options for a program that declares its functions itself; empty for a device that keeps its header."""
    from launchpath._compiler.target import DECLARATIONS  # noqa: PLC0415 (importing launchpath must stay fast)

    return f"-D{_GUARD} -D{DECLARATIONS}" if "declare-functions" in info.get("workarounds", ()) else ""


def build(driver: Any, text: str) -> Any:
    """Build a text on a device of a driver.

    Raises
    ------
    CompileError
        It does not build with the header either.
    """
    from launchpath._compiler.target import DECLARATIONS  # noqa: PLC0415

    declarations = options(driver.info) if f"#ifdef {DECLARATIONS}" in text else ""
    if declarations:
        with suppress(CompileError):
            return driver.build(text, declarations)
    return driver.build(text)
