"""The operators ``new`` and ``delete`` of the heap, which come behind a program that has none of its own."""

from __future__ import annotations

import re

from .unit import Unit

# By the operator, and whether it has a second parameter, the size: the names of headers/launchpath/heap.h.
_OPERATORS = {
    ("new", False): "__LP_Znwm",
    ("new[]", False): "__LP_Znam",
    ("delete", False): "__LP_ZdlPv",
    ("delete[]", False): "__LP_ZdaPv",
    ("delete", True): "__LP_ZdlPvm",
    ("delete[]", True): "__LP_ZdaPvm",
}
_OWN = re.compile(r"operator (new|delete)(?: ?(\[\]))?")
_PARAMETERS = re.compile(rb"\boperator\s*(?:new|delete)\b[^(]*\(([^)]*)\)")


def tail(unit: Unit) -> str:
    """Give the text with the operators that a program does not define for its device code, outside of classes."""
    own = set()
    for file in unit.files.values():
        for piece in file.pieces:
            matches = [match for name in piece.names if piece.device and (match := _OWN.fullmatch(name))]
            parameters = _PARAMETERS.search(file.active.text, piece.start, piece.end) if matches else None
            if parameters is not None:
                own |= {_OPERATORS.get((match[1] + (match[2] or ""), b"," in parameters[1])) for match in matches}
    return "\n".join(['#line 1 "launchpath heap"', *(text for text in _OPERATORS.values() if text not in own), ""])
