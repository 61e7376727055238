"""Program images: the result of a compiler, from which a device makes a program."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from launchpath._compiler.cache.entry import Entry
from launchpath._compiler.cache.signature_json import from_json, to_json
from launchpath._kinds import ELEMENTS, element_bytes
from launchpath.errors import ArgumentValueError

if TYPE_CHECKING:
    from launchpath._compiler.signature import Signature

# The kinds of binaries that compilers make and the driver takes as they are.
NATIVE_KINDS = ("cubin", "ptx", "hsaco")
KINDS = ("binary", "spirv", "source", "simulated", *NATIVE_KINDS)

DYNAMIC = "dynamic shared memory"  # `CheckedAccess.memory` of it
_LARGEST = 1 << 48  # bytes: no address is above

_NONE: Mapping[str, Any] = {}  # never changed; images are pickled, which a read-only view cannot be

_OF_HEADERS = "_ZN4__lp"  # what stands in their namespace, as the compiler names it


class Symbol(NamedTuple):
    """A ``__device__`` or ``__constant__`` variable: where it lies in the program's globals, or its name."""

    name: str  # with its namespaces
    offset: int  # bytes
    size: int  # bytes
    # NumPy's name of its elements; ``uint64`` for pointers, ``uint8`` for what NumPy has no type for (structs)
    dtype: str = "uint8"
    shape: tuple[int, ...] = ()  # ``()`` for a single value
    entry: str = ""  # its name for the driver, on devices whose drivers keep the globals themselves; else empty
    pointee: str = ""  # for pointers to data what they point to: NumPy's name, or ``void`` for any type; else empty


class CheckedAccess(NamedTuple):
    """An access to memory that a program checks, see `launchpath._compiler.spirv.checks.accesses`."""

    kind: str  # ``read``, ``write`` or ``atomic operation``
    size: int  # bytes; 0 if that is not known before the kernel runs
    memory: str  # the variable that it reaches, if it always is the same; else empty
    # file, line and column of the access, then of the calls through which its function was inlined
    places: tuple[tuple[str, int, int], ...]


class Image(NamedTuple):
    """What a program is made of."""

    kind: str  # what `code` is: the device's own ``binary``, ``spirv``, ``source`` (OpenCL C), or one of `NATIVE_KINDS`
    code: bytes
    kernels: tuple[tuple[str, Signature], ...]  # entry points and signatures
    symbols: tuple[Symbol, ...] = ()
    initial: bytes = b""  # the first content of the block of globals, as far as it is not zeros
    globals_size: int = 0  # bytes of that block
    # offsets in the block of addresses within it, and the offsets that those point to
    relocations: tuple[tuple[int, int], ...] = ()
    users: frozenset[str] = frozenset()  # entry points that take the block's address
    log: str = ""  # the compiler's warnings, at the source's own lines
    device: Mapping[str, str] = _NONE  # which device a binary is for, see `target.device_identity`
    # the files that the cache must check again, see `Unit.files_read`. Saved programs have neither these nor `key`
    files: Mapping[str, str | None] = _NONE
    # the source's templates of kernels: what each takes, as it is written
    templates: Mapping[str, tuple[str, ...]] = _NONE
    # where there is no code yet: names, binaries and whether they are text, for the driver to link to one
    parts: tuple[tuple[str, bytes, bool], ...] = ()
    # the accesses that it checks, by their numbers; None if it checks none, and its kernels take no launch's record
    checks: tuple[CheckedAccess, ...] | None = None
    key: str = ""  # under which the cache is to keep it; empty if it is not to
    # the kernels' mangled names by their entry points, for programs with host code
    functions: Mapping[str, str] = _NONE
    waiting: frozenset[str] = frozenset()  # the entry points that wait at their entry, see `rtc.waiting`
    # the same for programs that differ in the statement at kernels' entries alone, see `rtc.body`; empty: not known
    body: str = ""
    is_prepared: bool = False  # whether the driver's compiler is ready in the process that compiled it

    @property
    def native(self) -> bool:
        """Whether the code is the driver's own as it is, and the driver keeps the globals."""
        return self.kind in NATIVE_KINDS

    @property
    def is_fresh(self) -> bool:
        """Whether it comes from a compiler of this process: an image that was cached or saved names its device."""
        return not self.device

    def own_symbols(self) -> list[Symbol]:
        """The program's own: not those of launchpath's headers, such as the heap."""
        return [symbol for symbol in self.symbols if not symbol.name.startswith(_OF_HEADERS)]

    def with_binary(self, binary: bytes, device: Mapping[str, str]) -> Image:
        """Give the same image with the binary that a device made of it; `device` is its identity."""
        if self.native:
            return self._replace(device=device)
        return self._replace(kind="binary", code=binary, device=device)

    def to_entry(self, **meta: Any) -> Entry:
        """Make the entry for a file; see `from_entry`."""
        shared: dict[str, Any] = {
            "kind": self.kind,
            "device": dict(self.device),
            "kernels": [signature.name for _, signature in self.kernels],
            "entries": [[entry, to_json(signature)] for entry, signature in self.kernels],
            "globals_size": self.globals_size,
            "symbols": [
                [
                    symbol.name,
                    symbol.offset,
                    symbol.size,
                    symbol.dtype,
                    list(symbol.shape),
                    symbol.entry,
                    symbol.pointee,
                ]
                for symbol in self.symbols
            ],
            "relocations": [list(pair) for pair in self.relocations],
            "users": sorted(self.users),
            "log": self.log,
            "templates": {name: list(parameters) for name, parameters in self.templates.items()},
        }
        if self.waiting:
            shared["waiting"] = sorted(self.waiting)
        if self.body:
            shared["body"] = self.body
        if self.functions:
            shared["functions"] = dict(self.functions)
        if self.checks is not None:
            shared["checks"] = [[check.kind, check.size, check.memory, check.places] for check in self.checks]
        return Entry(shared | meta, {"code": self.code, "initial": self.initial})


def from_entry(entry: Entry, name: str = "the data") -> Image:
    """Read an image.

    Raises
    ------
    ArgumentValueError
        The entry holds something else.
    """
    try:
        meta = entry.meta
        if meta["kind"] not in KINDS:
            raise ValueError(f"kind {meta['kind']!r:.50}")
        symbols = tuple(_symbol(*row) for row in meta["symbols"])
        initial, size = entry.blobs["initial"], _whole(meta["globals_size"])
        ends = [symbol.offset + symbol.size for symbol in symbols if not symbol.entry]
        if max([len(initial), *ends]) > size:
            raise ValueError("symbols")
        relocations = tuple((_whole(place), _whole(to)) for place, to in meta["relocations"])
        if any(place + 8 > len(initial) or to > size for place, to in relocations):
            raise ValueError("relocations")
        templates = dict(meta.get("templates", {})).items()
        return Image(
            meta["kind"],
            entry.blobs["code"],
            tuple((_text(entry_point), from_json(signature)) for entry_point, signature in meta["entries"]),
            symbols,
            initial,
            size,
            relocations,
            frozenset(map(_text, meta["users"])),
            _text(meta["log"]),
            {_text(key): _text(value) for key, value in dict(meta["device"]).items()},
            {
                _text(path): None if digest is None else _text(digest)
                for path, digest in dict(meta.get("files", {})).items()
            },
            templates={_text(template): tuple(map(_text, parameters)) for template, parameters in templates},
            checks=_checks(meta["checks"]) if "checks" in meta else None,
            waiting=frozenset(map(_text, meta.get("waiting", ()))),
            body=_text(meta.get("body", "")),
            functions={_text(entry): _text(function) for entry, function in dict(meta.get("functions", {})).items()},
        )
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ArgumentValueError(f"{name} has no program that this version of launchpath can read ({error})") from error


def _symbol(name: Any, offset: Any, size: Any, dtype: Any, shape: Any, entry: Any = "", pointee: Any = "") -> Symbol:
    texts = _text(entry), _text(pointee)
    symbol = Symbol(_text(name), _whole(offset), _whole(size), dtype, tuple(map(_whole, shape)), *texts)
    if dtype not in ELEMENTS:
        raise ValueError(f"{dtype!r:.50} is not a known dtype")
    if math.prod(symbol.shape) * element_bytes(dtype) > symbol.size:  # its elements would be in foreign memory
        raise ValueError(f"the symbol {symbol.name!r:.50} of {symbol.size} bytes")
    return symbol


def _checks(rows: Any) -> tuple[CheckedAccess, ...]:
    return tuple(
        CheckedAccess(
            _text(kind),
            _whole(size),
            _text(memory),
            tuple((_text(file), _whole(line), _whole(column)) for file, line, column in places),
        )
        for kind, size, memory, places in rows
    )


def _text(value: Any) -> str:
    if type(value) is not str:
        raise TypeError(f"expected a text, got {value!r:.50}")
    return value


def _whole(value: Any) -> int:
    if type(value) is not int or not 0 <= value < _LARGEST:
        raise TypeError(f"expected a whole number, got {value!r:.50}")
    return value
