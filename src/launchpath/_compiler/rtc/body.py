"""Bodies: what a program is but for the statement at its kernels' entries, as NVRTC's PTX shows it.

Two programs of one body do the same, with whatever statement, if nothing lasts in a module from launch to launch. So a
kernel of one module may run in place of a kernel of the other, see `launchpath._programs.builds.variants`.
"""

from __future__ import annotations

import re

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_$%][\w$]*")
# A variable of the module, up to its name. The math functions have tables of their own, which nothing writes.
_VARIABLE = re.compile(
    r"""^[ \t]*(?:\.(?:visible|weak|common)[ \t]+)*\.(?:global|const)\b
        (?:\s+\.(?:align\s+\d+|v\d|[busf]\d+|b128|pred|texref|samplerref|surfref))*
        \s+(?P<name>[\w$]+)\s*(?:\[[^\]]*\]\s*)*(?:=[^;]*)?;""",
    re.VERBOSE | re.MULTILINE,
)
_SPACE = re.compile(r"^[ \t]*(?:\.(?:visible|weak|common)[ \t]+)*\.(?:global|const|tex)\b", re.MULTILINE)
_OF_MATH = re.compile(r"__cudart_\w+")
# External functions keep what they like; an address of a function is one of this module's.
_FOREIGN = re.compile(r"\.extern\s+\.(?!shared\b)|\.callprototype\b|\.calltargets\b|\.alias\b")
_HEAD = re.compile(r"\.(?:func|entry)\b")
_FUNCTION = re.compile(r"\.(?:func|entry)\s+(?:\([^)]*\)\s*)?([\w$]+)")
_CALL = re.compile(r"\bcall(?:\.uni)?\s+(?:\([^)]*\)\s*,\s*)?([\w$]+)")


def digest(ptx: bytes, code: str) -> str:
    """Tell a program's body from others; empty for a program that may not be exchanged.

    Parameters
    ----------
    ptx : bytes
        All of the program's.
    code : str
        The statement.

    Notes
    -----
    A program may not be exchanged if its module has a state, or an address that can be seen: a variable that its code
    names, a function that it does not just call, or anything that another module defines.
    """
    import hashlib  # noqa: PLC0415 (where the compiler prepares itself, it is to be imported fast)

    text = ptx.decode(errors="replace")
    if code not in text or not _is_stateless(_COMMENT.sub("", text)):
        return ""
    return hashlib.sha256(text.replace(code, "").encode()).hexdigest()


def _is_stateless(text: str) -> bool:
    declared = [*_VARIABLE.finditer(text)]
    functions = _FUNCTION.findall(text)
    is_read = len(declared) == len(_SPACE.findall(text)) and len(functions) == len(_HEAD.findall(text))
    if _FOREIGN.search(text) or not is_read:
        return False
    names = {match["name"] for match in declared if not _OF_MATH.fullmatch(match["name"])}
    rest = _VARIABLE.sub(lambda match: match[0].replace(match["name"], "", 1), text)
    names.update(functions)
    rest = _CALL.sub("", _FUNCTION.sub("", rest))
    return names.isdisjoint(_NAME.findall(rest))
