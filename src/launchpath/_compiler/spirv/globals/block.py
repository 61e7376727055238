"""Device globals: a single block of memory for all of them, and its initial bytes."""

from __future__ import annotations

from dataclasses import dataclass

from launchpath.errors import CompileError

from ..enumerants import Decoration, Linkage, Storage
from ..module import Instruction
from ..names import demangle
from ..outline import Outline
from ..types import align
from .initial import BASES, Initial, Value, shared_refusal

DROPPED = "__hip_cuid_"
STRINGS = ".str"


@dataclass(frozen=True, slots=True)
class Symbol:
    """A global that the host may read and write."""

    name: str  # as in the source, with namespaces (``foo::bar``); a mangled name where that is not known
    offset: int  # in the block, in bytes
    size: int  # in bytes
    alignment: int
    constant: bool  # kernels cannot write it (``__constant__``)


@dataclass(frozen=True, slots=True)
class Globals:
    """The block of a module's globals."""

    # of the block, in bytes. No globals: size 0
    size: int = 0
    alignment: int = 1
    symbols: tuple[Symbol, ...] = ()  # in the block's order
    image: bytes = b""  # initial contents, `size` bytes; where there are relocations, zeros
    # 64-bit words that hold an address within the block: its start plus the addend
    relocations: tuple[tuple[int, int], ...] = ()
    initialized: int = 0  # so many bytes of it, from the start, are not all zeros, or hold addresses
    # all variables in the block, those that the host cannot see among them
    places: tuple[tuple[int, int, str], ...] = ()


@dataclass(slots=True)
class Placed:
    """Where the variables went."""

    block: Globals
    offsets: dict[int, int]  # those that are no variables any more
    gone: set[int]  # variables that go without a place: those that nothing can see


def place(outline: Outline) -> Placed:
    """Lay out the block of a module's globals.

    A global goes there if the host may see it or a kernel may write it. What stays a constant of the module has the
    decoration ``Constant`` and no linkage (string literals, ``const`` arrays, the contents of local arrays) or is a
    ``static const`` of a function, and holds no address: an address within the module is only known to the device's
    compiler, so constants with addresses go into the block, and so do those that they point to. String literals are
    copied there, and stay where they are as well, for ``printf`` wants to know its format when it is compiled.

    Variables that begin as zeros come last: the rest of the block is all that needs to be kept and sent.

    Raises
    ------
    CompileError
        A global begins with what is not known before the program runs, such as a function's address.
    """
    initial = Initial(outline)
    chosen: dict[int, Value] = {}
    unplaced: set[int] = set()
    hosts: dict[int, str] = {}
    for variable in outline.variables(Storage.CrossWorkgroup):
        name = outline.name(variable.words[1])
        if name.startswith((DROPPED, BASES)):
            unplaced.add(variable.words[1])
            continue
        if outline.linkage(variable.words[1]) == Linkage.Import:
            continue
        if not _private(outline, variable, name):
            hosts[variable.words[1]] = name
        elif not initial.addresses(variable):
            continue
        chosen[variable.words[1]] = initial.value_of(variable)
        _check(outline, name, chosen[variable.words[1]])
    waiting = [target for value in chosen.values() for _, target, _ in value.addresses]
    for target in waiting:
        if target not in chosen:
            chosen[target] = initial.value_of(outline.declared[target])
            _check(outline, outline.name(target), chosen[target])
            waiting += [further for _, further, _ in chosen[target].addresses]
    copies = {i for i in chosen if i not in hosts and outline.name(i).startswith(STRINGS)}
    return _lay_out(outline, chosen, hosts, copies, unplaced)


def _check(outline: Outline, name: str, value: Value) -> None:
    """Refuse addresses of shared variables: in the block each would become a single variable of all blocks."""
    variables = [outline.declared[target] for _, target, _ in value.addresses]
    if any(outline.types.storage(variable.words[0]) == Storage.Workgroup for variable in variables):
        raise CompileError(shared_refusal(name))


def _private(outline: Outline, variable: Instruction, name: str) -> bool:
    """Whether nobody but the module's functions can reach a variable, and those do not write it."""
    target = variable.words[1]
    if outline.decoration(target, Decoration.Constant) is None:
        return False
    # Statics of functions begin with _ZZ; those of templates are exported, for other modules may hold the same.
    return outline.linkage(target) is None or name.startswith("_ZZ")


def _lay_out(
    outline: Outline, chosen: dict[int, Value], hosts: dict[int, str], copies: set[int], unplaced: set[int]
) -> Placed:
    end, strictest, initialized = 0, 1, 0
    offsets: dict[int, int] = {}
    symbols = []
    places = []
    for target in sorted(chosen, key=lambda target: not chosen[target].data):
        variable = outline.declared[target]
        alignment = outline.alignment(variable)
        size = outline.types.layout(outline.types.pointee(variable.words[0])).size
        end = offsets[target] = align(end, alignment)
        end += size
        places.append((offsets[target], size, demangle(outline.name(target))))
        if chosen[target].data:
            initialized = end
        strictest = max(strictest, alignment)
        if target in hosts:
            constant = outline.decoration(target, Decoration.Constant) is not None
            symbols.append(Symbol(demangle(hosts[target]), offsets[target], size, alignment, constant))
    image = bytearray(align(end, strictest))
    relocations = []
    for target, value in chosen.items():
        start = offsets[target]
        image[start : start + len(value.data)] = value.data
        relocations += [(start + place, offsets[other] + addend) for place, other, addend in value.addresses]
    block = Globals(len(image), strictest, tuple(symbols), bytes(image), tuple(relocations), initialized, tuple(places))
    return Placed(block, {i: place for i, place in offsets.items() if i not in copies}, unplaced)
