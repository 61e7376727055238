"""The heap's operators ``new`` and ``delete``: they come behind a program whose device code uses them undefined."""

from __future__ import annotations

import re

# By their names in LLVM's text: the macros of headers/launchpath/c_library/heap.h.
_OPERATORS = {
    "_Znwm": "__LP_Znwm", "_Znam": "__LP_Znam", "_ZdlPv": "__LP_ZdlPv", "_ZdaPv": "__LP_ZdaPv",
    "_ZdlPvm": "__LP_ZdlPvm", "_ZdaPvm": "__LP_ZdaPvm",
}  # fmt: skip
_HEAD = re.compile(rf"^(declare|define) [^\n]*@({'|'.join(_OPERATORS)})\(", re.MULTILINE)


def tail(text: str) -> str:
    """Give the text with the operators that a module lacks; empty if it lacks none."""
    if "@_Zn" not in text and "@_Zd" not in text:
        return ""
    heads = {match[2]: match[1] for match in _HEAD.finditer(text)}
    if "declare" not in heads.values():
        return ""
    defined = {name for name, word in heads.items() if word == "define"}
    lines = [macro for name, macro in _OPERATORS.items() if name not in defined]
    return "\n".join(['\n#line 1 "launchpath heap"', *lines, ""])
