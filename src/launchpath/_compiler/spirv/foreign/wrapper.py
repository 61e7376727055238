"""Entry points with launchpath's arguments, a packed block, which call kernels with OpenCL's arguments."""

from __future__ import annotations

from ...signature import pack
from ..enumerants import Attribute, Capability, Decoration, MemoryAccess, Storage
from ..globals.hidden import GLOBALS, LEAST_ALIGNMENT, SHARED
from ..module import Instruction
from ..opcodes import Op
from ..outline import Function, Outline
from .arguments import Argument, Passing


class Wrapper:
    """Writes an entry point, which calls the function that was the entry point before.

    Parameters
    ----------
    outline : Outline
    function : Function
        What was the entry point. If it has one parameter more than `arguments`, that is the address of the globals.
    arguments : list of Argument
    """

    def __init__(self, outline: Outline, function: Function, arguments: list[Argument]) -> None:
        self.outline, self.types = outline, outline.types
        self.function, self.arguments = function, arguments
        self.hidden = function.parameters[len(arguments) :]
        values = [argument.parameter for argument in arguments if argument.passing is not Passing.LOCAL]
        self.offsets, self.size = pack([(parameter.size, parameter.align) for parameter in values])
        self.align = max([8, *(parameter.align for parameter in values)])
        self.has_block = bool(values)
        self.body: list[Instruction] = []
        self.parameters: list[Instruction] = []

    def write(self) -> Function:
        """Add it to the module's functions."""
        outline, types = self.outline, self.types
        definition = self.function.definition
        self.body.append(Instruction(Op.Label, [outline.module.new_id()]))
        bytes_ = self._block() if self.has_block else 0
        hidden = [self._parameter(parameter.words[0], GLOBALS) for parameter in self.hidden]
        offsets = iter(self.offsets)
        operands = [
            self._local(argument) if argument.passing is Passing.LOCAL else self._value(argument, bytes_, next(offsets))
            for argument in self.arguments
        ]
        self._put(Op.FunctionCall, definition.words[0], self.function.id, *operands, *hidden)
        call = self.body[-1]
        self.body.append(Instruction(Op.Return, []))
        kind = types.get(Op.TypeFunction, definition.words[0], *(i.words[0] for i in self.parameters))
        entry_id = outline.module.new_id()
        new = Instruction(Op.Function, [definition.words[0], entry_id, 0, kind])
        outline.functions[entry_id] = Function(new, self.parameters, self.body, [call])
        return outline.functions[entry_id]

    def _block(self) -> int:
        """Declare the packed block; return a pointer to its first byte."""
        types, outline = self.types, self.outline
        outline.require(Capability.Int64)
        outline.require(Capability.Int8)
        byte, long = types.get(Op.TypeInt, 8, 0), types.get(Op.TypeInt, 64, 0)
        array = types.get(Op.TypeArray, byte, types.constant(long, self.size))
        parameter = self._parameter(types.pointer(Storage.Function, types.get(Op.TypeStruct, array)), "block")
        decorations: tuple[tuple[int, int], ...]
        decorations = (Decoration.FuncParamAttr, Attribute.ByVal), (Decoration.Alignment, self.align)
        instructions = [Instruction(Op.Decorate, [parameter, *words]) for words in decorations]
        outline.annotations += instructions
        outline.decorations[parameter] = instructions
        return self._put(Op.Bitcast, types.pointer(Storage.Function, byte), parameter)

    def _parameter(self, type_id: int, name: str) -> int:
        parameter = self.outline.module.new_id()
        self.parameters.append(Instruction(Op.FunctionParameter, [type_id, parameter]))
        self.outline.set_name(parameter, name)
        return parameter

    def _local(self, argument: Argument) -> int:
        """Declare dynamic shared memory, which runtimes align as its type wants."""
        types, outline = self.types, self.outline
        type_id = argument.type_id
        strictest = max(argument.parameter.align, LEAST_ALIGNMENT)
        if argument.parameter.align < LEAST_ALIGNMENT:
            type_id = types.pointer(Storage.Workgroup, types.get(Op.TypeVector, types.get(Op.TypeInt, 32, 0), 4))
        parameter = self._parameter(type_id, SHARED)
        outline.annotations.append(Instruction(Op.Decorate, [parameter, Decoration.Alignment, strictest]))
        return parameter if type_id == argument.type_id else self._put(Op.Bitcast, argument.type_id, parameter)

    def _value(self, argument: Argument, bytes_: int, offset: int) -> int:
        types = self.types
        byte, long = types.get(Op.TypeInt, 8, 0), types.get(Op.TypeInt, 64, 0)
        pointer = bytes_
        if offset:
            place = types.constant(long, offset)
            pointer = self._put(Op.InBoundsPtrAccessChain, types.pointer(Storage.Function, byte), bytes_, place)
        match argument.passing:
            case Passing.STRUCTURE:
                return self._put(Op.Bitcast, argument.type_id, pointer)
            case Passing.POINTER:
                address = self._load(long, pointer, 8)
                return self._put(Op.ConvertUToPtr, argument.type_id, address)
            case Passing.BOOL:
                wide = self._put(Op.UConvert, long, self._load(byte, pointer, 1))
                return self._put(Op.INotEqual, argument.type_id, wide, types.constant(long, 0))
        return self._load(argument.type_id, pointer, argument.parameter.align)

    def _load(self, type_id: int, pointer: int, align: int) -> int:
        types = self.types
        byte = types.get(Op.TypeInt, 8, 0)
        if type_id != byte:
            pointer = self._put(Op.Bitcast, types.pointer(Storage.Function, type_id), pointer)
        return self._put(Op.Load, type_id, pointer, MemoryAccess.Aligned, align)

    def _put(self, opcode: int, type_id: int, *operands: int) -> int:
        result_id = self.outline.module.new_id()
        self.body.append(Instruction(opcode, [type_id, result_id, *operands]))
        return result_id
