"""Recursion, for runtimes that refuse it.

Intel's compiler for processors refuses a function that calls itself, even though it runs on a stack like any other;
calls by pointer (SPV_INTEL_function_pointers) it takes, and does not look where they go. So the calls that close a
cycle go by pointer, which is read from a volatile variable: a pointer that the compiler knew would be a call again.

In a function called by pointer from a vectorized kernel the built-in variables are those of the vector's first thread,
for all of its threads. So such functions, and what they call, take them as parameters, each thread's own.
"""

from __future__ import annotations

from dataclasses import replace

from launchpath.errors import CompileError

from ..enumerants import Capability, Decoration, MemoryAccess, Storage
from ..module import Instruction, Module, encode_text
from ..opcodes import Op
from ..operands import GROUP_OPERATIONS, SUBGROUP_OPERATIONS, ids
from ..outline import Function, Outline

_EXTENSION = "SPV_INTEL_function_pointers"
_TOGETHER = GROUP_OPERATIONS | SUBGROUP_OPERATIONS | {Op.ControlBarrier}


def call_by_pointer(module: Module) -> Module:
    """Give a module in which no function calls itself: the same module if none did, else a new module.

    Raises
    ------
    CompileError
        A function that calls itself waits for other threads: that works only where the compiler sees all calls.
    """
    outline = Outline(replace(module))
    reach = {function.id: _called(outline, function) for function in outline.functions.values() if function.calls}
    cycles = [function for function, called in reach.items() if function in called]
    if not cycles:
        return module
    outline.require(Capability.FunctionPointersINTEL)
    outline.require(Capability.IndirectReferencesINTEL)
    after = next(place for place, i in enumerate(outline.header) if i.opcode in (Op.ExtInstImport, Op.MemoryModel))
    outline.header.insert(after, Instruction(Op.Extension, encode_text(_EXTENSION)))
    within = set(cycles).union(*[reach[function] for function in cycles])
    for function in within:
        _check(outline, outline.functions[function])
    _pass_builtins(outline, [function for function in outline.functions.values() if function.id in within])
    pointers = {function: _pointer(outline, outline.functions[function]) for function in cycles}
    for function in cycles:
        back = {callee for callee in cycles if callee in reach[function] and function in reach[callee]}
        _rewrite(outline, outline.functions[function], {callee: pointers[callee] for callee in back})
    return outline.write()


def _called(outline: Outline, function: Function) -> set[int]:
    return {reached for call in function.calls for reached in outline.reachable(call.words[2])}


def _check(outline: Outline, function: Function) -> None:
    if any(instruction.opcode in _TOGETHER for instruction in function.body):
        name = outline.name(function.id)
        raise CompileError(
            f"{name} is part of a recursion, and its threads wait for each other or exchange values;"
            " this device's compiler has no recursion, and its replacement cannot do both"
        )


def _pass_builtins(outline: Outline, functions: list[Function]) -> None:
    """Make built-in variables parameters of functions."""
    inputs = {i.words[1]: outline.types.pointee(i.words[0]) for i in outline.variables(Storage.Input)}
    needed = {function.id: {i for i in inputs if i in function.words()} for function in functions}
    changed = True
    while changed:
        changed = False
        for function in functions:
            mine = needed[function.id]
            before = len(mine)
            mine.update(*[needed[call.words[2]] for call in function.calls])
            changed |= len(mine) != before
    parameters = {
        function.id: _add_parameters(outline, function, {i: inputs[i] for i in sorted(needed[function.id])})
        for function in functions
    }
    for function in outline.functions.values():
        _hand_on(outline, function, parameters, inputs)


def _add_parameters(outline: Outline, function: Function, kinds: dict[int, int]) -> dict[int, int]:
    """Give a function a parameter for each of some variables, and replace its loads from those."""
    parameters = {}
    for variable, type_id in kinds.items():
        parameters[variable] = parameter = outline.module.new_id()
        function.parameters.append(Instruction(Op.FunctionParameter, [type_id, parameter]))
    words = function.definition.words
    kind = outline.types.get(Op.TypeFunction, *outline.types.operands(words[3]), *kinds.values())
    function.definition = Instruction(Op.Function, [*words[:3], kind])
    loaded = {
        i.words[1]: parameters[i.words[2]] for i in function.body if i.opcode == Op.Load and i.words[2] in parameters
    }
    body = []
    for instruction in function.body:
        places = list(ids(instruction.opcode, instruction.words))
        if instruction.opcode == Op.Load and instruction.words[1] in loaded:
            continue
        if any(instruction.words[place] in parameters for place in places):
            name = outline.name(function.id)
            raise CompileError(f"{name} is part of a recursion and takes the address of a built-in variable")
        if not loaded.keys().isdisjoint(instruction.words):
            changed = instruction.words.copy()
            for place in places:
                changed[place] = loaded.get(changed[place], changed[place])
            body.append(Instruction(instruction.opcode, changed))
        else:
            body.append(instruction)
    function.body = body
    removed = loaded.keys()
    outline.debug = [i for i in outline.debug if i.opcode != Op.Name or i.words[0] not in removed]
    outline.annotations = [i for i in outline.annotations if i.words[0] not in removed]
    return parameters


def _hand_on(
    outline: Outline, function: Function, parameters: dict[int, dict[int, int]], inputs: dict[int, int]
) -> None:
    """Add the built-in variables to a function's calls: its own parameters, or what a kernel loads."""
    has = dict(parameters.get(function.id, {}))
    loads = []
    body = []
    for instruction in function.body:
        if instruction.opcode == Op.FunctionCall and parameters.get(instruction.words[2]):
            for variable in parameters[instruction.words[2]]:
                if variable not in has:
                    has[variable] = outline.module.new_id()
                    loads.append(Instruction(Op.Load, [inputs[variable], has[variable], variable]))
            added = [has[variable] for variable in parameters[instruction.words[2]]]
            body.append(Instruction(Op.FunctionCall, [*instruction.words, *added]))
        else:
            body.append(instruction)
    function.body = body
    start = function.start()
    function.body[start:start] = loads
    function.calls = [i for i in function.body if i.opcode == Op.FunctionCall]


def _pointer(outline: Outline, function: Function) -> tuple[int, int]:
    """Declare the address of a function: its type, and the constant."""
    type_id = outline.types.get(Op.TypePointer, Storage.CodeSectionINTEL, function.definition.words[3])
    address = outline.module.new_id()
    outline.types.added.append(Instruction(Op.ConstantFunctionPointerINTEL, [type_id, address, function.id]))
    outline.annotations.append(Instruction(Op.Decorate, [function.id, Decoration.ReferencedIndirectlyINTEL]))
    return type_id, address


def _rewrite(outline: Outline, function: Function, pointers: dict[int, tuple[int, int]]) -> None:
    """Turn a function's calls of some functions into calls by pointer."""
    variables, stores = [], []
    places = {}
    for callee, (type_id, address) in pointers.items():
        place = places[callee] = outline.module.new_id()
        variables.append(
            Instruction(Op.Variable, [outline.types.pointer(Storage.Function, type_id), place, Storage.Function])
        )
        stores.append(Instruction(Op.Store, [place, address, MemoryAccess.Volatile]))
    start = function.start()
    body = [function.body[0], *variables, *function.body[1:start], *stores]
    for instruction in function.body[start:]:
        words = instruction.words
        if instruction.opcode != Op.FunctionCall or words[2] not in pointers:
            body.append(instruction)
            continue
        read = outline.module.new_id()
        body.append(Instruction(Op.Load, [pointers[words[2]][0], read, places[words[2]], MemoryAccess.Volatile]))
        body.append(Instruction(Op.FunctionPointerCallINTEL, [*words[:2], read, *words[3:]]))
    function.body = body
