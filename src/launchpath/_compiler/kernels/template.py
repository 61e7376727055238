"""Templates of kernels: their parameters, and how an instance is named, for messages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ..source.text import separated

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
    inside = ", ".join(parameters)
    return name if not inside and "<" in name else f"{name}<{inside or '...'}>"


def example(name: str, parameters: Iterable[str]) -> str:
    """Name an instance of a template, as an example."""
    of_class, opened, rest = name.partition("<")
    if opened:  # a member of a class template, whose parameters stand in its name
        within, _, member = rest.rpartition(">")
        name = f"{of_class}<{_arguments(separated(within))}>{member}"
    return name if opened and not parameters else f"{name}<{_arguments(parameters) if parameters else '...'}>"


ONLY_TEMPLATES = "expected a kernel, got only templates of which nothing launches or names an instance"


def nothing_but(templates: Mapping[str, tuple[str, ...]]) -> str:
    """Say that there are only templates, and what to do."""
    shown = ", ".join(declared(*template) for template in templates.items())
    name, parameters = next(iter(templates.items()))
    return f"{ONLY_TEMPLATES}: {shown}; name instances, as in names=['{example(name, parameters)}']"


def _arguments(parameters: Iterable[str]) -> str:
    """Give an example of each argument, but of those with defaults, which may be left out."""
    return ", ".join(_argument(text) for text in parameters if not _DEFAULT.search(text))


def _argument(parameter: str) -> str:
    return next((argument for pattern, argument in _EXAMPLES if pattern.search(parameter.strip())), "...")
