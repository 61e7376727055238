"""SPIR-V of other compilers, in the form that launchpath launches: a single packed block of arguments.

A kernel of such a module takes ordinary OpenCL arguments. Each gets a new entry point, which takes the block (if there
are arguments besides local memory), the address of the program's globals (if it uses any) and dynamic shared memory (if
the kernel takes a pointer to local memory), in this order, and calls the function that was the entry point before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from launchpath.errors import ArgumentValueError, CompileError, LaunchpathError

from ...cache.signature_json import from_json, to_json
from ...signature import Signature, pack
from ..enumerants import Addressing, Attribute, Control, Decoration, ExecutionMode, ExecutionModel, MemoryModel, Storage
from ..facts import collect
from ..globals.block import Globals
from ..globals.hidden import GLOBALS, SHARED, hide
from ..module import Instruction, Module, SpirvError, encode_text
from ..opcodes import Op
from ..operands import result
from ..outline import Function, Outline
from ..runtime.arithmetic import simplify
from .arguments import Argument, Passing, Reader, is_note, variable
from .chains import in_bytes
from .user_signature import agreed
from .wrapper import Wrapper

_HEADER_BYTES = 20
_MOST_BYTES = 1 << 30
_MOST_ALIGNED = 1 << 16
_MOST_IDS = 1 << 26  # sixteen times what every reader has to take
_EXTENSIONS = 4096  # opcodes from here on are extensions
_LIMITS = (ExecutionMode.LocalSize, ExecutionMode.MaxWorkgroupSizeINTEL)
_MODES = (Op.ExecutionMode, Op.ExecutionModeId)
# How launchpath named its own kernels' entry points at first, and the only structure that those take.
_PREFIX, _OWN_BLOCK = "__kernel_", "struct.__lp_packed{}"

Naming = Callable[[Iterable[str]], Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Adopted:
    """A module that can be launched."""

    module: Module
    kernels: tuple[tuple[str, Signature], ...]  # entry points, and what they take
    globals: Globals  # the block of the module's variables
    variables: dict[str, tuple[str, tuple[int, ...]]]  # NumPy's dtype name and the shape of each variable
    users: frozenset[str]  # entry points that take the block's address
    capabilities: tuple[int, ...]  # what the module wants of a device
    # functions that kernels call and the module only declares. Some devices have some of their own
    undefined: tuple[str, ...]


def adopt(
    data: bytes,
    name: str = "the module",
    signatures: Mapping[str, Signature] | None = None,
    naming: Naming | None = None,
) -> Adopted:
    """Make another compiler's module ready for launches.

    Parameters
    ----------
    data : bytes
        SPIR-V, of either byte order.
    name : str
        What errors call it.
    signatures : dict of str to Signature
        Signatures by kernel, in place of what the module says; sizes must agree.
    naming : callable, optional
        Gives the entry points' names by the kernels'; they stay as they are without it. Kernels in C may not be called
        as they like.

    Raises
    ------
    ArgumentValueError
        It is no SPIR-V, or cut short or damaged, or for something else than OpenCL; a kernel has a parameter that a
        launch cannot give, or not those of the signature that it is to have.
    CompileError
        A global's initial value is not known before the program runs.
    """
    if len(data) < _HEADER_BYTES or len(data) % 4:
        raise ArgumentValueError(f"{name} is truncated: SPIR-V of {len(data)} bytes is not a whole number of words")
    try:
        module = Module.decode(data)
    except SpirvError as error:
        raise ArgumentValueError(f"{name} is truncated or damaged: {error}") from None
    try:
        _check(module, name)
        return _Adopting(module, name, signatures or {}, naming).run()
    except LaunchpathError:
        raise
    except (LookupError, ValueError, StopIteration, ArithmeticError, AssertionError, RecursionError) as error:
        raise ArgumentValueError(f"{name} is malformed SPIR-V ({type(error).__name__}: {error})") from error


def _check(module: Module, name: str) -> None:
    """Refuse modules that are not whole, or not for OpenCL."""
    if module.version >> 16 != 1:
        raise ArgumentValueError(f"{name}: expected SPIR-V of version 1, got version {module.version >> 16}")
    if module.bound > _MOST_IDS:
        raise ArgumentValueError(f"{name} is malformed SPIR-V: it claims to have {module.bound} ids")
    depth = 0
    for instruction in module.instructions:
        opcode = instruction.opcode
        depth += (opcode == Op.Function) - (opcode == Op.FunctionEnd)
        defined = result(opcode, instruction.words) if len(instruction.words) > 1 and opcode < _EXTENSIONS else 0
        if defined >= module.bound or depth not in (0, 1):
            raise ArgumentValueError(
                f"{name} is malformed SPIR-V, at an instruction {opcode} with the result {defined}"
            )
    if depth:
        raise ArgumentValueError(f"{name} is truncated: it ends within a function")
    if next(module.find(Op.Function), None) is None:
        raise ArgumentValueError(f"{name} is truncated: it has no functions")
    model = next(module.find(Op.MemoryModel), None)
    if model is None:
        raise ArgumentValueError(f"{name} is truncated: it has no memory model")
    if model.words[1] != MemoryModel.OpenCL:
        raise ArgumentValueError(
            f"{name}: expected SPIR-V for OpenCL, which has kernels, got SPIR-V for Vulkan or OpenGL"
        )
    if model.words[0] != Addressing.Physical64:
        raise ArgumentValueError(
            f"{name}: expected SPIR-V with 64-bit addresses, got another size: compile it for the target spirv64"
        )
    if not any(entry.words[0] == ExecutionModel.Kernel for entry in module.find(Op.EntryPoint)):
        raise ArgumentValueError(
            f"{name}: expected SPIR-V with kernels, got a library without kernels: link it with a module that has "
            "kernels"
        )


class _Adopting:
    def __init__(self, module: Module, name: str, signatures: Mapping[str, Signature], naming: Naming | None) -> None:
        _ungroup(module)
        self.outline = Outline(module)
        self.name, self.signatures, self.naming = name, signatures, naming
        self.entries = [i for i in self.outline.header if i.opcode == Op.EntryPoint]
        self.kernels: list[tuple[str, Signature]] = []

    def run(self) -> Adopted:
        outline = self.outline
        self._check_functions()
        reader = Reader(outline, self.name)
        parameters = {
            entry.text(2): reader.arguments(entry.text(2), outline.functions[entry.words[1]].parameters)
            for entry in self.entries
        }
        called = {kernel: _called(outline, kernel, arguments) for kernel, arguments in parameters.items()}
        if len({*called.values()}) < len(called):
            called = {kernel: kernel for kernel in called}
        self._check_signatures([*called.values()])
        kinds = {
            outline.name(i.words[1]): variable(outline, outline.types.pointee(i.words[0]))
            for i in outline.variables(Storage.CrossWorkgroup)
        }
        self._check_size()
        with in_bytes(outline):
            globals_block = hide(outline)
        self._check_constants()
        users = self._wrap(parameters, called)
        self._tidy({kernel for kernel, _ in self.kernels})
        simplify(outline)
        facts = {kernel_facts.name: kernel_facts for kernel_facts in collect(outline).values()}
        kernels = tuple(
            (kernel, self._checked(replace(signature, shared=facts[kernel].shared)))
            for kernel, signature in self.kernels
        )
        capabilities = tuple(i.words[0] for i in outline.header if i.opcode == Op.Capability)
        undefined = tuple(
            dict.fromkeys(function for kernel_facts in facts.values() for function in kernel_facts.undefined)
        )
        return Adopted(outline.write(), kernels, globals_block, kinds, frozenset(users), capabilities, undefined)

    # -- checks

    def _check_functions(self) -> None:
        functions = self.outline.functions
        for entry in self.entries:
            if entry.words[1] not in functions or not functions[entry.words[1]].body:
                raise ArgumentValueError(f"{self.name} is truncated: kernel {entry.text(2)!r} is missing")
            if entry.words[0] != ExecutionModel.Kernel:
                raise ArgumentValueError(f"{self.name}: expected a kernel, got the shader {entry.text(2)!r}")
            for parameter in functions[entry.words[1]].parameters:
                if self.outline.name(parameter.words[1]) == GLOBALS:
                    raise ArgumentValueError(
                        f"{self.name} is SPIR-V that launchpath compiled, and its kernel {entry.text(2)!r} uses device "
                        "globals, whose initial values are not in it: keep such a program with Program.save"
                    )
        for function in functions.values():
            for call in function.calls:
                if call.words[2] not in functions:
                    raise ArgumentValueError(f"{self.name} is truncated: a called function is missing")

    def _check_size(self) -> None:
        """Refuse variables too large to be meant: their initial content is built in memory here."""
        types = self.outline.types
        variables = [*self.outline.variables(Storage.CrossWorkgroup)]
        for alignment in map(self.outline.alignment, variables):
            if not 0 < alignment <= _MOST_ALIGNED or alignment & (alignment - 1):
                raise ArgumentValueError(f"{self.name} is malformed SPIR-V: a variable is aligned to {alignment} bytes")
        size = sum(types.layout(types.pointee(declaration.words[0])).size for declaration in variables)
        if size > _MOST_BYTES:
            raise ArgumentValueError(
                f"{self.name} has global variables of {size} bytes; at most {_MOST_BYTES} are possible"
            )

    def _check_signatures(self, names: list[str]) -> None:
        for kernel in self.signatures:
            if kernel not in names:
                has = ", ".join(names)
                raise ArgumentValueError(
                    f"{self.name} has no kernel {kernel!r}, which `signatures` names; it has {has}"
                )

    def _checked(self, signature: Signature) -> Signature:
        """Refuse a signature that the core cannot pack arguments by: the reader of its JSON checks all of that."""
        try:
            return from_json(to_json(signature))
        except ArgumentValueError as error:
            raise ArgumentValueError(f"{self.name}: {error}") from None

    def _check_constants(self) -> None:
        """Refuse constants that held the address of a variable that is a parameter now."""
        for declaration in self.outline.declarations:
            if declaration.opcode == Op.Variable and not self.outline.declared.keys() >= {*declaration.words[3:]}:
                called = self.outline.name(declaration.words[1])
                raise CompileError(
                    f"{self.name}: the constant {called!r} holds the address of a global, which is not known before "
                    "the program runs"
                )

    # -- entry points

    def _wrap(self, parameters: dict[str, list[Argument]], names: dict[str, str]) -> list[str]:
        """Make the new entry points; return those that take the address of the globals."""
        outline = self.outline
        entries = self.naming(names.values()) if self.naming is not None else {name: name for name in names.values()}
        users, modes = [], [i for i in outline.header if i.opcode in _MODES]
        outline.header = [i for i in outline.header if i.opcode != Op.EntryPoint and i.opcode not in _MODES]
        outline.entries = {}
        for entry in self.entries:
            kernel, function = entry.text(2), outline.functions[entry.words[1]]
            kernel_modes = [mode for mode in modes if mode.words[0] == function.id]
            arguments = parameters[kernel]
            called = names[kernel]
            signature = _signature(called, arguments, kernel_modes)
            if called in self.signatures:
                signature = agreed(signature, arguments, self.signatures[called], self.name)
            hidden = {outline.name(i.words[1]) for i in function.parameters[len(arguments) :]}
            if SHARED in hidden:
                raise ArgumentValueError(
                    f"{self.name}: kernel {kernel!r} uses local memory that is declared but not defined"
                )
            wrapper = Wrapper(outline, function, arguments).write()
            exported = entries[called]
            self.kernels.append((exported, signature))
            if GLOBALS in hidden:
                users.append(exported)
            start = len(encode_text(kernel)) + 2
            interface = [word for word in entry.words[start:] if word in outline.declared]
            new = Instruction(Op.EntryPoint, [ExecutionModel.Kernel, wrapper.id, *encode_text(exported), *interface])
            outline.entries[wrapper.id] = new
            outline.header.append(new)
            modes += [Instruction(mode.opcode, [wrapper.id, *mode.words[1:]]) for mode in kernel_modes]
        outline.header += [mode for mode in modes if mode.words[0] in outline.entries]
        for entry in self.entries:
            _release(outline, outline.functions[entry.words[1]])
        return users

    def _tidy(self, kernels: set[str]) -> None:
        """Leave an entry point's name to it alone, and drop exports."""
        outline = self.outline
        for function in outline.functions.values():
            if function.id not in outline.entries and outline.name(function.id) in kernels:
                outline.debug = [i for i in outline.debug if i.opcode != Op.Name or i.words[0] != function.id]
                outline.set_name(function.id, f"__lp_{outline.name(function.id)}_{function.id}")
        outline.drop_exports()
        # Runtimes would take these for the parameters of the new entry points.
        outline.debug = [i for i in outline.debug if i.opcode != Op.String or not is_note(i.text(1))]


def _called(outline: Outline, kernel: str, arguments: list[Argument]) -> str:
    """Name a kernel: by its entry point, or, in launchpath's own older modules, by its name in the source."""
    values = [argument for argument in arguments if argument.passing is not Passing.LOCAL]
    if not kernel.startswith(_PREFIX) or len(values) > 1:
        return kernel
    for argument in values:
        if argument.passing is not Passing.STRUCTURE:
            return kernel
        if outline.name(outline.types.pointee(argument.type_id)) != _OWN_BLOCK.format(kernel):
            return kernel
    return kernel.removeprefix(_PREFIX)


def _signature(kernel: str, arguments: list[Argument], modes: list[Instruction]) -> Signature:
    values = [argument for argument in arguments if argument.passing is not Passing.LOCAL]
    offsets, size = pack([(argument.parameter.size, argument.parameter.align) for argument in values])
    parameters = tuple(
        replace(argument.parameter, offset=offset) for argument, offset in zip(values, offsets, strict=True)
    )
    most = [mode.words[2:5] for mode in modes if mode.words[1] in _LIMITS]
    threads = min((x * y * z for x, y, z in most), default=None)
    if threads is not None and threads >> 31:
        raise ValueError(f"a block of {threads} threads")
    local = [argument.parameter.name for argument in arguments if argument.passing is Passing.LOCAL]
    return Signature(
        kernel, parameters, size if values else 0, 0, bool(local), threads,
        dynamic_variable=local[0] if local else None,
    )  # fmt: skip


def _release(outline: Outline, function: Function) -> None:
    """Turn a former entry point into an ordinary function: inlined, and no structure is copied for it."""
    control = function.definition.words[2]
    function.definition.words[2] = (control | Control.Inline) & ~Control.DontInline
    callers = [other for other in outline.functions.values() if other.id not in outline.entries]
    if any(call.words[2] == function.id for other in callers for call in other.calls):
        return  # a call must leave the caller's structure as it is
    parameters = {i.words[1] for i in function.parameters}
    outline.annotations = [
        i for i in outline.annotations
        if i.opcode != Op.Decorate or i.words[0] not in parameters
        or i.words[1:] != [Decoration.FuncParamAttr, Attribute.ByVal]
    ]  # fmt: skip


def _ungroup(module: Module) -> None:
    """Replace groups of decorations by a decoration for each target."""
    groups = {i.words[0] for i in module.find(Op.DecorationGroup)}
    if not groups:
        return
    held: dict[int, list[list[int]]] = {}
    instructions = []
    for instruction in module.instructions:
        opcode, words = instruction.opcode, instruction.words
        if opcode == Op.Decorate and words[0] in groups:
            held.setdefault(words[0], []).append(words[1:])
        elif opcode == Op.GroupDecorate:
            decorations = held.get(words[0], [])
            instructions += [Instruction(Op.Decorate, [to, *rest]) for to in words[1:] for rest in decorations]
        elif opcode == Op.GroupMemberDecorate:
            pairs = zip(words[1::2], words[2::2], strict=True)
            decorations = held.get(words[0], [])
            instructions += [Instruction(Op.MemberDecorate, [*to, *rest]) for to in pairs for rest in decorations]
        elif opcode != Op.DecorationGroup and not (opcode == Op.Name and words[0] in groups):
            instructions.append(instruction)
    module.instructions = instructions
