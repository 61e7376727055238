"""Names of our own in generated code, and names of the user's that OpenCL keeps for itself."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

# Names with two leading underscores are the implementation's in C and C++, so no source can collide.
KERNEL_PREFIX = "__lp_"
INTERNAL_PREFIX = "__lpi_"
RENAMED_PREFIX = "__lpu_"

_LANGUAGES = ("clcpp.h", "clc.h", "generic.h", "flat.h")

# Parameters, locals and C's own words in our headers are nobody's names.
_PLAIN = frozenset(
    re.findall(r"\w+", "x y z w a b c f i n s e m p q v T U A B R C old got seen to from next name op get")
)


@cache
def prelude(name: str) -> str:
    """Text of a file in ``compile/prelude``."""
    return (Path(__file__).parent / "prelude" / name).read_text(encoding="utf-8")


@cache
def intrinsics() -> tuple[str, ...]:
    """CUDA's own names with two leading underscores that our headers define as functions.

    NVIDIA's OpenCL declares many of them itself, so ours have other names behind macros.
    """
    text = "\n".join(prelude(name) for name in ("common.h", "math.h", *_LANGUAGES))
    found = re.findall(r"^(?:__lpi|static)\b[^({;#]* (__(?!lpi)\w+)\(", text, re.MULTILINE)
    return tuple(dict.fromkeys(found))


@cache
def _reserved() -> tuple[frozenset[str], frozenset[str]]:
    kinds: dict[str, set[str]] = {"keyword": set(), "name": set()}
    for line in prelude("reserved.txt").splitlines():
        if not line.startswith("#"):
            kind, *names = line.split()
            kinds[kind].update(names)
    ours = " ".join(prelude(name) for name in ("common.h", "math.h", "atomic.h", *_LANGUAGES))
    kinds["name"].update(re.findall(r"\b[A-Za-z_]\w*", re.sub(r"/\*.*?\*/", "", ours, flags=re.DOTALL)))
    kinds["name"] -= _PLAIN
    # A source's own atomicAdd(double *, double) joins our overloads: ours take pointers to volatile.
    kinds["name"] -= {name for name in kinds["name"] if re.match("atomic[A-Z]", name)}
    kinds["name"] -= kinds["keyword"]
    return frozenset(kinds["keyword"]), frozenset(kinds["name"])


def renamed(used: Iterable[str], declared: Iterable[str]) -> tuple[str, ...]:
    """Those of the source's names that OpenCL, or our own headers, have another meaning for.

    Parameters
    ----------
    used : iterable of str
        Every identifier in the source.
    declared : iterable of str
        What it declares at file scope. Only there a name is taken: a local or a member may hide it.
    """
    keywords, names = _reserved()
    return tuple(sorted((keywords & set(used)) | (names & set(declared))))


def kernel_name(name: str) -> str:
    """Name of the OpenCL kernel generated for the kernel `name`, e.g. ``__lp_fill``."""
    return KERNEL_PREFIX + name.replace("::", "__")


def restore(text: str) -> str:
    """`text` with the source's own names in place of the renamed and generated ones."""
    return re.sub(r"\b__lp[iu]?_(?:at_)?", "", text)
