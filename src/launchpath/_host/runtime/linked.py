"""Device code of several objects that use each other's: one program, as by ``-fgpu-rdc`` and ``-rdc=true``."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from launchpath import _core
from launchpath._host.runtime import bundle
from launchpath._host.runtime.told import tell
from launchpath._host.runtime.wrapper import content_at, file_of
from launchpath._programs.compilation import compilation
from launchpath._programs.program import Program
from launchpath._streams.device import Device
from launchpath.errors import CompileError

_lock = threading.Lock()
_programs: dict[tuple[str, Device], Program] = {}


def program(address: int, device: Device) -> Program:
    """Return the program of all such objects in the file that a wrapper is in.

    Raises
    ------
    CompileError
        They do not fit together. A linker would have told it: the message is written to stderr, too.
    """
    file = file_of(address)
    with _lock:
        if (file, device) not in _programs:
            try:
                _programs[file, device] = _linked(_recipes(file), device)
            except CompileError as error:
                problem = f"device code of {file}: {error}"
                tell(problem)
                raise CompileError(problem, error.log) from error
        return _programs[file, device]


def _recipes(file: str) -> list[bundle.Recipe]:
    contents = [content_at(address) for _, address in _core.host_binaries() if file_of(address) == file]
    recipes = [bundle.recipe(content) for content in contents if content]
    return sorted(recipe for recipe in recipes if recipe.is_relocatable)


def _linked(recipes: Sequence[bundle.Recipe], device: Device) -> Program:
    words: dict[str, list[list[str]]] = {"folders": [], "others": []}
    for recipe in recipes:
        if recipe.includes:
            raise CompileError(f"{recipe.path}: expected no -include beside device code of other files, got one")
        words["folders"].append([word for word in recipe.options if word.startswith("-I")])
        words["others"].append([word for word in recipe.options if not word.startswith("-I")])
    for recipe, others in zip(recipes, words["others"], strict=True):
        if others != words["others"][0]:
            raise CompileError(
                f"expected the same options for files that use each other's device code, got "
                f"{' '.join(words['others'][0])!r} for {recipes[0].path} and {' '.join(others)!r} for {recipe.path}"
            )
    folders = dict.fromkeys(word for each in words["folders"] for word in each)
    languages = {recipe.language for recipe in recipes}
    parameters: dict[str, Any] = {"language": languages.pop()} if len(languages) == 1 else {}
    paths = [recipe.path for recipe in recipes]
    options = [*folders, *words["others"][0]]
    return compilation(
        None, device, paths=paths, options=options, warnings=False, with_host=True, **parameters
    ).program()
