"""Write the layers that treat all entries of the driver's table alike: ``_core/layers/entries.pxi``.

    python scripts/layers.py

The table itself, ``_core/driver/table.pxi``, is where each entry stands once. A line ``# @`` over an entry says what
the layers do with it; its clauses are separated by semicolons:

``log NAME = VALUE, LABEL``
    What ``LAUNCHPATH_LOG`` prints beside the call's object: a quantity with its name, and what the call is about by
    name. ``*VALUE`` is read after the call, where it succeeded; ``result`` is what the call returns. A quantity that
    is called as the parameter needs no ``=``. ``log by hand``: ``layers/log.pxi`` has it. ``log never``: it is no call
    of its own.
``trace QUANTITY``
    Traces have a record of the call. ``unless in vain``: not of one of many queries in a wait. ``by hand``: ``trace/``
    has it; ``by hand as NAME``: under another name.
``forked VALUE``
    What the call gives in a forked child, in place of ERROR_FORKED. ``NULL``: the child's table lacks the entry.
    ``keep``: it works there too.

The build runs this (``setup.py``).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

CORE = Path(__file__).parents[1] / "src" / "launchpath" / "_core"
TABLE, LAYERS = CORE / "driver" / "table.pxi", CORE / "layers" / "entries.pxi"
WIDTH = 128

# What a call about a device is about, if it has a parameter of that name.
SUBJECTS = "address", "event", "start", "timing", "program", "kernel", "texture"
FORKED = {"int": "ERROR_FORKED", "bint": "False", "void *": "NULL", "const char *": "NULL", "void": ""}

ENTRY = re.compile(
    r"(?:^    # @ (?P<clauses>.*)\n)?"
    r"^    (?P<returns>(?:const )?\w+(?: \*)?) ?\(\*(?P<name>\w+)\)"
    r"\((?P<parameters>(?:.|\n)*?)\) noexcept nogil *(?:#.*)?$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Entry:
    """A function of the table.

    Attributes
    ----------
    name, returns : str
        Its name, and the type that it returns.
    parameters : list of str
        As they are declared.
    clauses : dict of str to str
        What the layers do with it, by the clause's first word.
    """

    name: str
    returns: str
    parameters: list[str]
    clauses: dict[str, str]

    @property
    def arguments(self) -> list[str]:
        """The parameters' names."""
        return [re.findall(r"(?<=\(\*)\w+|\w+$", parameter)[0] for parameter in self.parameters]

    def below(self, layer: str) -> str:
        """The table below a layer, as an expression."""
        first = self.arguments[0]
        function = {"queue": "below_queue", "device": "below_device", "domain": "layer_below"}[first]
        return f"{function}({first}, {layer})"

    @property
    def subject(self) -> str:
        """The parameter that is the object of the call."""
        named = [
            name
            for name, declared in zip(self.arguments[1:], self.parameters[1:], strict=True)
            if name in SUBJECTS and declared == f"void *{name}"
        ]
        first = self.arguments[0]
        return first if first == "queue" or not named else named[0]


def split(parameters: str) -> list[str]:
    """The parameters of a declaration: parentheses keep commas together."""
    depth, parts = 0, [""]
    for character in " ".join(parameters.split()):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def entries(text: str) -> list[Entry]:
    """The functions of the table, in their order."""
    struct = text[text.index("cdef struct driver_table:") :]
    listed = []
    for match in ENTRY.finditer(struct):
        clauses = [clause.strip().partition(" ") for clause in (match["clauses"] or "").split(";")]
        known = {word: rest for word, _, rest in clauses if word}
        if unknown := known.keys() - {"log", "trace", "forked"}:
            sys.exit(f"{TABLE.name}: expected log, trace or forked over {match['name']!r}, got {', '.join(unknown)}")
        listed.append(Entry(match["name"], match["returns"], split(match["parameters"]), known))
    stars = re.findall(r"\(\*(\w+)\)\(", re.sub(r"\([^()]*\(\*\w+\)\([^()]*\)[^()]*\)", "()", struct))
    if missed := set(stars) - {entry.name for entry in listed} - {"function", "release"}:
        sys.exit(f"{TABLE.name}: expected each entry to be read, got none of {', '.join(sorted(missed))}")
    return listed


def header(layer: str, entry: Entry) -> list[str]:
    """The first lines of a layer's function."""
    lines = [f"cdef {entry.returns}{'' if entry.returns.endswith('*') else ' '}{layer}_{entry.name}("]
    indent = " " * len(lines[0])
    for index, parameter in enumerate(entry.parameters):
        last = index == len(entry.parameters) - 1
        text = parameter + (") noexcept nogil:" if last else ", ")
        if len(lines[-1]) + len(text) > WIDTH:
            lines[-1] = lines[-1].rstrip()
            lines.append(indent)
        lines[-1] += text
    return lines


def forked(entry: Entry) -> Iterator[str]:
    """The function of a forked child."""
    yield from header("forked", entry)
    value = entry.clauses.get("forked", FORKED[entry.returns])
    yield f"    return {value}" if value else "    pass"
    yield ""


def logged(entry: Entry) -> Iterator[str]:
    """The function that prints a call."""
    clause, _, label = entry.clauses.get("log", "").partition(", ")
    quantity, _, value = clause.partition(" = ")
    value = value or quantity or "0"
    quantity = (quantity or "-").lstrip("*")
    pointer = is_pointer(entry, value.lstrip("*"), value.startswith("*"))
    if value.startswith("*"):
        value = f"{value[1:]}[0] if code == 0 else {'NULL' if pointer else 0}"
    elif "." in value:
        value = f"{value} if code == 0 else 0"
    quantity = quantity if "[" in quantity else f'b"{quantity}"'
    call = f"below.{entry.name}({', '.join(entry.arguments)})"
    yield from header("log", entry)
    yield f"    cdef const driver_table *below = {entry.below('LAYER_LOG')}"
    yield "    cdef uint64_t began = log_begin()"
    name = {"int": "code", "void": ""}.get(entry.returns, "result")
    if name:
        yield f"    cdef {entry.returns}{'' if entry.returns.endswith('*') else ' '}{name} = {call}"
    else:
        yield f"    {call}"
    code = "code" if name == "code" else "0"
    cast = "<uint64_t><uintptr_t>" if pointer else "<uint64_t>"
    yield f"    cdef uint64_t printed = {value if value.isdigit() else f'{cast}({value})'}"
    call, about = "log_call", entry.subject
    if label:
        call, about = "log_named", f"{about}, {'name_of(kernel)' if label == 'kernel' else label}"
    printed = f'{call}(below, b"{entry.name}", {about}, {quantity}, printed, began, {code})'
    yield f"    {printed}"
    if name:
        yield f"    return {name}"
    yield ""


def is_pointer(entry: Entry, name: str, target: bool) -> bool:
    """Whether a parameter, or what it points to, is an address."""
    if name == "result":
        return entry.returns.endswith("*")
    return any(parameter.endswith(f" {'**' if target else '*'}{name}") for parameter in entry.parameters)


def traced(entry: Entry) -> Iterator[str]:
    """The function that records a call."""
    quantity = entry.clauses["trace"]
    first = entry.arguments[0]
    queue = "layer_queue(queue)" if first == "queue" else "NULL"
    domain = {"queue": "NULL", "device": "(<lp_domain **>device)[0]", "domain": "<lp_domain *>domain"}[first]
    yield from header("trace", entry)
    yield "    cdef uint64_t began = driver_call_begin()"
    yield f"    cdef int code = {entry.below('LAYER_TRACE')}.{entry.name}({', '.join(entry.arguments)})"
    if quantity == "unless in vain":
        yield "    if is_in_vain(code, status):"
        yield "        return code"
        quantity = ""
    events = {"void *event": ", event", "void **event": ", NULL, event[0] if code == 0 else NULL"}
    event = next((events[each] for each in entry.parameters if each in events), "")
    call = f"    return driver_call_end(ENTRY_{entry.name.upper()}, began, code, "
    words = f"{quantity or '0'}, {queue}, {domain}{event})"
    yield call + words if len(call + words) <= WIDTH else f"{call.rstrip()}\n{' ' * 27}{words}"
    yield ""


def take_places(layer: str, taken: list[Entry], missing: Sequence[Entry] = ()) -> Iterator[str]:
    """The function that puts a layer's functions into a table."""
    yield f"cdef void {layer}_each_entry(driver_table *table) noexcept nogil:"
    yield '    """Take the places of the entries; what the driver leaves out stays out."""'
    for entry in taken:
        yield f"    if table.{entry.name} != NULL:"
        yield f"        table.{entry.name} = {layer}_{entry.name}"
    for entry in missing:
        yield f"    table.{entry.name} = NULL"
    yield ""


def layers(text: str) -> Iterator[str]:
    """The lines of the file."""
    table = entries(text)
    yield "# Built from driver/table.pxi by scripts/layers.py, which says how: do not edit."
    yield ""
    lacking = [entry for entry in table if entry.clauses.get("forked") == "NULL"]
    failing = [entry for entry in table if entry.clauses.get("forked") not in ("NULL", "keep")]
    for entry in failing:
        yield from forked(entry)
    yield from take_places("forked", failing, lacking)
    printed = [entry for entry in table if entry.clauses.get("log") not in ("by hand", "never")]
    for entry in printed:
        yield from logged(entry)
    yield from take_places("log", printed)
    recorded = [entry for entry in table if "trace" in entry.clauses]
    yield "# Entries whose calls have records, in the order of `ENTRY_NAMES`. Commands have records of their own."
    yield "cdef enum driver_entry:"
    yield "    ENTRY_NONE = 0"
    names = [entry.clauses["trace"].partition(" as ")[2] or entry.name for entry in recorded]
    yield from (f"    ENTRY_{name.upper()}" for name in names)
    yield ""
    yield "ENTRY_NAMES = ("
    yield from (f'    "{name}",' for name in ("", *names))
    yield ")"
    yield ""
    written = [entry for entry in recorded if not entry.clauses["trace"].startswith("by hand")]
    for entry in written:
        yield from traced(entry)
    yield from take_places("trace", written)


def write() -> None:
    """Write the file, unless it is as it should be: the core is built anew when it changes."""
    text = "".join(f"{line}\n" for line in layers(TABLE.read_text())).rstrip("\n") + "\n"
    if not LAYERS.exists() or LAYERS.read_text() != text:
        LAYERS.write_text(text)


if __name__ == "__main__":
    write()
