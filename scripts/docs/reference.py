"""The pages of the reference, written from the public names: each name has an entry in a single page."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

from numpydoc.docscrape import NumpyDocString

import launchpath
from launchpath import errors, hip, hiprtc, interop
from launchpath.hip import _arrays, _devices, _graphs, _launches, _memory, _spt, _streams, _types
from launchpath.hip._arrays import boxes
from launchpath.hip._copies import copies, stream_values, symbols
from launchpath.hip._types.functions import functions_of
from scripts.docs import examples, public

# The names of `launchpath` by subject; errors are on the page of their module.
SUBJECTS = {
    "programs": (
        "Programs and kernels",
        "compile compile_all load Program Kernel Result In Out InOut DevicePointer argument_counts skip_uploads",
    ),
    "arrays": (
        "Arrays and memory",
        "empty zeros ones full arange asarray empty_like zeros_like ones_like full_like managed_empty pinned_empty "
        "Array HostCopy Texture",
    ),
    "devices": ("Devices", "devices device current_device skipped_devices synchronize Device"),
    "streams": ("Streams and events", "Stream current_stream Event"),
    "steps": ("Steps and graphs", "Step step FrozenStep StepReport Graph ExecutableGraph"),
    "traces": ("Traces", "trace Trace read_trace SavedTrace range mark external_correlation_id"),
    "native": ("C and C++", "register registered find_kernel Registration get_include c_interface CInterface"),
}
# The modules of `launchpath.hip` whose functions a page has.
HIP_SUBJECTS = {
    "devices": ("Devices and contexts", _devices.PARTS),
    "memory": ("Memory and pools", _memory.PARTS),
    "copies": ("Copies, fills and symbols", (copies, boxes, symbols)),
    "textures": ("Arrays and textures", (_arrays.arrays, _arrays.copies, _arrays.texture_objects)),
    "streams": ("Streams and events", (*_streams.PARTS, stream_values)),
    "threads": ("The default stream of a thread", (_spt,)),
    "modules": ("Modules, kernels and launches", _launches.PARTS),
    "graphs": ("Graphs and capture", _graphs.PARTS),
    "errors": ("Errors", _types.PARTS),
}
HIP_TEXT = """
The names, parameters and enums are HIP's own, as hip-python spells them. These rules hold for every function here:

- It returns a tuple. The first item is a ``hipError_t``; each entry says how many outputs follow. After a failure they
  are None, and :func:`launchpath.hip.reason` has the message.
- Sizes, widths, pitches and offsets are in bytes, as in HIP. Times of events are in milliseconds.
- A pointer is a ``DeviceArray`` or another object of hip-python's, an int, or an object with a buffer, such as a NumPy
  array of any shape and dtype: its bytes are used.
- The codes that a function returns are those of AMD's documentation; :doc:`/hip` lists the differences.
"""


def write(folder: Path) -> None:
    """Write all pages of the reference into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = {"index": _index()}
    for page, (title, names) in SUBJECTS.items():
        pages[page] = _page(title, launchpath, names.split())
    error_names = sorted(set(public.names(errors)) | {name for name in launchpath.__all__ if hasattr(errors, name)})
    pages["errors"] = _page("Errors", launchpath, [name for name in error_names if hasattr(launchpath, name)])
    pages["errors"] += _entries(errors, [name for name in error_names if not hasattr(launchpath, name)])
    pages["interop"] = _page("Other libraries", launchpath, ["adopt"]) + _entries(interop, public.names(interop))
    for page, (title, modules) in HIP_SUBJECTS.items():
        names = sorted(name for module in modules for name in functions_of(module))
        pages[f"hip-{page}"] = _page(f"HIP: {title[0].lower()}{title[1:]}", hip, names)
    pages["hip"] = _hip()
    pages["hiprtc"] = _page("hipRTC", hiprtc, public.names(hiprtc), HIP_TEXT)
    for name, text in pages.items():
        (folder / f"{name}.rst").write_text(_with_example(name, text), encoding="utf-8")


def _with_example(page: str, text: str) -> str:
    """Put below the title what the examples of a page use, and the example of the whole page."""
    title, line, rest = text.split("\n", 2)
    used, part = examples.beginning(page), examples.parts().get(f"reference/{page}")
    shown = ["The examples of this page begin with this:", *examples.block(used)] if used else []
    if part and page != "hip":
        shown.append("An example, of the program that begins in :doc:`/reference/hip`:")
    shown += examples.block(part) if part else []
    return "\n".join([title, line, "", *shown, rest])


def _heading(title: str, line: str = "=") -> str:
    return f"{title}\n{line * len(title)}\n"


def _index() -> str:
    """The index of the reference."""
    lines = [_heading("The public names"), "Every public name has an entry in these pages.", ""]
    for page, (title, names) in SUBJECTS.items():
        lines += [
            f":doc:`{title} </reference/{page}>`",
            "    " + ", ".join(f":obj:`launchpath.{n}`" for n in names.split()),
        ]
    lines += [":doc:`Errors </reference/errors>`", "    All errors, and the warning."]
    lines += [":doc:`Other libraries </reference/interop>`", "    ``launchpath.interop``."]
    lines += [":doc:`HIP's own API </reference/hip>`", "    ``launchpath.hip``, by subject."]
    lines += [":doc:`hipRTC </reference/hiprtc>`", "    ``launchpath.hiprtc``."]
    return "\n".join(lines) + "\n"


def _page(title: str, module: ModuleType, names: list[str], text: str = "") -> str:
    return f"{_heading(title)}{text}\n" + _entries(module, names)


def _entries(module: ModuleType, names: list[str]) -> str:
    return f"\n.. py:currentmodule:: {module.__name__}\n" + "".join(_entry(module, name) for name in names)


def _entry(module: ModuleType, name: str) -> str:
    value = getattr(module, name)
    full = f"{module.__name__}.{name}"
    if not inspect.isclass(value):
        return f"\n.. auto{'function' if callable(value) else 'data'}:: {full}\n"
    lines = ["", f".. autoclass:: {full}", ""]
    described = attributes(value)
    for member in public.members(value):
        if member not in described:
            lines.append(f"   .. auto{_kind(inspect.getattr_static(value, member))}:: {full}.{member}")
    return "\n".join(lines) + "\n"


def attributes(cls: type) -> set[str]:
    """Return the members that the docstring of a class describes itself, in its section `Attributes`."""
    return {entry.name for entry in NumpyDocString(inspect.getdoc(cls) or "")["Attributes"]}


def _kind(member: Any) -> str:
    if isinstance(member, property):
        return "property"
    if inspect.isroutine(member) or isinstance(member, (classmethod, staticmethod)) or callable(member):
        return "method"
    return "attribute"


def _hip() -> str:
    subjects = [f":doc:`{title} </reference/hip-{page}>`" for page, (title, _) in HIP_SUBJECTS.items()]
    placed = {name for _, modules in HIP_SUBJECTS.values() for module in modules for name in functions_of(module)}
    lines = [_heading("HIP's own API"), HIP_TEXT, *(f"- {subject}" for subject in subjects), ""]
    lines += [
        "Types and enums come from the package rocm-bindings-hip, whose names ``launchpath.hip`` has as well.",
        "",
    ]
    lines += [".. toctree::", "   :hidden:", "", *(f"   /reference/hip-{page}" for page in HIP_SUBJECTS)]
    return "\n".join(lines) + "\n" + _entries(hip, [name for name in public.names(hip) if name not in placed])
