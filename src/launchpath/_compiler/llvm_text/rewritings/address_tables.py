"""Tables of addresses in LLVM's text, so that the SPIR-V backend takes them.

The backend fails on an address within a variable that begins another variable, and crashes on variables that begin with
each other's addresses. So variables keep numbers alone: of each address, what is added to the variable that it is in.
The variables themselves are in a table beside, ``__lp_bases``, which nothing points to: it holds the address of the
variable that it is for, and that variable's initial value with the addresses where variables begin.
`spirv.globals.initial` puts both together.

The address of a `__shared__` variable is another one in each block. So it is stored where a constant with such an
address is copied.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ...spirv.globals.initial import BASES, shared_refusal
from ..types import Types, UnknownTypeError
from .addresses import NAME, Address, Variable, addresses, variables

_GLOBAL, _SHARED = 1, 3
_COPY = re.compile(
    r"^ *(?:tail )?call void @llvm\.memcpy\.p\d+\.p1\.i64\((?P<to>ptr(?: addrspace\(\d+\))?)(?P<attributes>[^%@]*) "
    rf'(?P<pointer>%(?:[\w.$-]+|"[^"]+")), ptr addrspace\(1\)[^%@]* (?P<table>{NAME}), i64 (?P<size>\d+), i1 .*$',
    re.MULTILINE,
)
_ALIGN = re.compile(r"\balign (\d+)")


@dataclass(frozen=True)
class _Holder:
    """A variable whose initial value has addresses, and where that value ends in its text."""

    variable: Variable
    addresses: list[Address]
    end: int


class SharedAddressError(ValueError):
    """A table that is read where it is holds the address of a `__shared__` variable."""


@dataclass(frozen=True)
class Apart:
    """A module whose tables of addresses are apart, and how many there are."""

    text: str
    count: int

    def is_lost(self, module: bytes) -> bool:
        """Whether the backend left out some of them."""
        return any(f"{BASES}.{number}\0".encode() not in module for number in range(self.count))


def has_tables(text: str) -> bool:
    """Whether a module has tables of addresses that are to be apart."""
    by_name = {variable.name: variable for variable in variables(text)}
    holders = _holders(text, by_name)
    names = {holder.variable.name for holder in holders}
    return any(
        address.addend or address.variable in names or by_name[address.variable].space == _SHARED
        for holder in holders
        for address in holder.addresses
    )


def has_cycles(text: str) -> bool:
    """Whether a module has variables that begin with each other's addresses, or their own."""
    by_name = {variable.name: variable for variable in variables(text)}
    needed = {holder.variable.name: {a.variable for a in holder.addresses} for holder in _holders(text, by_name)}
    while free := [name for name, others in needed.items() if others.isdisjoint(needed)]:
        for name in free:
            del needed[name]
    return bool(needed)


def placed_apart(text: str) -> Apart:
    """Rewrite a module.

    Raises
    ------
    SharedAddressError
        A variable that is not copied begins with the address of a `__shared__` variable.
    """
    by_name = {variable.name: variable for variable in variables(text)}
    holders = {holder.variable.name: holder for holder in _holders(text, by_name)}
    return Apart(_Apart(text, by_name, holders).run(), len(holders))


def _holders(text: str, by_name: dict[str, Variable]) -> list[_Holder]:
    types = Types(text)
    holders = []
    for variable in by_name.values():
        try:
            value_addresses, end = addresses(types, variable.rest, variable.type, 0)
        except UnknownTypeError:
            continue
        of_variables = [address for address in value_addresses if address.variable in by_name]
        if variable.space == _GLOBAL and of_variables:
            holders.append(_Holder(variable, of_variables, end))
    return holders


class _Apart:
    def __init__(self, text: str, by_name: dict[str, Variable], holders: dict[str, _Holder]) -> None:
        self.text, self.by_name, self.holders = text, by_name, holders
        self.stored = 0

    def run(self) -> str:
        replaced = {}
        for number, holder in enumerate(self.holders.values()):
            if any(map(self._is_shared, holder.addresses)):
                self._check_copied(holder.variable.name)
            variable = holder.variable
            replaced[f"{variable.head}{variable.type} {variable.rest}"] = self._lines(holder, f"@{BASES}.{number}")
        text = "\n".join([replaced.get(line, line) for line in self.text.split("\n")])
        return _COPY.sub(self._copy, text)

    def _is_shared(self, address: Address) -> bool:
        return self.by_name[address.variable].space == _SHARED

    def _check_copied(self, name: str) -> None:
        """Refuse a variable with addresses of shared variables that is read where it is."""
        mentions = len(re.findall(rf"{re.escape(name)}(?![\w.$-])", self.text))
        if mentions - 1 != sum(match["table"] == name for match in _COPY.finditer(self.text)):
            raise SharedAddressError(shared_refusal(name[1:].strip('"')))

    def _lines(self, holder: _Holder, bases: str) -> str:
        """Write a variable with numbers alone, and its bases."""
        variable = holder.variable
        numbers = [0 if self._is_shared(address) else address.addend for address in holder.addresses]
        initial = _replaced(variable.rest, holder.addresses, map(_number, holder.addresses, numbers))
        others = _replaced(variable.rest[: holder.end], holder.addresses, map(self._base, holder.addresses))
        # What is not the whole truth is not to be folded.
        head = variable.head
        if "externally_initialized" not in head:
            head = re.sub(r"(global|constant) $", r"externally_initialized \1 ", head)
        return (
            f"{head}{variable.type} {initial}\n{bases} = internal addrspace(1) constant {{ ptr addrspace(1), "
            f"{variable.type} }} {{ ptr addrspace(1) {variable.name}, {variable.type} {others} }}, align 8"
        )

    def _base(self, address: Address) -> str:
        if self._is_shared(address):
            return _number(address, 0)
        return _pointer(address, self.by_name[address.variable].space)

    def _copy(self, match: re.Match[str]) -> str:
        """Store the addresses of shared variables behind the copy of a constant."""
        holder = self.holders.get(match["table"])
        shared = [address for address in holder.addresses if self._is_shared(address)] if holder else []
        lines = [match[0]]
        align = _ALIGN.search(match["attributes"])
        for address in shared:
            if address.offset + 8 > int(match["size"]):
                continue  # not copied
            self.stored += 1
            pointer, value = f"%__lp_at_{self.stored}", f"%__lp_address_{self.stored}"
            lines += [
                f"  {pointer} = getelementptr i8, {match['to']} {match['pointer']}, i64 {address.offset}",
                *_valued(address, value),
                f"  store {address.type} {value}, {match['to']} {pointer}, "
                f"align {8 if align and int(align[1]) % 8 == 0 == address.offset % 8 else 1}",
            ]
        return "\n".join(lines)


def _valued(address: Address, value: str) -> list[str]:
    """The instructions for the address within a shared variable."""
    if not address.type.startswith("ptr"):
        return [
            f"  {value}.p = getelementptr i8, ptr addrspace(4) {_pointer(address, _SHARED, 'ptr addrspace(4)')}, "
            f"i64 {address.addend}",
            f"  {value} = ptrtoint ptr addrspace(4) {value}.p to i64",
        ]
    pointer = _pointer(address, _SHARED)
    return [f"  {value} = getelementptr i8, {address.type} {pointer}, i64 {address.addend}"]


def _pointer(address: Address, space: int, kind: str = "") -> str:
    """The address where the variable begins, as a constant."""
    kind = kind or address.type
    pointer_type = f"ptr addrspace({space})" if space else "ptr"
    if kind == pointer_type:
        return address.variable
    cast = "addrspacecast" if kind.startswith("ptr") else "ptrtoint"
    return f"{cast} ({pointer_type} {address.variable} to {kind})"


def _number(address: Address, number: int) -> str:
    if not address.type.startswith("ptr"):
        return str(number)
    return f"inttoptr (i64 {number} to {address.type})" if number else "null"


def _replaced(text: str, places: list[Address], texts: Iterable[str]) -> str:
    for address, new in reversed(list(zip(places, texts, strict=True))):
        text = text[: address.start] + new + text[address.end :]
    return text
