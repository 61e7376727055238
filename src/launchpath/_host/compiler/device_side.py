"""The device side of a source: its kernels and device variables, as bytes that go into the object."""

from __future__ import annotations

import os
from importlib import import_module
from typing import NamedTuple

from ..._compiler import header_folders
from ..._compiler.source.options import read as read_words
from . import host_side, uses
from .command import DIALECTS, Command, Input
from .words import UsageError

_BUNDLE = "launchpath._host.runtime.bundle"


class DeviceOptions(NamedTuple):
    """What the device side of a source is compiled with."""

    words: tuple[str, ...]  # of the parameter ``options`` of `launchpath.compile`
    includes: tuple[str, ...]  # files before the source, in order: ``-include``
    is_relocatable: bool  # its device functions and variables may be another file's: ``-rdc=true``
    files: tuple[str, ...] = ()  # that it may include


def options(command: Command, is_thrust: bool = False) -> DeviceOptions:
    """Give the options of the device side that a command line has.

    Parameters
    ----------
    command : Command
    is_thrust : bool, optional
        Whether host code of the source includes thrust's algorithms.
    """
    words = [f"-{letter}{text}" for letter, text in command.macros]
    folders = [*command.folders, *(folder for _, folder in command.system_folders)]
    words += [f"-I{folder}" for folder in folders if not host_side.is_toolkit(folder)]
    words += [f"-I{header_folders.THRUST_DEVICE}"] if is_thrust else []
    words += [f"--std={command.standard}"] if "++" in command.standard else []
    words += command.device
    read_words(words)  # refuses what no device's compiler takes
    return DeviceOptions(tuple(words), tuple(command.includes), command.relocatable)


def binary(command: Command, source: Input) -> bytes:
    """Compile the device side for the default device: a file that a program loads while it runs.

    Raises
    ------
    LaunchpathError
        It does not compile, or there is no device.
    """
    if source.language not in DIALECTS:
        raise UsageError(f"{source.path}: expected a source of HIP or CUDA for a device's binary: add -x hip")
    code: bytes = import_module(_BUNDLE).binary(source.path, source.language, options(command))
    return code


def bundle(command: Command, source: Input) -> bytes:
    """Compile the device side.

    Raises
    ------
    LaunchpathError
        It does not compile.
    """
    make = import_module(_BUNDLE).make
    folders = host_side.folders(command)
    words = options(command, uses.algorithms(source.path, folders).thrust)
    if words.is_relocatable:
        words = words._replace(files=tuple(os.path.abspath(path) for path, _ in uses.files(source.path, folders)))
    code: bytes = make(source.path, source.language, words)
    return code
