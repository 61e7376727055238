"""libclang: parse a source with its host code for declarations, and walk the result."""

from __future__ import annotations

import atexit
import os
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from ctypes import POINTER, Structure, byref, c_uint, c_void_p, cast
from dataclasses import dataclass
from functools import cache
from typing import Any

from ...errors import CompileError
from ..clang import frontend
from ..source.source import Source

# Clang's cursor kinds (clang-c/Index.h), by number: looking up an enum costs more than the visit itself.
STRUCT, UNION, CLASS, ENUM, ENUMERATOR, FUNCTION, VARIABLE, PARAMETER, TYPEDEF = 2, 3, 4, 5, 7, 8, 9, 10, 20
METHOD, NAMESPACE, LINKAGE, CONSTRUCTOR, DESTRUCTOR, CONVERSION = 21, 22, 23, 24, 25, 26
FUNCTION_TEMPLATE, CLASS_TEMPLATE, PARTIAL_SPECIALIZATION, NAMESPACE_ALIAS, USING_DIRECTIVE = 30, 31, 32, 33, 34
USING_DECLARATION, ALIAS, ALIAS_TEMPLATE, STATIC_ASSERT, FRIEND, CONCEPT = 35, 36, 601, 602, 603, 604
TYPE_REFERENCE, REFERENCE, MEMBER_REFERENCE, LAMBDA, INCLUSION = 43, 101, 102, 144, 503
UNEXPOSED = 1  # libclang has no kind for templates of variables, and for some that are no declarations
ATTRIBUTES = 400
ANNOTATE, CONSTANT_ATTRIBUTE, DEVICE_ATTRIBUTE, GLOBAL_ATTRIBUTE, SHARED_ATTRIBUTE = 406, 412, 413, 414, 416
DECLARATIONS = frozenset({
    STRUCT, UNION, CLASS, ENUM, FUNCTION, VARIABLE, TYPEDEF, METHOD, CONSTRUCTOR, DESTRUCTOR, CONVERSION,
    FUNCTION_TEMPLATE, CLASS_TEMPLATE, PARTIAL_SPECIALIZATION, NAMESPACE_ALIAS, USING_DIRECTIVE, USING_DECLARATION,
    ALIAS, ALIAS_TEMPLATE, STATIC_ASSERT, CONCEPT,
})  # fmt: skip
_FUNCTION = 111
_ARRAYS = (112, 114, 115, 116)

# This parse is cheap because it skips bodies. It goes on after a missing header.
INCOMPLETE, PREPROCESSING, SKIP_BODIES, KEEP_GOING = 0x02, 0x01, 0x40, 0x200

_ARGUMENTS = (
    "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-nostdinc", "-nostdinc++",
    "--cuda-gpu-arch=sm_60", "-target", frontend.HOST_TRIPLE, "-w", "-Wno-unknown-cuda-version", "-ferror-limit=0",
    "-fno-spell-checking", "-fdeclspec",
    "-D__GCC_DESTRUCTIVE_SIZE=64", "-D__GCC_CONSTRUCTIVE_SIZE=64",
)  # fmt: skip

# libclang promises that separate translation units may be used from separate threads, but the Python binding
# loads and configures the library lazily and without a lock.
lock = threading.RLock()


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file: line and column from 1, offset in bytes."""

    path: str
    line: int
    column: int
    offset: int


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One error of the parser's: where, and what."""

    place: Place
    message: str


class _Ranges(Structure):
    _fields_ = [("count", c_uint), ("ranges", c_void_p)]


@cache
def library() -> Any:
    """Return the ``clang.cindex`` module, loaded.

    Raises
    ------
    CompileError
        If libclang is not installed, or its library does not load.
    """
    try:
        from clang import cindex  # noqa: PLC0415 (importing launchpath must stay fast)
    except ImportError as error:
        raise CompileError(frontend.lacking()) from error
    try:
        functions = cindex.conf.lib
    except cindex.LibclangError as error:  # the package `clang` has the same module, and no library
        raise CompileError(frontend.lacking(f"a libclang that does not load ({error})")) from error
    location = functions.clang_getFileLocation
    location.argtypes = [cindex.SourceLocation, c_void_p, c_void_p, c_void_p, c_void_p]
    location.restype = None
    ranges = functions.clang_getSkippedRanges
    ranges.argtypes = [cindex.TranslationUnit, cindex.File]
    ranges.restype = POINTER(_Ranges)
    functions.clang_disposeSourceRangeList.argtypes = [POINTER(_Ranges)]
    functions.clang_disposeSourceRangeList.restype = None
    return cindex


@cache
def _index(with_precompiled: bool) -> Any:
    # It excludes the declarations of precompiled headers: a visit would read all of them. The order is then that of the
    # parser, which has each instance of a template too.
    index = library().Index.create(excludeDecls=with_precompiled)
    atexit.register(_index.cache_clear)  # libclang is gone by the time a module-level Index is deleted
    return index


@cache
def identity() -> str:
    """What tells this libclang from others."""
    file = library().conf.get_filename()
    with suppress(OSError):
        state = os.stat(file)
        return f"{file} {state.st_size} {state.st_mtime_ns}"
    return str(file)


def arguments(source: Source, macros: Mapping[str, str | None]) -> list[str]:
    """Make the arguments that do not depend on a source's text."""
    return [*_ARGUMENTS, f"-std={source.standard}", *frontend.surroundings(source, macros)]


def translation_unit(
    source: Source,
    files: Mapping[str, bytes],
    macros: Mapping[str, str | None],
    options: int,
    precompiled: str | None = None,
) -> Any:
    """Parse a source, with `files` in place of what lies there. Hold `lock` for as long as it is used.

    `precompiled` is a file that holds the headers which come before the source.
    """
    cindex = library()
    command = [*arguments(source, macros), *frontend.before(source, macros, precompiled)]
    unsaved = [*(source.virtual_files() | dict(files)).items()]
    try:
        return _index(precompiled is not None).parse(source.path, args=command, unsaved_files=unsaved, options=options)
    except cindex.TranslationUnitLoadError as error:
        raise CompileError(f"{source.name}: the parser could not read the source") from error


def errors(unit: Any) -> list[Diagnostic]:
    """Return the parser's errors."""
    return [
        Diagnostic(place(diagnostic.location), diagnostic.spelling)
        for diagnostic in unit.diagnostics
        if diagnostic.severity >= 3
    ]


_paths: dict[int, str] = {}


def place(location: Any) -> Place:
    """Return where a location is: in a macro's argument where that is, in its body where it is used."""
    cindex = library()
    file, line, column, offset = c_void_p(), c_uint(), c_uint(), c_uint()
    cindex.conf.lib.clang_getFileLocation(location, byref(file), byref(line), byref(column), byref(offset))
    if not file.value:
        return Place("", 0, 0, 0)
    return Place(_path(file.value), line.value, column.value, offset.value)


def extent(cursor: Any) -> tuple[Place, Place]:
    """Return where a declaration starts and ends; the place of its name where that is all that the parser knows.

    Of a template without a list of parameters (`f(auto x)`) it knows no more.
    """
    start, end = place(cursor.extent.start), place(cursor.extent.end)
    return (start, end) if start.path else (place(cursor.location), place(cursor.location))


def _path(handle: int) -> str:
    """Return the path of a file."""
    path = _paths.get(handle)
    if path is None:
        cindex = library()
        path = _paths[handle] = str(cindex.File(cast(c_void_p(handle), cindex.c_object_p)).name)
    return path


def forget_files() -> None:
    """Forget the names of files, whose handles end with their unit."""
    _paths.clear()


def files(unit: Any) -> dict[str, str]:
    """Return the paths of all files of the unit, the main one first, each with the path of what first includes it."""
    includers = {unit.spelling: ""}
    for include in unit.get_includes():
        source = include.source  # none for what the command line includes
        includers.setdefault(include.include.name, source.name if source is not None else "")
    return includers


def included(directive: Any) -> str:
    """Return the path of the file that an inclusion directive includes; empty if there is none."""
    file = _included()(directive)
    return _path(file) if file else ""


@cache
def _included() -> Any:
    """Return libclang's function: the binding's own fails where a header is not found."""
    cindex = library()
    function = cindex.conf.lib["clang_getIncludedFile"]
    function.argtypes, function.restype = [cindex.Cursor], c_void_p
    return function


def inclusions(unit: Any) -> Counter[str]:
    """Count how often each file is included."""
    return Counter(include.include.name for include in unit.get_includes())


def skipped(unit: Any, path: str, times: int) -> list[tuple[int, int]]:
    """Return what conditional compilation leaves out of a file that is included so many times.

    The unit was parsed with `PREPROCESSING`. A file that is included again may be read in another way then: what one of
    its inclusions reads is not left out.
    """
    file = unit.get_file(path)
    if times < 2:
        return _ranges(library().conf.lib.clang_getSkippedRanges(unit, file))
    ranges = _ranges(_all_skipped()(unit), path)
    return [
        inner for inner in {*ranges}
        if sum(start <= inner[0] and inner[1] <= end for start, end in ranges) >= times
    ]  # fmt: skip


def _ranges(range_list: Any, path: str = "") -> list[tuple[int, int]]:
    """Return the offsets of a list of ranges, those in a file if one is named, and give the list back."""
    cindex = library()
    try:
        count = range_list.contents.count
        if not count:
            return []
        ranges = (cindex.SourceRange * count).from_address(range_list.contents.ranges)
        places = [(place(extent.start), place(extent.end)) for extent in ranges]
        return [(start.offset, end.offset) for start, end in places if path in ("", start.path)]
    finally:
        cindex.conf.lib.clang_disposeSourceRangeList(range_list)


@cache
def _all_skipped() -> Any:
    """Return libclang's function, which the binding does not know."""
    conf = library().conf
    function = conf.lib["clang_getAllSkippedRanges"]
    function.argtypes = [library().TranslationUnit]
    function.restype = conf.lib.clang_getSkippedRanges.restype
    return function


def names(cursor: Any) -> list[tuple[str, int]]:
    """Return the names and keywords in a declaration's text, and their offsets."""
    cindex = library()
    start, end = place(cursor.extent.start), place(cursor.extent.end)
    file = cindex.File.from_name(cursor._tu, start.path)
    # By offsets: between places in macros there are no tokens.
    first, last = (cindex.SourceLocation.from_offset(cursor._tu, file, edge.offset) for edge in (start, end))
    tokens = cursor._tu.get_tokens(extent=cindex.SourceRange.from_locations(first, last))
    return [(token.spelling, place(token.location).offset) for token in tokens if token.spelling.isidentifier()]


def is_constant(type_: Any) -> bool:
    """Whether a variable of this type is never written."""
    canonical = type_.get_canonical()
    while canonical._kind_id in _ARRAYS:
        if canonical.is_const_qualified():
            return True
        canonical = canonical.element_type
    return bool(canonical.is_const_qualified())


def is_variadic(type_: Any) -> bool:
    """Whether a function's type ends in ``...``."""
    return type_._kind_id == _FUNCTION and bool(type_.is_function_variadic())


def parameter_types(type_: Any) -> list[Any]:
    """Return a function type's parameters. The binding's own way fails for types that it does not know (_Float16)."""
    functions = library().conf.lib
    return [functions.clang_getArgType(type_, number) for number in range(functions.clang_getNumArgTypes(type_))]


def is_specialization(function: Any) -> bool:
    """Whether a function is an instance of a template."""
    return function._kind_id != FUNCTION_TEMPLATE and (
        library().conf.lib.clang_getSpecializedCursorTemplate(function) is not None
    )


def is_copy(constructor: Any) -> bool:
    """Whether a constructor makes a copy of its own class, or moves from one."""
    return bool(constructor.is_copy_constructor() or constructor.is_move_constructor())


def visit_first(cursor: Any) -> Any:
    """Return the first thing below `cursor`, or None."""
    children: list[Any] = []

    def take(child: Any, _parent: Any) -> bool:
        children.append(child)
        raise StopIteration

    with suppress(StopIteration):
        visit(cursor, take)
    return children[0] if children else None


def visit(cursor: Any, visitor: Callable[[Any, Any], bool]) -> None:
    """Call ``visitor(cursor, parent)`` for everything below `cursor`, in order; below it if that was true.

    An exception in `visitor` ends the walk and is raised here: ctypes would print and forget it.
    """
    cindex = library()
    failure: list[BaseException] = []

    def call(child: Any, parent: Any, _: object) -> int:
        # The binding's cursors keep their translation unit alive by an attribute, which ctypes does not set.
        child._tu = parent._tu = unit
        try:
            return 2 if visitor(child, parent) else 1
        except BaseException as error:  # whatever it is, it is raised below
            failure.append(error)
            return 0

    unit = cursor._tu
    cindex.conf.lib.clang_visitChildren(cursor, cindex.callbacks["cursor_visit"](call), None)
    if failure:
        raise failure[0]
