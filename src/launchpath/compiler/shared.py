"""``__shared__`` variables: OpenCL has them in kernels only, so the generated kernel brings their memory.

The kernel's own function gets pointers to it through hidden parameters. Each declaration becomes a typedef of
the user's own text, and a variable of the same name that refers to its place in that memory: in C++ a
reference, in C a pointer, with the uses written to match.
"""

from __future__ import annotations

from .facts import Kernel, Shared, Unit, Use
from .names import INTERNAL_PREFIX
from .text import Edit, tokens

STATIC = INTERNAL_PREFIX + "static_shared"
DYNAMIC = INTERNAL_PREFIX + "dynamic_shared"


def _type(variable: Shared) -> str:
    return f"{INTERNAL_PREFIX}at_{variable.name}"


def _binding(variable: Shared, offset: int, dialect: str) -> str:
    name, of = variable.name, _type(variable)
    if dialect == "clc++":
        place = DYNAMIC if variable.dynamic else f"({STATIC} + {offset})"
        return f" {of} &{name} = *({of} *)(char *){place};"
    place = f"({DYNAMIC if variable.dynamic else f'{STATIC} + {offset}'})"
    if dialect == "clc":
        place = f"(uintptr_t){place}"
    if variable.array:
        return f" __typeof__(**({of} *)0) *{name} = (__typeof__({name}))({place});"
    return f" {of} *{name} = ({of} *)({place});"


def _declaration(unit: Unit, start: int, end: int) -> list[Edit]:
    """Turn the declaration into a typedef: ``__shared__`` gives way to it, storage classes go."""
    edits = []
    for token in tokens(unit.source[start:end]):
        if token.text in (b"static", b"extern"):
            edits.append(Edit(start + token.start, start + token.end, b""))
        elif token.text == b"__shared__":
            edits.append(Edit(start + token.start, start + token.end, b"typedef"))
    return edits


def _rewritten(unit: Unit, variable: Shared, use: Use) -> Edit | None:
    if variable.array and use.decays:
        return None
    name = variable.name
    if use.at is None:
        if variable.array:
            return None
        message = f"on this device __shared__ '{name}' cannot be used inside a macro; make it an array"
        raise unit.error(unit.lines.starts[use.line - 1], message)
    text = f"(*({_type(variable)} *){name})" if variable.array else f"(*{name})"
    return Edit(use.at, use.at + len(name.encode()), text.encode())


def _hidden(unit: Unit, kernel: Kernel, empty: bool) -> bytes:
    signature = kernel.signature
    hidden = [f"__local char *{STATIC}"] if signature.shared else []
    hidden += [f"__local char *{DYNAMIC}"] if signature.dynamic_shared else []
    return (("" if empty else ", ") + ", ".join(hidden)).encode()


def alignment(unit: Unit, kernel: str) -> int:
    """Return what the block of a kernel's static shared memory is aligned to."""
    return max(16, *(variable.align for variable, _ in unit.shared_of(kernel)[0]))


def edits(unit: Unit, dialect: str) -> list[Edit]:
    """Make the list of changes to the source for its shared variables."""
    made: list[Edit] = []
    inserted: dict[int, str] = {}
    for statement in {variable.statement for variable in unit.shared}:
        made += _declaration(unit, *statement)
    for variable in unit.shared:
        made.append(Edit(variable.at, variable.at + len(variable.name.encode()), _type(variable).encode()))
        if dialect != "clc++":
            made += [edit for _, use in variable.uses if (edit := _rewritten(unit, variable, use))]
    for name, kernel in unit.kernels.items():
        places, _ = unit.shared_of(name)
        if not places:
            continue
        for variable, offset in places:
            at = variable.statement[1] if variable.kernel else kernel.body
            if at is not None:
                inserted[at] = inserted.get(at, "") + _binding(variable, offset, dialect)
        for place in kernel.lists:
            if place is None or kernel.body is None:
                offset = unit.lines.starts[kernel.line - 1]
                raise unit.error(offset, f"kernel '{name}' with __shared__ variables is made by a macro")
            end, empty = place
            start = end
            if empty:  # also takes away a "void"
                start = unit.source.rindex(b"(", 0, end) + 1
            made.append(Edit(start, end, _hidden(unit, kernel, empty)))
    made += [Edit(at, at, text.encode()) for at, text in inserted.items()]
    return made
