"""Entry points in LLVM's text: each unpacks the packed block of arguments, and calls the user's function."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from .. import parts
from ..signature import Parameter, Signature
from .kernels import Kernel

_BY_VALUE = re.compile(r"\bbyval\((?P<type>[^()]*|[^()]*\([^()]*\)[^()]*)\)")
_TYPE = re.compile(r"ptr(?: addrspace\(\d+\))?|[^ ]+")
_KEPT = re.compile(r"^@(?:llvm\.(?:compiler\.)?used|llvm\.global\.annotations|__hip_cuid_\w*) = .*\n", re.MULTILINE)
_LINKAGE = re.compile(
    r"^define (?:(?:linkonce_odr|weak_odr|linkonce|weak|hidden|protected|dso_local|internal) )*"
    r"(?P<rest>.*?)(?: comdat(?:\(\$[^)]*\))?)?(?P<end>(?: align \d+)?(?: !dbg !\d+)? \{)$",
    re.MULTILINE,
)
_DEBUG = re.compile(r"^\s*#dbg_.*\n|,? !dbg !\d+(?= \{|,|$)|^!llvm\.dbg\.cu = .*\n", re.MULTILINE)
# A static variable, which the host may set between launches.
_STATIC = re.compile(
    r"^@(?P<name>[\w.$]+) = internal (?P<rest>addrspace\(1\) (?:constant|global) [^\n]*)$", re.MULTILINE
)
_FUNCTION = re.compile(r'@(?:"[^"]+"|[\w.$]+)')
_GLOBAL = 1  # address space


def with_entries(
    text: str, kernels: Sequence[tuple[Kernel, str, Signature]], variables: Container[str], keeps_debug: bool = False,
    part: str = "",
) -> str:  # fmt: skip
    """Make a module of a source's module: only the entry points of these kernels are seen from outside.

    Parameters
    ----------
    text : str
        LLVM's, of the whole source.
    kernels : sequence of (Kernel, str, Signature)
        With the names of the entry points.
    variables : container of str
        The names of variables that the host may see.
    keeps_debug : bool
        Whether places in the source stay.
    part : str
        The name of the file in a program of several: what it does not declare static, other files may use.
    """
    text = _KEPT.sub("", text)
    if part:
        functions = {kernel.function for kernel, _, _ in kernels}
        text = _LINKAGE.sub(lambda match: _internal(match) if _function(match[0]) in functions else match[0], text)
    else:
        text = _LINKAGE.sub(_internal, text)
    text = _with_statics(text, variables, part)
    if not keeps_debug:
        text = _DEBUG.sub("", text)
    group = 1 + max(map(int, re.findall(r"^attributes #(\d+) = ", text, re.MULTILINE)), default=-1)
    lines = [text]
    for number, (kernel, entry, signature) in enumerate(kernels):
        lines += _entry(kernel, entry, signature, number, group)
    lines.append(f'attributes #{group} = {{ convergent norecurse nounwind "uniform-work-group-size"="true" }}')
    lines.append(f"attributes #{group + 1} = {{ alwaysinline convergent nounwind }}")
    return "\n".join([*lines, ""])


def _function(line: str) -> str:
    match = _FUNCTION.search(line)
    return match[0] if match is not None else ""


def _internal(match: re.Match[str]) -> str:
    return f"define internal {match['rest']}{match['end']}"


def _with_statics(text: str, variables: Container[str], part: str) -> str:
    """Let the host see static variables; those of several files get the files' digests in their names."""
    renamed: dict[str, str] = {}

    def seen(match: re.Match[str]) -> str:
        name, (space, _, rest) = match["name"], match["rest"].partition(" ")
        if name not in variables:
            return match[0]
        if part:
            renamed[name] = f"{name}{parts.STATIC}{parts.digest(part)}"
        return f"@{name} = {space} externally_initialized {rest}"

    text = _STATIC.sub(seen, text)
    if not renamed:
        return text
    names = re.compile(rf"@({'|'.join(map(re.escape, renamed))})(?![\w.$])")
    return names.sub(lambda match: f"@{renamed[match[1]]}", text)


def _entry(kernel: Kernel, entry: str, signature: Signature, number: int, group: int) -> list[str]:
    packed = f"%struct.__lp_packed{entry}"
    lines, block = [], ""
    if signature.block:
        block = f"ptr addrspace({_GLOBAL}) noalias readonly align {signature.align} %block"
    elif signature.parameters:
        lines.append(f"{packed} = type {{ [{signature.size} x i8] }}")
        block = f"ptr noundef byval({packed}) align {signature.align} %block"
    space = f" addrspace({_GLOBAL})" if signature.block else ""
    lines.append(f"define spir_kernel void @{entry}({block}) #{group} {{")
    lines.append("entry:")
    arguments = []
    for i, (declared, parameter) in enumerate(zip(kernel.parameters, signature.parameters, strict=True)):
        more, argument = _argument(i, declared, parameter, space)
        lines += more
        arguments.append(argument)
    lines += [f"  call spir_func void {kernel.function}({', '.join(arguments)}) #{group + 1}", "  ret void", "}"]
    return lines


def _argument(i: int, declared: str, parameter: Parameter, space: str) -> tuple[list[str], str]:
    """Write how an argument is read from the block; give the lines, and how the call passes it."""
    offset, size, align, kind = parameter.offset, parameter.size, parameter.align, parameter.kind
    place = [f"  %at{i} = getelementptr inbounds i8, ptr{space} %block, i64 {offset}"]
    by_value = _BY_VALUE.search(declared)
    match = _TYPE.match(declared)
    type_ = match[0] if match is not None else ""
    if by_value is not None:
        if not space:
            return place, f"ptr byval({by_value['type']}) align {align} %at{i}"
        copy = [f"  %copy{i} = alloca {by_value['type']}, align {align}"]
        copy.append(
            f"  call void @llvm.memcpy.p0.p1.i64(ptr align {align} %copy{i}, ptr addrspace(1) align {align} %at{i}, "
            f"i64 ptrtoint (ptr getelementptr ({by_value['type']}, ptr null, i32 1) to i64), i1 false)"
        )
        return [*place, *copy], f"ptr byval({by_value['type']}) align {align} %copy{i}"
    if kind == "struct" and type_.startswith("ptr"):  # a class with a copy constructor of its own: by address
        if space:  # all threads share the block
            copy = [f"  %copy{i} = alloca [{size} x i8], align {align}"]
            copy.append(
                f"  call void @llvm.memcpy.p0.p1.i64(ptr align {align} %copy{i}, "
                f"ptr addrspace(1) align {align} %at{i}, i64 {size}, i1 false)"
            )
            return [*place, *copy], f"ptr %copy{i}"
        if type_ == f"ptr{space}":
            return place, f"{type_} %at{i}"
        return [
            *place,
            f"  %to{i} = addrspacecast ptr{space} %at{i} to {type_}",
        ], f"{type_} %to{i}"
    if type_.startswith("ptr"):
        read = [*place, f"  %read{i} = load ptr addrspace({_GLOBAL}), ptr{space} %at{i}, align {align}"]
        if type_ == f"ptr addrspace({_GLOBAL})":
            return read, f"{type_} %read{i}"
        return [
            *read,
            f"  %to{i} = addrspacecast ptr addrspace({_GLOBAL}) %read{i} to {type_}",
        ], f"{type_} %to{i}"
    if type_ == "i1":
        return [
            *place, f"  %read{i} = load i8, ptr{space} %at{i}, align 1", f"  %to{i} = trunc i8 %read{i} to i1",
        ], f"i1 %to{i}"  # fmt: skip
    return [
        *place,
        f"  %read{i} = load {type_}, ptr{space} %at{i}, align {align}",
    ], f"{type_} %read{i}"
