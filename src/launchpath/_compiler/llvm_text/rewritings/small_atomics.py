"""Atomic instructions on floats and on 1 and 2 bytes, in LLVM's text: Clang's own builtins make them.

OpenCL devices have none on 1 and 2 bytes, and few on floats. Each becomes a call of a function that compares and
exchanges 4 or 8 bytes. For 1 and 2 bytes these are the aligned 4 that hold them; their loads and stores need no more
than to be volatile.
"""

from __future__ import annotations

import re

from ...source.text import separated

_LINE = re.compile(
    r"^(?P<start>  (?:%\S+ = )?)(?P<kind>atomicrmw|cmpxchg|load atomic|store atomic) "
    r"(?:weak )?(?:volatile )?(?P<rest>.*)$"
)
_END = re.compile(
    r"(?: syncscope\(\"(?P<scope>\w*)\"\))? (?P<order>unordered|monotonic|acquire|release|acq_rel|seq_cst)\b"
)
_SMALL, _FLOATS = ("i8", "i16"), ("float", "double")
_SCOPES = {None: 0, "device": 1, "agent": 1, "workgroup": 2}
_GENERIC = "ptr addrspace(4)"
_BARRIER = "  call spir_func void @_Z21__spirv_MemoryBarrierii(i32 {scope}, i32 784)"
_EXCHANGE = {
    "i32": "@_Z29__spirv_AtomicCompareExchangePVjiiijj", "i64": "@_Z29__spirv_AtomicCompareExchangePVmiiimm",
}  # fmt: skip
_DECLARATIONS = {
    "@_Z21__spirv_MemoryBarrierii(": "declare spir_func void @_Z21__spirv_MemoryBarrierii(i32, i32) #{group}",
    **{
        f"{name}(": f"declare spir_func {type_} {name}(ptr addrspace(4), i32, i32, i32, {type_}, {type_}) #{{group}}"
        for type_, name in _EXCHANGE.items()
    },
}
_OF_FLOATS = ("fadd", "fsub", "fmin", "fmax")
_CHOICES = {"max": "icmp sgt", "min": "icmp slt", "umax": "icmp ugt", "umin": "icmp ult"}


def replaced(text: str) -> str:
    """Rewrite LLVM's text without these instructions; the same text if it has none."""
    functions: dict[str, str] = {}
    lines: list[str] = []
    old = text.split("\n")
    for number, line in enumerate(old):
        match = _LINE.match(line)
        lines += [line] if match is None else _replaced(line, match, functions, f"%__lp_at_{number}")
    if lines == old:
        return text
    module = "\n".join([*lines, *functions.values()])
    group = 1 + max(map(int, re.findall(r"^attributes #(\d+) = ", text, re.MULTILINE)), default=-1)
    needed = [
        declaration.format(group=group)
        for name, declaration in _DECLARATIONS.items()
        if name in module and not re.search(f"^declare .*{re.escape(name)}", text, re.MULTILINE)
    ]
    return "\n".join([module, *needed, f"attributes #{group} = {{ convergent nounwind }}", ""])


def _replaced(line: str, match: re.Match[str], functions: dict[str, str], cast: str) -> list[str]:
    """What stands in place of an instruction: the line itself, or several; `cast` is a name for the pointer."""
    start, kind, rest = match["start"], match["kind"], match["rest"]
    end = _END.search(rest)
    if end is None:
        return [line]
    scope = _SCOPES.get(end["scope"], 1)
    operands = separated(rest[: end.start()])
    barrier = [] if end["order"] in ("unordered", "monotonic") else [_BARRIER.format(scope=scope)]
    if kind in ("load atomic", "store atomic"):
        if operands[0].split(" ")[0] not in _SMALL:
            return [line]
        return [*barrier, f"{start}{kind.split(' ')[0]} volatile {rest[: end.start()]}{rest[end.end() :]}", *barrier]
    does = "cmpxchg"
    if kind == "atomicrmw":
        does, operands[0] = operands[0].split(" ", 1)
    type_ = operands[1].split(" ")[0]
    if not (type_ in _SMALL or (type_ in _FLOATS and does in _OF_FLOATS)):
        return [line]
    name = f"@__lp_atomic_{does}_{type_}_{scope}"
    if name not in functions:
        functions[name] = (
            _of_bytes(name, does, type_, scope) if type_ in _SMALL else _of_floats(name, does, type_, scope)
        )
    pointer, before = operands[0], []
    if not pointer.startswith(_GENERIC):
        before, pointer = [f"  {cast} = addrspacecast {pointer} to {_GENERIC}"], f"{_GENERIC} {cast}"
    call = f"{start}call spir_func {_result(does, type_)} {name}({', '.join([pointer, *operands[1:]])})"
    return [*before, *barrier, call, *barrier]


def _result(does: str, type_: str) -> str:
    return f"{{ {type_}, i1 }}" if does == "cmpxchg" else type_


def _of_floats(name: str, does: str, type_: str, scope: int) -> str:
    bits = "i32" if type_ == "float" else "i64"
    if does in ("fadd", "fsub"):
        change = f"  %changed = {does} {type_} %old, %v\n"
    else:  # a number rather than what is none
        compare = "olt" if does == "fmin" else "ogt"
        change = f"""  %better = fcmp {compare} {type_} %v, %old
  %none = fcmp uno {type_} %old, %old
  %takes = or i1 %better, %none
  %changed = select i1 %takes, {type_} %v, {type_} %old
"""
    change = f"  %old = bitcast {bits} %seen to {type_}\n{change}  %next = bitcast {type_} %changed to {bits}\n"
    body = _loop(bits, scope, "%p", "", change, f"  %result = bitcast {bits} %now to {type_}\n  ret {type_} %result\n")
    return f"define internal spir_func {type_} {name}({_GENERIC} %p, {type_} %v) {{\n{body}}}\n"


def _of_bytes(name: str, does: str, type_: str, scope: int) -> str:
    """A function on the aligned 4 bytes that hold 1 or 2."""
    before = f"""  %address = ptrtoint {_GENERIC} %p to i64
  %aligned = and i64 %address, -4
  %word = inttoptr i64 %aligned to {_GENERIC}
  %rank = trunc i64 %address to i32
  %byte = and i32 %rank, 3
  %shift = shl i32 %byte, 3
  %mask = shl i32 {255 if type_ == "i8" else 65535}, %shift
  %others = xor i32 %mask, -1
"""
    take = f"  %down = lshr i32 %seen, %shift\n  %old = trunc i32 %down to {type_}\n"
    put = f"""  %wide = zext {type_} %changed to i32
  %up = shl i32 %wide, %shift
  %rest = and i32 %seen, %others
  %next = or i32 %rest, %up
"""
    after = f"  ret {type_} %old\n"
    parameters = f"{_GENERIC} %p, {type_} %v"
    if does == "cmpxchg":
        parameters = f"{_GENERIC} %p, {type_} %expected, {type_} %v"
        change = f"""  %changed = select i1 true, {type_} %v, {type_} %old
  %equal = icmp eq {type_} %old, %expected
  br i1 %equal, label %try, label %unequal

try:
"""
        after = f"""  br label %end

unequal:
  br label %end

end:
  %was = phi i1 [ true, %done ], [ false, %unequal ]
  %pair = insertvalue {{ {type_}, i1 }} poison, {type_} %old, 0
  %both = insertvalue {{ {type_}, i1 }} %pair, i1 %was, 1
  ret {{ {type_}, i1 }} %both
"""
    elif does == "xchg":
        change = f"  %changed = select i1 true, {type_} %v, {type_} %old\n"
    elif does == "nand":
        change = f"  %both = and {type_} %old, %v\n  %changed = xor {type_} %both, -1\n"
    elif does in _CHOICES:
        change = (
            f"  %takes = {_CHOICES[does]} {type_} %v, %old\n  %changed = select i1 %takes, {type_} %v, {type_} %old\n"
        )
    else:
        change = f"  %changed = {does} {type_} %old, %v\n"
    body = _loop("i32", scope, "%word", before, take + change + put, after)
    return f"define internal spir_func {_result(does, type_)} {name}({parameters}) {{\n{body}}}\n"


def _loop(type_: str, scope: int, pointer: str, before: str, change: str, after: str) -> str:
    """The body of a function: `change` makes ``%next`` of ``%seen``, until nothing else has changed what lies there."""
    exchange = f"{_GENERIC} {pointer}, i32 {scope}, i32 0, i32 0, {type_} %next, {type_} %seen"
    return f"""entry:
{before}  %first = load atomic volatile {type_}, {_GENERIC} {pointer} monotonic, align {int(type_[1:]) // 8}
  br label %loop

loop:
  %seen = phi {type_} [ %first, %entry ], [ %now, %again ]
{change}  %now = call spir_func {type_} {_EXCHANGE[type_]}({exchange})
  %same = icmp eq {type_} %now, %seen
  br i1 %same, label %done, label %again

again:
  br label %loop

done:
{after}"""
