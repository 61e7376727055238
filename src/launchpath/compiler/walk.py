"""One walk over Clang's tree of a source, which fills in a `Unit`."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import Any

from . import clang, types
from .facts import Constant, Kernel, Shared, Unit, Use
from .signature import Parameter, Signature, pack
from .text import parameter_list_end

_TAGS = {clang.STRUCT: "struct", clang.CLASS: "struct", clang.UNION: "union", clang.ENUM: "enum"}


class Walk:
    """Collects from one translation unit.

    Attributes
    ----------
    heads : list of (int, int)
        From the start of each kernel to its body: an error there leaves its signature unknown.
    """

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.heads: list[tuple[int, int]] = []
        self._variables: dict[int, Shared | Constant] = {}
        self._names: set[str] = set()
        self._sites: dict[str, list[tuple[int, bool] | None]] = {}
        self._defined: list[tuple[Any, str]] = []
        self._function: tuple[int, str | None] = (0, None)  # end of the function we are in, kernel's name
        self._started = False
        self._integers: dict[str, int] = {}
        self._globals: dict[str, Any] = {}

    def run(self, parsed: Any) -> None:
        """Walk all of it."""
        clang.visit(parsed.cursor, self._file_scope)
        for cursor, name in self._defined:
            self._define(cursor, name)
        self._lay_out()

    # -- file scope

    def _file_scope(self, cursor: Any, parent: Any) -> bool:
        number = cursor._kind_id
        if not self._started:
            # Everything before the prelude's own using-directive is the prelude's.
            self._started = number == clang.USING_DIRECTIVE
            return False
        if number == clang.LINKAGE:
            self._linkage(cursor)
            return True
        if number == clang.NAMESPACE:
            return True
        name = cursor.spelling
        self.unit.declared.add(name)
        if number in (clang.FUNCTION, clang.FUNCTION_TEMPLATE):
            self._declare_function(cursor, name)
        elif number == clang.VARIABLE:
            self._globals[name] = cursor
            self._variable(cursor, None)
            clang.visit(cursor, self._inside)
        else:
            if number in _TAGS and self._stands(cursor, name) is not None:
                self.unit.tags.append((_TAGS[number], name))
            self._integers_of(cursor)
            self._function = (0, None)
            clang.visit(cursor, self._inside)
        return False

    def _integers_of(self, cursor: Any) -> None:
        if cursor._kind_id == clang.ENUM:
            for child in cursor.get_children():
                if child._kind_id == clang.ENUMERATOR:
                    self._integers[child.spelling] = child.enum_value
                    self.unit.declared.add(child.spelling)

    def _linkage(self, cursor: Any) -> None:
        start = clang.file_offset(cursor.extent.start)
        self.unit.linkages.append((start, clang.file_offset(cursor.extent.end)))

    def _stands(self, cursor: Any, name: str) -> int | None:
        """Where the cursor's name stands in the source; None if it does not (unnamed, or made by a macro)."""
        offset = clang.file_offset(cursor.location)
        wanted = name.encode()
        return offset if wanted and self.unit.source.startswith(wanted, offset) else None

    def _declare_function(self, cursor: Any, name: str) -> None:
        kinds = {child._kind_id: child for child in cursor.get_children()}
        is_kernel = clang.GLOBAL_ATTRIBUTE in kinds and cursor._kind_id == clang.FUNCTION
        body = kinds.get(clang.COMPOUND)
        start, end = (clang.file_offset(place) for place in (cursor.extent.start, cursor.extent.end))
        full = None
        if is_kernel:
            full = self._qualified(cursor, name)
            at = self._stands(cursor, name)
            ends = parameter_list_end(self.unit.source, at + len(name.encode())) if at is not None else None
            self._sites.setdefault(full, []).append(ends)
            if body is not None:
                self._defined.append((cursor, full))
                self.heads.append((start, max(start, clang.file_offset(body.extent.start))))
        elif body is not None and clang.DEVICE_ATTRIBUTE not in kinds and cursor._kind_id == clang.FUNCTION:
            text = self.unit.source[start:end]
            if name == "main" or b"<<<" in text:
                self.unit.host.append((start, end))
                return
        self._function = (end, full)
        clang.visit(cursor, self._inside)

    def _qualified(self, cursor: Any, name: str) -> str:
        parent = cursor.semantic_parent
        while parent is not None and parent._kind_id == clang.NAMESPACE:
            name = f"{parent.spelling}::{name}"
            parent = parent.semantic_parent
        return name

    # -- inside functions, variables and types

    def _inside(self, cursor: Any, parent: Any) -> bool:
        number = cursor._kind_id
        if number == clang.REFERENCE:
            if cursor.spelling in self._names:
                self._use(cursor, parent)
        elif number == clang.VARIABLE:
            self._variable(cursor, parent)
        elif number in (clang.FUNCTIONAL_CAST, clang.STATIC_CAST, clang.REINTERPRET_CAST):
            self._cast(cursor, number)
        elif number in _TAGS and self._function[0]:
            name = cursor.spelling
            if self._stands(cursor, name) is not None:
                start = clang.file_offset(cursor.extent.start)
                self.unit.local_tags.append((start, _TAGS[number], name))
        return True

    def _cast(self, cursor: Any, number: int) -> None:
        start = clang.file_offset(cursor.extent.start)
        word = {clang.STATIC_CAST: b"static_cast", clang.REINTERPRET_CAST: b"reinterpret_cast"}.get(number)
        if word is None:
            if types.kind(cursor.type) in (None, "struct"):
                return
            if not re.match(rb"[A-Za-z_][\w\s]*\(", self.unit.source[start : start + 80]):
                return
        elif not self.unit.source.startswith(word, start):
            return
        self.unit.casts.append((start, word is not None))

    def _variable(self, cursor: Any, parent: Any) -> None:
        static = cursor.storage_class.name == "STATIC"
        attributes = {child._kind_id: child for child in cursor.get_children()}
        name = cursor.spelling
        if clang.SHARED_ATTRIBUTE in attributes:
            self._shared(cursor, parent, name)
            return
        local = parent is not None
        if local and not static:
            return
        at = self._stands(cursor, name)
        if at is None:
            return
        marks = [child for number, child in attributes.items() if number >= clang.ATTRIBUTES]
        places = [cursor.extent.start, *(child.extent.start for child in marks)]
        start = min(clang.file_offset(place) for place in places)
        constant = types.is_constant(cursor.type) or clang.CONSTANT_ATTRIBUTE in attributes
        record = types.kind(cursor.type) == "struct"
        found = Constant(name, local, record, constant, cursor.type.get_canonical().spelling, start, at)
        self.unit.constants.append(found)
        if not local:
            self._variables[at] = found
            self._names.add(name)

    def _shared(self, cursor: Any, parent: Any, name: str) -> None:
        unit = self.unit
        at = self._stands(cursor, name)
        where = clang.file_offset(cursor.location)
        kernel: str | None = None
        if parent is not None:
            kernel = self._function[1]
            nested = cursor.semantic_parent._kind_id == clang.METHOD  # a lambda's own
            if kernel is None or nested:
                message = f"__shared__ variable '{name}' inside a function that is not a kernel"
                raise unit.error(where, f"{message}; declare it in the kernel and pass its address")
        if at is None:
            raise unit.error(where, f"__shared__ variable '{name}' is declared inside a macro")
        declaration = parent if parent is not None and parent._kind_id == clang.DECLARATION else cursor
        places = [declaration.extent.start, cursor.extent.start]
        places += [child.extent.start for child in cursor.get_children() if child._kind_id >= clang.ATTRIBUTES]
        start = min(clang.file_offset(place) for place in places)
        end = clang.file_offset(declaration.extent.end)
        if declaration is cursor:
            end = unit.source.find(b";", end) + 1
        size = cursor.type.get_size()
        dynamic = cursor.storage_class.name == "EXTERN"
        align = 16 if dynamic else self._alignment(cursor, start, end)
        found = Shared(name, kernel, dynamic, types.is_array(cursor.type), max(size, 0), align, (start, end), at)
        unit.shared.append(found)
        self._variables[at] = found
        self._names.add(name)

    def _alignment(self, cursor: Any, start: int, end: int) -> int:
        """Return a shared variable's alignment; libclang tells only that of its type."""
        align: int = max(1, cursor.type.get_align())
        text = self.unit.source[start:end]
        for asked in re.findall(rb"\b(?:__align__|alignas|aligned|__aligned__)\s*\(([^()]*)", text):
            align = max(align, self._bound(asked.decode()) or 128)
        return align

    def _use(self, cursor: Any, parent: Any) -> None:
        target = cursor.referenced
        if target is None:
            return
        variable = self._variables.get(clang.file_offset(target.location))
        if variable is None or variable.name != cursor.spelling:
            return
        at = self._stands(cursor, variable.name)
        decays = parent._kind_id == clang.UNEXPOSED_EXPRESSION
        use = Use(at, decays, cursor.location.line)
        if isinstance(variable, Shared):
            variable.uses.append((self._function[1], use))
            if self._function[1] is None and variable.kernel is None:
                where = clang.file_offset(cursor.location)
                raise self.unit.error(where, f"__shared__ variable '{variable.name}' used outside a kernel")
        else:
            variable.uses.append(use)

    # -- kernels

    def _define(self, cursor: Any, name: str) -> None:
        unit = self.unit
        where = clang.file_offset(cursor.location)
        if name in unit.kernels:
            raise unit.error(where, f"there is another kernel called '{name}'")
        found: list[tuple[str, Any, str]] = []
        body = None
        max_threads = None
        for child in cursor.get_children():
            if child._kind_id == clang.PARAMETER:
                found.append((child.spelling or f"arg{len(found)}", child.type, self._parameter_kind(child)))
            elif child._kind_id == clang.COMPOUND:
                body = clang.file_offset(child.extent.start)
            elif child._kind_id == clang.ANNOTATE and child.spelling.startswith("launch_bounds="):
                max_threads = self._bound(child.spelling.removeprefix("launch_bounds="))
        layout = [(8, 8) if kind == "pointer" else (of.get_size(), of.get_align()) for _, of, kind in found]
        offsets, size = pack(layout)
        parameters = []
        for (label, of, kind), (bytes_, align), offset in zip(found, layout, offsets, strict=True):
            pointee, const = types.pointee(of) if kind == "pointer" else (None, False)
            parameters.append(Parameter(label, types.spelled(of), kind, bytes_, align, offset, pointee, const))
        signature = Signature(name, tuple(parameters), size, max_threads=max_threads)
        if body is not None and unit.source[body : body + 1] != b"{":
            body = None
        line = unit.lines.position(where)[0]
        unit.kernels[name] = Kernel(
            signature,
            tuple(types.opencl(of) for _, of, _ in found),
            line,
            None if body is None else body + 1,
            self._sites[name],
        )

    def _parameter_kind(self, cursor: Any) -> str:
        kind = types.kind(cursor.type)
        if kind is None:
            where = clang.file_offset(cursor.location)
            spelled = cursor.type.spelling
            if types.is_reference(cursor.type):
                raise self.unit.error(where, f"a kernel's parameter cannot be a reference: '{spelled}'")
            raise self.unit.error(where, f"a kernel's parameter cannot be of type '{spelled}'")
        return kind

    def _bound(self, text: str) -> int | None:
        """Value of the first launch bound, if it is made of numbers, enumerators and constants."""
        try:
            return int(self._value(ast.parse(text.split(",", 1)[0].strip(), mode="eval").body))
        except (SyntaxError, ValueError, ZeroDivisionError):
            return None

    def _value(self, node: ast.expr) -> int:
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        if isinstance(node, ast.Name) and node.id in self._integers:
            return self._integers[node.id]
        if isinstance(node, ast.Name) and node.id in self._globals:
            return clang.value(self._globals[node.id])
        if isinstance(node, ast.BinOp):
            left, right = self._value(node.left), self._value(node.right)
            if isinstance(node.op, ast.Mult):
                return left * right
            if isinstance(node.op, ast.Add):
                return left + right
            if isinstance(node.op, ast.Sub):
                return left - right
            if isinstance(node.op, ast.Div):
                return left // right
            if isinstance(node.op, ast.LShift):
                return left << right
        raise ValueError

    def _lay_out(self) -> None:
        """Give every kernel's signature its shared memory."""
        for name, kernel in self.unit.kernels.items():
            places, size = self.unit.shared_of(name)
            dynamic = any(variable.dynamic for variable, _ in places)
            kernel.signature = replace(kernel.signature, shared=size, dynamic_shared=dynamic)
