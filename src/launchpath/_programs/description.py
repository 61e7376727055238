"""What is in a file that `load` takes, for people: kernels, signatures, target, options. It needs no device."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from launchpath.errors import ArgumentValueError

if TYPE_CHECKING:
    from launchpath._compiler.binary.kernels import Contents
    from launchpath._compiler.signature import Signature

_SPIRV = (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03")


class Part(NamedTuple):
    """Code for one target."""

    form: str  # ``binary`` (of an OpenCL driver), ``spirv``, ``source`` (OpenCL C), ``cubin``, ``ptx``, ``hsaco``
    target: str  # the device or the architecture that it is for; empty for any
    size: int  # bytes
    kernels: tuple[Signature, ...]
    symbols: tuple[tuple[str, int], ...]  # device globals and their bytes


class Description(NamedTuple):
    """A file."""

    form: str  # what it is, in words
    size: int  # bytes
    # of saved programs: what they were compiled from, how, and the compiler's warnings
    source: str
    options: str
    log: str
    parts: tuple[Part, ...]


def describe(data: bytes, name: str) -> Description:
    """Describe a file's bytes; `name` is what errors call it.

    Raises
    ------
    ArgumentValueError
        It is nothing that `load` takes, or damaged.
    """
    from launchpath._compiler.cache.entry import is_entry  # noqa: PLC0415 (importing launchpath must stay fast)

    if is_entry(data):
        return _saved(data, name)
    if data[:4] in _SPIRV:
        return _plain("SPIR-V", data, [_module(data, name)])
    from launchpath._compiler.binary import form  # noqa: PLC0415 (it takes 40 ms, for binaries of GPUs)

    shape = form.form_of(data)
    if shape == "bundle":
        return _plain(form.name(shape), data, _bundled(data, name))
    if shape:
        return _plain(form.name(shape), data, [_part(contents) for contents in form.contents(data, shape, name)])
    raise ArgumentValueError(
        f"{name}: expected a program that launchpath saved, SPIR-V, PTX, a cubin, a fat binary, an HSACO or a bundle "
        "of Clang's, got something else"
    )


def _plain(form: str, data: bytes, parts: Iterable[Part]) -> Description:
    return Description(form, len(data), "", "", "", tuple(parts))


def _saved(data: bytes, name: str) -> Description:
    from launchpath._compiler.cache.entry import Entry  # noqa: PLC0415
    from launchpath._compiler.image import from_entry  # noqa: PLC0415

    entry = Entry.decode(data, name)
    image = from_entry(entry, name)
    words = ("name", "platform", "driver_version")
    target = ", ".join(filter(None, (str(image.device.get(word, "")) for word in words)))
    kernels = tuple(signature for _, signature in image.kernels)
    part = Part(
        image.kind,
        target,
        len(image.code),
        kernels,
        tuple((symbol.name, symbol.size) for symbol in image.own_symbols()),
    )
    source, options = (str(entry.meta.get(key, "")) for key in ("source", "options"))
    return Description("a program that launchpath saved", len(data), source, options, image.log, (part,))


def _module(data: bytes, name: str) -> Part:
    from launchpath._compiler.spirv.foreign.adoption import adopt  # noqa: PLC0415

    adopted = adopt(data, name)
    symbols = tuple((symbol.name, symbol.size) for symbol in adopted.globals.symbols)
    return Part("spirv", "", len(data), tuple(signature for _, signature in adopted.kernels), symbols)


def _bundled(data: bytes, name: str) -> Iterator[Part]:
    from launchpath._compiler.binary import bundle, hsaco  # noqa: PLC0415

    for target, code in bundle.unpacked(data, name).items():
        if code[:4] not in _SPIRV:
            yield _part(hsaco.read(code, name))._replace(target=target)
        elif target.startswith("spirv"):
            yield _module(code, name)._replace(target=target)
        else:  # AMD's, for its own compiler
            yield Part("spirv", target, len(code), (), ())


def _part(contents: Contents) -> Part:
    from launchpath._compiler.binary.kernels import signature  # noqa: PLC0415

    kernels = tuple(map(signature, contents.kernels))
    return Part(contents.kind, contents.architecture, len(contents.code), kernels, tuple(contents.globals))
