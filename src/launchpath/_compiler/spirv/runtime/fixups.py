"""Rewrites SPIR-V that Clang emits and some runtimes reject."""

from __future__ import annotations

from collections.abc import Iterable

from ..enumerants import Capability, Decoration, ExecutionMode, Language
from ..module import Instruction, encode_text
from ..opcodes import Op
from ..outline import Outline

WARP = 32
_INTRINSIC = "spirv.llvm_"
_VERSION = 200000  # OpenCL C 2.0: the first with a generic address space
_REMOVABLE = frozenset({Op.Variable, Op.ConstantComposite, Op.SpecConstantOp})


def tidy(outline: Outline, contracted: bool = True) -> None:
    """Remove instructions that no kernel needs, and those that runtimes reject.

    ``ContractionOff``, which Clang always writes, keeps devices from fusing multiplications and additions, as CUDA and
    HIP do; it stays where they must not (`contracted`).
    """
    outline.header = [
        i for i in outline.header
        if not contracted or i.opcode != Op.ExecutionMode or i.words[1] != ExecutionMode.ContractionOff
    ]  # fmt: skip
    # An annotated function counts as used: runtimes would compile kernels' bodies once more, besides the entry points
    # that call them.
    outline.annotations = [
        i for i in outline.annotations if i.opcode != Op.Decorate or i.words[1] != Decoration.UserSemantic
    ]
    outline.debug = [
        i for i in outline.debug
        if i.opcode not in (Op.Source, Op.SourceContinued, Op.SourceExtension, Op.ModuleProcessed)
    ]  # fmt: skip
    # The backend writes functions for intrinsics that SPIR-V has no instruction for (for a rotation
    # `spirv.llvm_fshl_i32`), and Intel's runtime takes the name for the intrinsic, and finds nothing behind it.
    outline.debug = [
        _renamed(i) if i.opcode == Op.Name and i.text(1).startswith(_INTRINSIC) else i for i in outline.debug
    ]
    outline.debug.insert(0, Instruction(Op.Source, [Language.OpenCL_C, _VERSION]))
    _remove_unused(outline)
    outline.drop_exports()


def _renamed(name: Instruction) -> Instruction:
    return Instruction(Op.Name, [name.words[0], *encode_text(name.text(1).replace(_INTRINSIC, "lp_"))])


def _remove_unused(outline: Outline) -> None:
    """Remove variables and composite constants that no remaining function uses."""
    used = set().union(*[function.words() for function in outline.functions.values()])
    unused = set()
    for declaration in reversed(outline.declarations):
        if declaration.opcode in _REMOVABLE:
            if declaration.words[1] in used:
                used.update(declaration.words[2:])
            else:
                unused.add(declaration.words[1])
    if unused:
        outline.remove(unused)


def fix_subgroups(outline: Outline, kernels: Iterable[int]) -> None:
    """Make sub-groups of kernels as wide as a warp: their sources count on it."""
    modes = [Instruction(Op.ExecutionMode, [kernel, ExecutionMode.SubgroupSize, WARP]) for kernel in kernels]
    if modes:
        outline.header += modes
        outline.require(Capability.SubgroupDispatch)
