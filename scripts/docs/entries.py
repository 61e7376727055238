"""What Sphinx's autodoc does not know of launchpath's objects: constructors that are not public, and HIP's outputs."""

from __future__ import annotations

import inspect
from typing import Any

from sphinx.application import Sphinx

from scripts.docs import public


def signature(_app: Sphinx, what: str, name: str, value: Any, _options: Any, text: str | None, _returns: str) -> Any:
    """Show no signature of a class that users do not construct: its docstring has no parameters."""
    if text and what in ("class", "exception") and "Parameters\n-----" not in (inspect.getdoc(value) or ""):
        return "", None
    return None


def docstring(_app: Sphinx, _what: str, name: str, value: Any, _options: Any, lines: list[str]) -> None:
    """Add the outputs of a function of HIP's: their number is kept beside the function, not in its docstring."""
    outputs = getattr(value, "outputs", None)
    if name.startswith(("launchpath.hip.", "launchpath.hiprtc.")) and isinstance(outputs, int):
        returned = ["only the error code", "the error code, an output"]
        number = returned[outputs] if outputs < len(returned) else f"the error code, {outputs} outputs"
        lines += ["", f":returns: a tuple: {number}"]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the handlers."""
    app.connect("autodoc-process-signature", signature)
    app.connect("autodoc-process-docstring", docstring)
    assert public.MODULES  # imported here, so that an error in it stops the build at once
    return {"parallel_read_safe": True, "parallel_write_safe": True}
