"""What Sphinx's autodoc does not know of launchpath's objects: private constructors, HIP's outputs, examples."""

from __future__ import annotations

import inspect
from typing import Any

from sphinx.application import Sphinx

from scripts.docs import examples, public


def signature(_app: Sphinx, what: str, name: str, value: Any, _options: Any, text: str | None, _returns: str) -> Any:
    """Show no signature of a class that users do not construct: its docstring has no parameters."""
    if text and what in ("class", "exception") and "Parameters\n-----" not in (inspect.getdoc(value) or ""):
        return "", None
    return None


def docstring(_app: Sphinx, _what: str, name: str, value: Any, _options: Any, lines: list[str]) -> None:
    """Add what is kept elsewhere: the outputs of a function of HIP's, and the examples of the reference."""
    outputs = getattr(value, "outputs", None)
    if name.startswith(("launchpath.hip.", "launchpath.hiprtc.")) and isinstance(outputs, int):
        returned = ["only the error code", "the error code, an output"]
        number = returned[outputs] if outputs < len(returned) else f"the error code, {outputs} outputs"
        lines += ["", f":returns: a tuple: {number}"]
    if name in examples.parts():
        lines += ["", ".. rubric:: Examples", *examples.block(examples.parts()[name])]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the handlers."""
    app.connect("autodoc-process-signature", signature)
    app.connect("autodoc-process-docstring", docstring)
    assert public.MODULES  # imported here, so that an error in it stops the build at once
    return {"parallel_read_safe": True, "parallel_write_safe": True}
