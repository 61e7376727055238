"""The codes that HIP's documentation lists for each function: in AMD's header, and in the bindings made of a newer one."""

import functools
import re
from pathlib import Path

_CODE = re.compile(r"\bhip(?:Error[A-Z]\w*|Success)\b")
_COMMENT = re.compile(
    r"/\*\*(?P<text>(?:(?!\*/).)*)\*/"
    r"(?P<between>(?:(?!/\*\*)[^;{}])*?)"  # macros, and lines of the preprocessor
    r"\bhipError_t\s+(?P<name>hip\w+)\s*\(",
    re.DOTALL,
)
# The list ends with an empty line, or with the next command of doxygen.
_RETURN = re.compile(r"[@\\]returns?\b(?P<list>.*?)(?=[@\\](?!p\b|ref\b|c\b)\w|\n\s*\*?\s*\n|\Z)", re.DOTALL)


def of_header(folder: Path) -> dict[str, frozenset[str]]:
    """Return the codes by functions, as the comments before their declarations list them."""
    text = (folder / "hip" / "hip_runtime_api.h").read_text(encoding="utf-8", errors="replace")
    codes: dict[str, frozenset[str]] = {}
    for match in _COMMENT.finditer(text):
        codes[match["name"]] = _codes(" ".join(each["list"] for each in _RETURN.finditer(match["text"])))
    return codes


@functools.cache
def of_bindings(name: str) -> frozenset[str]:
    """Return the codes of a function, as its documentation in AMD's bindings lists them."""
    from launchpath.hip._types.bindings import types

    returned = (getattr(types, name).__doc__ or "").partition("\nReturns:")[2].partition(".. rubric::")[0]
    return _codes(returned)


def _codes(text: str) -> frozenset[str]:
    """Find codes in a text, by their names of today; what is misspelled there is none."""
    from launchpath.hip._types.bindings import Error

    return frozenset(Error[name].name for name in _CODE.findall(text) if name in Error.__members__)
