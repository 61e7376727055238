"""Where the libraries of NVIDIA and AMD are installed: by Python packages, by CUDA, by the system."""

from __future__ import annotations

import glob
import os
import re
import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec

SYSTEM_FOLDERS = (
    "/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/lib64",
)  # fmt: skip


def namespace(name: str) -> list[str]:
    """Give the folders of a package, or of a namespace that several packages share."""
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        return []
    return [*(spec.submodule_search_locations or ())] if spec is not None else []


def cuda_folders(*parts: str) -> list[str]:
    """Give subfolders of where CUDA is installed; they need not be there."""
    roots = [os.environ.get(name) for name in ("CUDA_PATH", "CUDA_HOME", "CUDA_ROOT")]
    roots += [sys.prefix if os.path.isdir(os.path.join(sys.prefix, "conda-meta")) else None]
    roots += ["/usr/local/cuda", *sorted(glob.glob("/usr/local/cuda-*"), reverse=True), "/opt/cuda"]
    return [os.path.join(root, part) for root in roots if root for part in parts]


def loader_folders() -> list[str]:
    """Give the folders that the program's user adds for the dynamic loader."""
    return [folder for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder]


def libraries_in(folders: Iterable[str], beginning: str) -> Iterator[str]:
    """Yield the libraries whose names begin so, each file once."""
    seen = set()
    for folder in folders:
        for name in names_in(folder, beginning):
            path = os.path.join(folder, name)
            real = os.path.realpath(path)
            is_other = "-builtins" in name or ".alt." in name or name.endswith((".debug", ".a"))
            if real not in seen and not is_other:
                seen.add(real)
                yield path


def names_in(folder: str, beginning: str) -> list[str]:
    """Give the names in a folder that begin so, in order; none if it cannot be read."""
    try:
        return sorted(name for name in os.listdir(folder) if name.startswith(beginning))
    except OSError:
        return []


def major_version(path: str) -> int:
    """Give the major version that a file's name says, or that of what it is a link to; 0: neither says it."""
    for name in (path, os.path.realpath(path)):
        if match := re.search(r"\.so\.(\d+)", os.path.basename(name)):
            return int(match[1])
    return 0
