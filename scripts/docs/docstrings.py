"""What public docstrings lack: ``python -m scripts.docs.docstrings`` lists it, and a test wants nothing.

Each public function, method and class says what it is. NumPy's sections then have:

- Parameters: every parameter of the signature, and no other;
- Raises: where the function's own code raises;
- Returns or Yields: where the annotation has a value;
- of arrays, the shape or the dtype; of times and sizes, the unit.

No description only names another function ("As for `empty`").

HIP's functions have HIP's own parameters, and the page of the reference says what holds for all of them: they need a
first line only.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from numpydoc.docscrape import NumpyDocString

from scripts.docs import public

ARRAY = re.compile(r"\b(Array|array_like|array|ndarray|arrays)\b")
SHAPE = re.compile(r"\b(shape|shapes|dtype|dtypes|elements?|axes|axis|scalar|bytes)\b")
SIZED = re.compile(r"^(n?bytes|size|limit|shared|seconds|timeout|period|duration|.*_(bytes|memory|seconds|time|ms))$")
# Properties whose values have a unit.
MEASURES = re.compile(
    r"^(nbytes|parameter_bytes|total_memory|max_allocation|shared_memory_.*|memory_info|elapsed_time)$"
)
UNIT = re.compile(r"(?i)\b(bytes?|[KMG]iB|(milli|micro|nano)?seconds?|ms|MHz|elements?|threads?)\b")
ELSEWHERE = re.compile(r"^As for [`\w.]+$")
OMITTED = {"self", "cls"}


def lacks() -> Iterator[str]:
    """Yield a line for each thing that a public docstring lacks."""
    for name in public.everything():
        value = getattr(name.owner, name.short) if name.owner and not isinstance(name.value, property) else name.value
        text = inspect.getdoc(value) or ""
        described = _described_by_class(name)
        if not text.strip() and not described:
            yield f"{name.full}: no docstring"
        elif name.full.startswith(("launchpath.hip.", "launchpath.hiprtc.")):
            continue
        elif isinstance(name.value, property) or described:
            whole = f"{text} {described}"
            if MEASURES.match(name.short) and not UNIT.search(whole):
                yield f"{name.full}: no unit"
        elif callable(value):
            yield from (f"{name.full}: {line}" for line in _lacks_of(value, NumpyDocString(text), name))


def _described_by_class(name: public.Name) -> str:
    """Return what the section `Attributes` of the member's class has of it."""
    if name.owner is None:
        return ""
    entries = NumpyDocString(inspect.getdoc(name.owner) or "")["Attributes"]
    return next((f"{each.name} : {each.type} {' '.join(each.desc)}" for each in entries if each.name == name.short), "")


def _lacks_of(value: Any, doc: NumpyDocString, name: public.Name) -> Iterator[str]:
    entries = {
        part.strip().lstrip("*"): entry
        for section in ("Parameters", "Other Parameters")
        for entry in doc[section]
        for part in entry.name.split(",")
    }
    signature = _signature(value)
    is_class = inspect.isclass(value)
    if signature is not None and (not is_class or entries):
        parameters = [each for each in signature.parameters if each not in OMITTED]
        open_ended = any(each.kind is each.VAR_KEYWORD for each in signature.parameters.values())
        for parameter in parameters:
            if parameter not in entries and not (open_ended and entries):
                yield f"parameter {parameter} is not described"
        if not open_ended:
            yield from (f"{entry} is not a parameter" for entry in entries if entry not in parameters)
    for entry_name, entry in entries.items():
        words = f"{entry.type} {' '.join(entry.desc)}"
        if ARRAY.search(entry.type) and not SHAPE.search(words):
            yield f"parameter {entry_name}: an array without shape or dtype"
        if ELSEWHERE.match(" ".join(entry.desc).strip().removesuffix(".")):
            yield f"parameter {entry_name}: described elsewhere"
        if SIZED.match(entry_name) and not UNIT.search(words):
            yield f"parameter {entry_name}: no unit"
    if is_class:
        return
    for entry in doc["Returns"]:
        words = f"{entry.name} {entry.type} {' '.join(entry.desc)} {' '.join(doc['Summary'] + doc['Extended Summary'])}"
        if ARRAY.search(f"{entry.name} {entry.type}") and not SHAPE.search(words):
            yield "Returns: an array without shape or dtype"
    if signature is not None and _gives(signature) and not (doc["Returns"] or doc["Yields"] or _is_short(doc)):
        yield "no Returns"
    if _raises(value) and not doc["Raises"]:
        yield "no Raises"
    if MEASURES.match(name.short) and not UNIT.search(str(doc)):
        yield "no unit"


def _signature(value: Any) -> inspect.Signature | None:
    try:
        return inspect.signature(value)
    except (TypeError, ValueError):
        return None


def _gives(signature: inspect.Signature) -> bool:
    return signature.return_annotation not in (None, "None", signature.empty, "bool")


def _is_short(doc: NumpyDocString) -> bool:
    """Whether the first line says what is returned."""
    return bool(re.match(r"(Return|Give|List|Tell|Describe|Find|Get|Take|Wait)\b", " ".join(doc["Summary"])))


def _raises(value: Callable[..., Any]) -> bool:
    """Whether the body of a Python function has `raise` with an error, outside of functions inside it."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(value))))
    except (OSError, TypeError, SyntaxError):
        return False
    waiting: list[ast.AST] = list(tree.body[0].body) if isinstance(tree.body[0], ast.FunctionDef) else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Raise) and node.exc is not None:
            return True
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)
    return False


def main() -> int:
    """Print what is lacking; the exit status is 1 if something is."""
    lines = sorted(set(lacks()))
    print(*lines, f"{len(lines)} things are lacking", sep="\n")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main())
