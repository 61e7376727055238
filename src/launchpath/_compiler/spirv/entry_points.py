"""Entry points' names: drivers, profilers and debuggers call kernels by them."""

from __future__ import annotations

from collections.abc import Mapping

from .module import Module, encode_text
from .opcodes import Op


def rename(module: Module, names: Mapping[str, str]) -> None:
    """Give entry points other names, and their functions with them; no other function keeps one of those names.

    Parameters
    ----------
    module : Module
    names : dict of str to str
        The new names by the old ones, of every entry point.
    """
    renamed: dict[int, str] = {}
    for entry in module.find(Op.EntryPoint):
        model, function = entry.words[:2]
        name = entry.text(2)
        interface = entry.words[2 + len(encode_text(name)) :]
        renamed[function] = names[name]
        entry.words = [model, function, *encode_text(names[name]), *interface]
    others = {function.words[1] for function in module.find(Op.Function)} - renamed.keys()
    new_names = {*renamed.values()}
    for named in module.find(Op.Name):
        function = named.words[0]
        if function in renamed:
            named.words = [function, *encode_text(renamed[function])]
        elif function in others and (name := named.text(1)) in new_names:
            named.words = [function, *encode_text(f"__lp_{name}_{function}")]
