"""Values in the compiler's messages."""

from __future__ import annotations


def shown(value: object) -> str:
    """Show a value that the caller passed, for a message; a long value is cut."""
    try:
        text = repr(value)
    except Exception:  # a class of the caller's
        text = "..."
    text = text if len(text) <= 60 else f"{text[:57]}..."
    return text if isinstance(value, (str, bytes)) else f"{text} ({type(value).__name__})"
