"""libclang: parsing CUDA source without any headers of the toolkit, and walking what came out."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Iterator
from ctypes import byref, c_uint, c_void_p
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..errors import CompileError
from .names import prelude

# Clang's cursor kinds (clang-c/Index.h), by number: looking up an enum costs more than the visit itself.
STRUCT, UNION, CLASS, ENUM, ENUMERATOR, FUNCTION, VARIABLE, PARAMETER = 2, 3, 4, 5, 7, 8, 9, 10
METHOD, NAMESPACE, LINKAGE, FUNCTION_TEMPLATE, USING_DIRECTIVE = 21, 22, 23, 30, 34
UNEXPOSED_EXPRESSION, REFERENCE, FUNCTIONAL_CAST, STATIC_CAST, REINTERPRET_CAST = 100, 101, 128, 124, 126
COMPOUND, DECLARATION, ATTRIBUTES = 202, 231, 400
ANNOTATE, CONSTANT_ATTRIBUTE, DEVICE_ATTRIBUTE, GLOBAL_ATTRIBUTE, SHARED_ATTRIBUTE = 406, 412, 413, 414, 416

_PRELUDE = "/__launchpath__/parse.h"
_SOURCE = "/__launchpath__/source.cu"
_ARGUMENTS = (
    "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-nostdinc", "--cuda-gpu-arch=sm_60",
    "-target", "x86_64-unknown-linux-gnu", "-std=c++17", "-w", "-Wno-unknown-cuda-version", "-ferror-limit=0",
    "-fno-spell-checking", "-D__HIPCC__=1", "-D__HIP_DEVICE_COMPILE__=1", "-D__LAUNCHPATH__=1",
    "-include", _PRELUDE,
)  # fmt: skip

# libclang promises that separate translation units may be used from separate threads, but the Python binding
# loads and configures the library lazily and without a lock.
lock = threading.RLock()


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One error of the parser's: where (line and column from 1, offset in bytes), what, and which kind."""

    line: int
    column: int
    offset: int
    message: str
    category: str
    fatal: bool


@cache
def library() -> Any:
    """Return the ``clang.cindex`` module, loaded.

    Raises
    ------
    CompileError
        If libclang is not installed.
    """
    try:
        from clang import cindex  # noqa: PLC0415 (importing launchpath must stay fast)
    except ImportError as error:
        raise CompileError("compiling from source needs libclang: pip install libclang") from error
    location = cindex.conf.lib.clang_getFileLocation
    location.argtypes = [cindex.SourceLocation, c_void_p, c_void_p, c_void_p, c_void_p]
    location.restype = None
    cindex.conf.lib.clang_Cursor_Evaluate.argtypes = [cindex.Cursor]
    cindex.conf.lib.clang_Cursor_Evaluate.restype = c_void_p
    for function in ("getKind", "getAsInt", "dispose"):
        getattr(cindex.conf.lib, f"clang_EvalResult_{function}").argtypes = [c_void_p]
    return cindex


@cache
def _index() -> Any:
    index = library().Index.create()
    atexit.register(_index.cache_clear)  # libclang is gone by the time a module-level Index is deleted
    return index


def translation_unit(source: bytes, arguments: tuple[str, ...]) -> Any:
    """Parse `source`. Hold `lock` for as long as the result is used."""
    cindex = library()
    files = [(_SOURCE, source.decode("utf-8")), (_PRELUDE, prelude("parse.h"))]
    try:
        return _index().parse(_SOURCE, args=[*_ARGUMENTS, *arguments], unsaved_files=files)
    except cindex.TranslationUnitLoadError as error:
        raise CompileError("the parser could not read the source") from error


def errors(unit: Any) -> Iterator[Diagnostic]:
    """Yield the parser's errors in the source itself, and fatal ones anywhere."""
    for found in unit.diagnostics:
        where = found.location
        in_source = where.file is not None and where.file.name == _SOURCE
        if found.severity >= 3 and (in_source or found.severity >= 4):
            fatal = found.severity >= 4
            category = found.category_name
            yield Diagnostic(where.line, where.column, where.offset, found.spelling, category, fatal)


def file_offset(location: Any) -> int:
    """Return an offset in the source: in a macro's argument where that is, in its body where it is used."""
    offset = c_uint()
    library().conf.lib.clang_getFileLocation(location, None, None, None, byref(offset))
    return offset.value


def value(variable: Any) -> int:
    """Return the value that an integer variable is initialized with.

    Raises
    ------
    ValueError
        If it is not an integer, or not known when compiling.
    """
    functions = library().conf.lib
    result = functions.clang_Cursor_Evaluate(variable)
    if not result:
        raise ValueError("not a constant")
    try:
        if functions.clang_EvalResult_getKind(result) != 1:
            raise ValueError("not an integer")
        return int(functions.clang_EvalResult_getAsInt(result))
    finally:
        functions.clang_EvalResult_dispose(result)


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
