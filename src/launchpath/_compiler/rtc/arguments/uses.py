"""Whether a function only reads a parameter, by the parser's tree: every use has to end as a value.

A use is followed from the name outwards, through members, elements and references, until it is a value (a number that
was loaded, a copy of a struct) or something else. Whatever is not listed here counts as a write: casts, addresses,
methods, operators, lambdas that capture by name, functions without a body, code with errors in it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from ...extraction import clang

# Clang's cursor kinds (clang-c/Index.h) by number, see `clang`.
_FIELD, _BASE, _FIRST_EXPRESSION, _LAST_EXPRESSION = 6, 44, 100, 199
_IMPLICIT, _MEMBER, _CALL, _BRACKETS, _UNARY, _ELEMENT, _TERNARY = 100, 102, 103, 111, 112, 113, 116
_LIST, _STATEMENTS_AS_EXPRESSION, _SIZE, _LAMBDA, _RETURN, _RANGE_LOOP = 119, 121, 136, 144, 214, 225
_CONDITIONS = frozenset({205, 206, 207, 208, 209})  # if, switch, while, do, for
_STATIC = 3  # storage class
# Clang's type kinds.
_POINTER, _REFERENCES, _RECORD, _ENUM = 101, (103, 104), 105, 106
_ARRAYS = frozenset({112, 114, 115, 116})
_NUMBERS = frozenset({*range(3, 24), 30, 31, 32, 39})

_VARIABLES = (clang.VARIABLE, clang.PARAMETER)
_Stack = list[Any]  # cursors from the function inwards


class Uses:
    """Judges functions of one translation unit.

    Parameters
    ----------
    errors : iterable of Diagnostic
        The parser's: the tree lacks what it did not understand.
    macros : mapping of str to set of str
        The names in the bodies of macros.
    foreign : tuple of str
        Where headers are that are not the user's own: the device's compiler may see others in them than the parser.
    """

    def __init__(
        self, errors: Iterable[clang.Diagnostic], macros: Mapping[str, Collection[str]], foreign: tuple[str, ...]
    ) -> None:
        self._errors = [error.place for error in errors]
        self._macros = macros
        self._foreign = foreign
        self._functions: list[_Function] = []
        self._judged: list[Any] = []

    def only_read(self, function: Any, parameter: Any) -> bool:
        """Whether a function, given by its definition, only reads one of its parameters."""
        self._judged.clear()
        return self.is_name_of_read(function, parameter)

    def is_name_of_read(self, function: Any, declaration: Any) -> bool:
        """Whether a function only reads what a parameter or a variable in it names, or points to."""
        if any(judged == declaration for judged in self._judged):
            return True  # looked through before, or just now: what is found there counts for the whole
        self._judged.append(declaration)
        if self._has_errors(function) or clang.place(function.location).path.startswith(self._foreign):
            return False
        inside = self._inside(function)
        return declaration.spelling not in inside.hidden and all(
            _Use(self, function, stack).is_read() for stack in inside.stacks if stack[-1].referenced == declaration
        )

    def _has_errors(self, function: Any) -> bool:
        start, end = clang.place(function.extent.start), clang.place(function.extent.end)
        return any(error.path == start.path and start.offset <= error.offset <= end.offset for error in self._errors)

    def _inside(self, cursor: Any) -> _Function:
        for function in self._functions:
            if function.cursor == cursor:
                return function
        self._functions.append(_Function(cursor, self._macros))
        return self._functions[-1]


class _Function:
    """What stands in a function."""

    def __init__(self, cursor: Any, macros: Mapping[str, Collection[str]]) -> None:
        self.cursor = cursor
        # everything that refers to a parameter or a variable, with all that is around it
        self.stacks: list[_Stack] = []
        self._around: _Stack = [cursor]
        self._apart: _Stack = []  # libclang leaves out some cursors and shows what is in them: these begin with one
        self._places: set[int] = set()
        clang.visit(cursor, self._visit)
        # Of a template's instance, what its arguments leave out is in the template alone.
        template = clang.library().conf.lib.clang_getSpecializedCursorTemplate(cursor)
        if template is not None:
            clang.visit(template, self._note)
        names = clang.names(cursor)
        # names that stand in the text at places of which the parser's tree has nothing: libclang leaves some parts of
        # statements out
        self.hidden = {name for name, offset in names if offset not in self._places}
        for name, _ in names:
            self.hidden |= _within(name, macros)

    def _note(self, cursor: Any, _parent: Any) -> bool:
        self._places.add(clang.place(cursor.location).offset)
        return True

    def _visit(self, cursor: Any, parent: Any) -> bool:
        self._note(cursor, parent)
        stack = self._stack(parent)
        stack.append(cursor)
        if cursor._kind_id in _VARIABLES or (cursor._kind_id == _IMPLICIT and clang.visit_first(cursor) is not None):
            return True  # what is in an expression without a name of its own is what it is said to refer to
        if (variable := cursor.referenced) is not None and variable._kind_id in _VARIABLES:
            self.stacks.append([*stack])
        return True

    def _stack(self, parent: Any) -> _Stack:
        """What is around the things in `parent`, and itself."""
        for stack in (self._around, self._apart):
            if any(cursor == parent for cursor in stack):
                while stack[-1] != parent:
                    stack.pop()
                return stack
        self._apart = [parent]
        return self._apart


def _within(name: str, macros: Mapping[str, Collection[str]]) -> set[str]:
    """The names that a macro can stand for."""
    reached: set[str] = set()
    names = {*macros.get(name, ())}
    while names:
        reached |= names
        names = {inner for outer in names for inner in macros.get(outer, ())} - reached
    return reached


class _Use:
    """One use of a declaration."""

    def __init__(self, uses: Uses, function: Any, stack: _Stack) -> None:
        self._uses = uses
        self._function = function
        self._around = stack[:-1]
        self._inner = stack[-1]  # the outermost expression that still names the object or a part of it
        self._points = False  # whether its value points there instead

    def is_read(self) -> bool:
        """Whether it ends as a value."""
        if self._inner._kind_id != clang.REFERENCE:
            return False  # a lambda's capture
        if _canonical(self._inner.referenced.type)._kind_id == _POINTER and not self._load_pointer():
            return False
        while len(self._around) > 1 and (self._stays_pointer() if self._points else self._stays_object()):
            self._inner = self._around.pop()
        return self._ends_as_value()

    @property
    def _parent(self) -> Any:
        return self._around[-1]

    # -- steps outwards

    def _load_pointer(self) -> bool:
        """Step from a pointer variable to its value; False if it is used otherwise."""
        self._points = len(self._around) > 1 and self._is_load()
        if self._points:
            self._inner = self._around.pop()
        return self._points

    def _stays_object(self) -> bool:
        """Whether what is around an object is the object, a part of it, or a pointer to its first element."""
        kind, type_, outer = self._parent._kind_id, _canonical(self._inner.type), _canonical(self._parent.type)
        if kind in (_BRACKETS, _ELEMENT):
            return True
        if kind == _MEMBER:
            field = self._parent.referenced
            return bool(field is not None and field._kind_id == _FIELD)
        if kind == _TERNARY:
            return bool(clang.visit_first(self._parent) != self._inner)
        if kind != _IMPLICIT:
            return False
        if type_._kind_id in _ARRAYS and outer._kind_id == _POINTER:
            self._points = True
            return True
        is_const = bool(outer.is_const_qualified()) or type_._kind_id in (*_ARRAYS, _RECORD)
        return is_const and _is_same(type_, outer)

    def _stays_pointer(self) -> bool:
        """Whether what is around a pointer's value is the pointer, or what it points to."""
        kind = self._parent._kind_id
        if kind == _BRACKETS:
            return True
        inner, outer = _canonical(self._inner.type).get_pointee(), _canonical(self._parent.type)
        if kind == _IMPLICIT:
            return outer._kind_id == _POINTER and _is_same(inner, outer.get_pointee())
        if kind == _ELEMENT or (kind == _UNARY and _is_same(inner, outer)):  # p[i], *p
            self._points = False
            return True
        return False

    # -- what it ends as

    def _ends_as_value(self) -> bool:
        """Whether it is read where it stops to be the object: loaded, copied, measured, or read by its next name."""
        return (
            self._parent._kind_id == _SIZE
            or (not self._points and self._is_load() and self._load_is_used())
            or self._is_read_by_list()
            or self._is_read_by_variable()
            or self._is_read_by_loop()
            or self._is_read_by_call()
        )

    def _is_load(self) -> bool:
        """Whether what is around it may be the load of a number or a pointer: Clang's tree names no casts."""
        type_, outer = _canonical(self._inner.type), _canonical(self._parent.type)
        is_scalar = type_._kind_id in _NUMBERS or type_._kind_id in (_ENUM, _POINTER)
        is_cast = self._parent._kind_id == _IMPLICIT and len([*self._parent.get_children()]) == 1
        return is_cast and is_scalar and not outer.is_const_qualified() and _is_same(type_, outer)

    def _load_is_used(self) -> bool:
        """Whether it stands where a value is wanted.

        Around a whole expression with temporaries in it there is something that looks the same, and is no load.
        """
        if len(self._around) < 2:
            return False
        user = self._around[-2]
        kind = user._kind_id
        if kind == clang.VARIABLE:
            return _canonical(user.type)._kind_id not in _REFERENCES
        if kind == _RETURN:
            return self._returns_value()
        if kind in (_LAMBDA, _STATEMENTS_AS_EXPRESSION):
            return False
        return kind in _CONDITIONS or _FIRST_EXPRESSION <= kind <= _LAST_EXPRESSION

    def _returns_value(self) -> bool:
        """Whether the function around it returns no reference."""
        lambdas = [cursor for cursor in self._around if cursor._kind_id == _LAMBDA]
        if not lambdas:
            is_known = self._around[0] == self._function
            return is_known and _canonical(self._function.result_type)._kind_id not in _REFERENCES
        operators = [
            child.result_type
            for child in lambdas[-1].type.get_declaration().get_children()
            if child._kind_id == clang.METHOD and child.spelling == "operator()"
        ]
        return len(operators) == 1 and _canonical(operators[0])._kind_id not in _REFERENCES

    def _is_read_by_list(self) -> bool:
        """Whether it is a number in a list of numbers, for which libclang shows no load."""
        if self._points or self._parent._kind_id != _LIST:
            return False
        type_, listed = _canonical(self._inner.type), _canonical(self._parent.type)
        is_number = type_._kind_id in _NUMBERS or type_._kind_id == _ENUM
        # A list that stands for one number may as well be what a reference is bound to.
        is_several = listed._kind_id == _RECORD or listed._kind_id in _ARRAYS
        return is_number and is_several and _holds_numbers(listed)

    def _is_read_by_variable(self) -> bool:
        """Whether it gets another name, of a reference or a pointer, that is only read."""
        variable = self._parent
        if variable._kind_id != clang.VARIABLE or _storage(variable) == _STATIC:
            return False
        return self._takes_name(variable) and self._uses.is_name_of_read(self._function, variable)

    def _is_read_by_loop(self) -> bool:
        """Whether it is an array that a loop takes the elements of."""
        if self._parent._kind_id != _RANGE_LOOP or _canonical(self._inner.type)._kind_id not in _ARRAYS:
            return False
        variables = [child for child in self._parent.get_children() if child._kind_id == clang.VARIABLE]
        return len(variables) == 1 and _canonical(variables[0].type)._kind_id in _NUMBERS

    def _is_read_by_call(self) -> bool:
        """Whether it is copied, or given to a function that only reads it."""
        if self._parent._kind_id != _CALL or (called := self._parent.referenced) is None:
            return False
        number = next((i for i, argument in enumerate(self._parent.get_arguments()) if argument == self._inner), None)
        if number is None:
            return False
        if called.is_default_method():
            is_copy = called.spelling == "operator=" if called._kind_id == clang.METHOD else clang.is_copy(called)
            is_const = bool(_canonical(self._inner.type).is_const_qualified())
            return bool(is_copy and is_const) and not _holds(self._inner.type, _own_copy, _no_field)
        if called._kind_id not in (clang.FUNCTION, clang.CONSTRUCTOR) or called.spelling.startswith("operator"):
            return False
        body = called.get_definition()
        parameters = [*body.get_arguments()] if body is not None else []
        if number >= len(parameters):
            return False
        is_const = bool(_canonical(parameters[number].type).get_pointee().is_const_qualified())
        is_name = is_const and self._takes_name(parameters[number])
        return is_name and self._uses.is_name_of_read(body, parameters[number])

    def _takes_name(self, declaration: Any) -> bool:
        """Whether a variable or a parameter stands for the object from then on.

        A reference to a pointer does not: it names a temporary that points to the object.
        """
        kind = _canonical(declaration.type)._kind_id
        return bool(kind == _POINTER if self._points else kind in _REFERENCES)


def can_change(type_: Any) -> bool:
    """Whether an object of a type can change although it is const."""
    return _holds(type_, _no_field, lambda field: bool(field.is_mutable_field()))


def _own_copy(child: Any) -> bool:
    """Whether it is a constructor or an operator of the user's own that copies."""
    is_copy = child._kind_id == clang.CONSTRUCTOR and clang.is_copy(child)
    return bool((is_copy or child.spelling == "operator=") and not child.is_default_method())


def _no_field(_: Any) -> bool:
    return False


def _is_no_number(field: Any) -> bool:
    type_ = _element(field.type)
    return type_._kind_id not in _NUMBERS and type_._kind_id not in (_ENUM, _RECORD)


def _holds(type_: Any, in_class: Callable[[Any], bool], in_fields: Callable[[Any], bool]) -> bool:
    """Whether something is so in what an object of a type is made of.

    An instance of a class template has its fields, but only the template has its bases and functions: what bases such
    a one has is not known, and anything may be in them.
    """
    type_ = _element(type_)
    if type_._kind_id != _RECORD:
        return False
    declaration = type_.get_declaration()
    template = clang.library().conf.lib.clang_getSpecializedCursorTemplate(declaration)
    for child in template.get_children() if template is not None else ():
        if child._kind_id == _BASE or in_class(child):
            return True
    for child in declaration.get_children():
        if in_class(child) or (child._kind_id == _BASE and _holds(child.type, in_class, in_fields)):
            return True
    return any(in_fields(field) or _holds(field.type, in_class, in_fields) for field in type_.get_fields())


def _element(type_: Any) -> Any:
    """What an array is made of, or the type itself."""
    type_ = _canonical(type_)
    while type_._kind_id in _ARRAYS:
        type_ = _canonical(type_.element_type)
    return type_


def _holds_numbers(type_: Any) -> bool:
    """Whether a type is a number, or is made of numbers alone."""
    type_ = _element(type_)
    if type_._kind_id == _RECORD:
        return not _holds(type_, lambda child: bool(child._kind_id == _BASE), _is_no_number)
    return type_._kind_id in _NUMBERS or type_._kind_id == _ENUM


def _storage(variable: Any) -> int:
    return int(clang.library().conf.lib.clang_Cursor_getStorageClass(variable))


def _canonical(type_: Any) -> Any:
    return type_.get_canonical()


def _is_same(first: Any, second: Any) -> bool:
    """Whether two types are the same but for const, volatile and restrict."""
    return _unqualified(first) == _unqualified(second)


def _unqualified(type_: Any) -> str:
    type_ = _canonical(type_)
    words = type_.spelling.split(" ")
    if type_._kind_id == _POINTER:  # those behind its star
        while words[-1] in ("const", "volatile", "__restrict", "*const", "*volatile", "*__restrict"):
            last = words.pop()
            if last.startswith("*"):
                words.append("*")
        return " ".join(words)
    return " ".join(word for word in words if word not in ("const", "volatile"))
