"""Templates of kernels: their parameters, and how an instance is named, for messages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_DEFAULT = re.compile(r"(?<![=<>!])=(?!=).*", re.DOTALL)
_EXAMPLES = (
    (re.compile(r"^template\b"), "..."),
    (re.compile(r"^(?:class|typename)\b"), "float"),
    (re.compile(r"\bbool\b"), "true"),
    (re.compile(r"\b(?:int|unsigned|long|short|char|size_t|u?int\d+_t)\b"), "4"),
    (re.compile(r"^auto\b"), "4"),
)


def declared(name: str, parameters: Iterable[str]) -> str:
    """Write a template with its parameters: ``reduce<class T, int N>``."""
    return f"{name}<{', '.join(parameters) or '...'}>"


def example(name: str, parameters: Iterable[str]) -> str:
    """Name an instance of a template, as an example."""
    # Those with defaults may be left out.
    wanted = [_argument(text) for text in parameters if not _DEFAULT.search(text)]
    return f"{name}<{', '.join(wanted) if parameters else '...'}>"


def nothing_but(templates: Mapping[str, tuple[str, ...]]) -> str:
    """Say that there are only templates, and what to do."""
    shown = ", ".join(declared(*template) for template in templates.items())
    name, parameters = next(iter(templates.items()))
    return (
        f"expected a kernel, got only templates of which nothing launches or names an instance: {shown}; "
        f"name instances, as in names=['{example(name, parameters)}']"
    )


def _argument(parameter: str) -> str:
    return next((argument for pattern, argument in _EXAMPLES if pattern.search(parameter.strip())), "...")
