"""Kernels as a source declares them, and their names: of several functions of a name each has its types in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Class(NamedTuple):
    """A class with a kernel in it."""

    name: str  # with the arguments of a specialization
    arguments: tuple[str, ...] = ()  # what a class template takes, as it is written
    hides: bool = False  # whether the kernel, or the class in it, is private or protected there


class KernelDeclaration(NamedTuple):
    """A kernel or a template of kernels, as it is defined."""

    name: str  # with its namespaces
    parameters: tuple[str, ...]  # their names; empty where there is none
    template: bool
    path: str  # where its name stands
    line: int  # where its name stands
    column: int  # where its name stands
    bound: str | None = None  # the text of its first launch bound
    # if several functions have its name: its parameters' types, by which it is chosen
    types: tuple[str, ...] | None = None
    arguments: tuple[str, ...] = ()  # what a template takes, as it is written
    spelled: tuple[str, ...] = ()  # the parameters' types, of a kernel that is no template
    scope: tuple[Class, ...] = ()  # the classes whose static member it is, from the outermost

    @property
    def of_template(self) -> bool:
        """Whether it is a member of a class template: each instance of the class has one."""
        return any(class_.arguments for class_ in self.scope)

    @property
    def is_hidden(self) -> bool:
        """Whether only its class may name it."""
        return any(class_.hides for class_ in self.scope)

    @property
    def written(self) -> str:
        """The name with what class templates in it take: ``Op<class T>::run``."""
        leaf = self.name.rpartition("::")[2]
        outside = self.name.removesuffix("::".join([*(class_.name for class_ in self.scope), leaf]))
        classes = [
            class_.name + (f"<{', '.join(class_.arguments)}>" if class_.arguments else "") for class_ in self.scope
        ]
        return outside + "::".join([*classes, leaf])

    @property
    def expression(self) -> str:
        """The C++ expression for its address; that of a template lacks its arguments."""
        return address(self.name, self.types)


def address(name: str, types: Iterable[str] | None = None) -> str:
    """The C++ expression for the address of a function. The parameters' types choose among several of its name."""
    # Qualified: a using directive may bring a function of the same name.
    plain = f"&::{name.removeprefix('::')}"
    return plain if types is None else f"static_cast<void (*)({', '.join(types)})>({plain})"


class Kernels:
    """The kernels of a source."""

    def __init__(self) -> None:
        self.by_name: dict[str, KernelDeclaration] = {}  # in the order of their definition
        self._overloads: dict[str, dict[tuple[str, ...], KernelDeclaration]] = {}

    def add(self, kernel: KernelDeclaration) -> None:
        """Add a kernel, under its name, or with its types where others have that name."""
        name = kernel.name
        overloads = self._overloads.setdefault(name, {})
        if kernel.template:
            self.by_name[name] = kernel
        else:
            overloads[kernel.spelled] = kernel
        is_beside_template = name in self.by_name and self.by_name[name].template
        if len(overloads) == 1 and not is_beside_template:
            self.by_name[name] = kernel
            return
        if not is_beside_template:
            self.by_name.pop(name, None)
        for types, overload in overloads.items():
            self.by_name[f"{name}({', '.join(types)})"] = overload._replace(types=types)

    def choose_by_types(self, functions: set[str]) -> None:
        """Choose kernels by their types where there are functions of their names that are no kernels."""
        for name in functions & self.by_name.keys():
            kernel = self.by_name[name]
            if not kernel.template:
                self.by_name[name] = kernel._replace(types=kernel.spelled)
