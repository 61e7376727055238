"""Barriers and fences."""

from __future__ import annotations

from ...spirv.enumerants import Scope, Semantics
from ...spirv.module import Instruction
from ...spirv.opcodes import Op
from ..failure import UnsupportedConstruct
from ..function import FunctionWriter, handles
from ..module.reader import Unit
from ..module.types import Kind
from ..text.ptx import SYNC
from .groups import require_subgroups

_EITHER = Semantics.WorkgroupMemory | Semantics.CrossWorkgroupMemory
_SCOPES: dict[int, str] = {
    Scope.CrossDevice: "memory_scope_all_svm_devices", Scope.Device: "memory_scope_device",
    Scope.Workgroup: "memory_scope_work_group", Scope.Subgroup: "memory_scope_sub_group",
    Scope.Invocation: "memory_scope_work_item",
}  # fmt: skip

_CLOCKS: dict[int, str] = {Scope.Device: "device", Scope.Workgroup: "work_group", Scope.Subgroup: "sub_group"}


def flags(semantics: int) -> str:
    """Spell the memory that a fence is for; all memory if the semantics name none."""
    parts = []
    if semantics & Semantics.WorkgroupMemory or not semantics & _EITHER:
        parts.append("CLK_LOCAL_MEM_FENCE")
    if semantics & Semantics.CrossWorkgroupMemory or not semantics & _EITHER:
        parts.append("CLK_GLOBAL_MEM_FENCE")
    return " | ".join(parts)


def scope(unit: Unit, identifier: int) -> int:
    """Read a scope."""
    number = unit.constant(identifier)
    if number is None:
        raise UnsupportedConstruct("a memory scope that is not a constant")
    return number


def order(unit: Unit, identifier: int) -> int:
    """Read memory semantics."""
    return unit.constant(identifier) or 0


def scope_name(number: int) -> str:
    """Spell a scope."""
    # The scope of all devices needs a feature of its own. The device's suffices: nothing outside takes part here.
    return _SCOPES[number or Scope.Device]


@handles(Op.ControlBarrier)
def _barrier(writer: FunctionWriter, instruction: Instruction) -> None:
    execution, _, semantics = instruction.words
    where = flags(order(writer.unit, semantics))
    if scope(writer.unit, execution) == Scope.Subgroup:
        if writer.dialect.takes_ptx:
            writer.statement(SYNC)
            return
        require_subgroups(writer, "__syncwarp")
        writer.statement(f"sub_group_barrier({where});")
    else:
        writer.statement(f"barrier({where});")


@handles(Op.MemoryBarrier)
def _fence(writer: FunctionWriter, instruction: Instruction) -> None:
    where, semantics = scope(writer.unit, instruction.words[0]), order(writer.unit, instruction.words[1])
    if not writer.dialect.generic:
        writer.statement(f"mem_fence({flags(semantics)});")
        return
    # Clang's headers need the casts on platforms where the enumerations are unsigned and their constants are not.
    writer.statement(
        f"atomic_work_item_fence({flags(semantics)}, (memory_order)memory_order_seq_cst, "
        f"(memory_scope){scope_name(where)});"
    )


@handles(Op.ReadClockKHR)
def _clock(writer: FunctionWriter, instruction: Instruction) -> None:
    type_ = writer.unit.types[instruction.words[0]]
    if writer.dialect.takes_ptx:
        text = f"{writer.program.helpers.ptx('multiprocessor_clock')}()"
    elif not writer.dialect.generic:
        text = f"{writer.program.helpers.processor_clock()}()"
    elif writer.dialect.has("cl_khr_kernel_clock"):
        writer.program.needs("cl_khr_kernel_clock")
        text = f"clock_read_{_CLOCKS[scope(writer.unit, instruction.words[2])]}()"
    else:
        raise UnsupportedConstruct("clock64", "devices with cl_khr_kernel_clock", "the device has no clock for kernels")
    if type_.kind is Kind.VECTOR:
        text = f"as_{writer.spelling.value(type_)}({text})"
    writer.effect(instruction.words[1], writer.make(text, type_))
