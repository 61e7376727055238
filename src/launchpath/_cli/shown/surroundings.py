"""What a report of a bug needs: versions, system, devices, compilers, environment and cache."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from typing import Any

import launchpath
from launchpath._cli.shown.output import Output
from launchpath._external import run
from launchpath._report import format_bytes
from launchpath._report.console import printable
from launchpath.errors import LaunchpathError

PACKAGES = (
    "numpy", "Cython", "ziglang", "libclang", "intel-opencl-rt", "nvidia-cuda-nvrtc", "nvidia-cuda-nvrtc-cu12",
    "nvidia-cuda-runtime", "nvidia-cuda-runtime-cu12", "nvidia-nvjitlink", "rocm-bindings-hip", "pyopencl", "torch",
    "cupy-cuda12x", "cupy-cuda13x", "triton", "numba",
)  # fmt: skip
# What others read, and what changes which devices and libraries there are.
FOREIGN = (
    "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_PATH", "CUDA_HOME", "ROCM_PATH",
    "HIP_PATH", "OCL_ICD_FILENAMES", "OCL_ICD_VENDORS", "LD_LIBRARY_PATH", "LD_PRELOAD", "CUDA_LAUNCH_BLOCKING",
)  # fmt: skip
SECONDS = 30.0  # for a compiler to say its version


def collect() -> dict[str, Any]:
    """Collect everything; what cannot be found is a text that says why. Opens devices, and compiles nothing."""
    return {
        "launchpath": {"version": launchpath.__version__, "folder": os.path.dirname(launchpath.__file__)},
        "python": {
            "version": platform.python_version(), "implementation": platform.python_implementation(),
            "executable": sys.executable, "gil": getattr(sys, "_is_gil_enabled", lambda: True)(),
        },
        "system": {
            "platform": platform.platform(), "machine": platform.machine(), "libc": " ".join(platform.libc_ver()),
            "processors": os.cpu_count(),
        },
        "packages": dict(_packages()),
        "devices": _or_reason(_devices),
        "compilers": {
            "clang": _or_reason(_clang), "libclang": _or_reason(_libclang), "nvrtc_and_hiprtc": _or_reason(_libraries),
        },
        "environment": {name: os.environ[name] for name in sorted(os.environ) if _counts(name)},
        "cache": _or_reason(_cache),
    }  # fmt: skip


def _counts(name: str) -> bool:
    return name.startswith("LAUNCHPATH_") or name in FOREIGN


def _or_reason(part: Callable[[], Any]) -> Any:
    """Give a part, or the text of what is in its way: the other parts are needed all the more then."""
    try:
        return part()
    except (LaunchpathError, OSError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def _packages() -> Iterator[tuple[str, str]]:
    for name in PACKAGES:
        try:
            yield name, metadata.version(name)
        except metadata.PackageNotFoundError:
            continue


def _devices() -> dict[str, Any]:
    from launchpath._streams.device import devices, skipped_devices  # noqa: PLC0415 (its errors are a part's)

    keys = ("name", "driver", "driver_version", "platform", "version", "architecture", "kind", "library", "workarounds")
    return {
        "present": [{key: device.info[key] for key in keys if device.info.get(key)} for device in devices()],
        "skipped": [{"what": name, "why": reason} for name, reason in skipped_devices()],
    }


def _clang() -> dict[str, str]:
    from launchpath._compiler.clang import frontend  # noqa: PLC0415 (the compiler is not needed for the other parts)

    command = frontend.command()
    done = run([*command, "--version"], timeout=SECONDS)
    lines = (done.output or done.errors).decode(errors="replace").splitlines()
    return {"command": " ".join(command), "version": lines[0].strip() if lines else f"none; it ended with {done.code}"}


def _libclang() -> dict[str, str]:
    from launchpath._compiler.extraction import clang  # noqa: PLC0415 (loads libclang)

    return {"library": str(clang.library().conf.get_filename()), "version": metadata.version("libclang")}


def _libraries() -> list[dict[str, Any]]:
    from launchpath._compiler.rtc.library import library_file  # noqa: PLC0415 (searches folders)

    return [{"for": each.dialect, "library": each.path, "version": each.major} for each in library_file.every()]


def _cache() -> dict[str, Any]:
    from launchpath._compiler.cache.cache import NO_FOLDER, Cache, settings  # noqa: PLC0415
    from launchpath._compiler.clang.precompiled_store import beside  # noqa: PLC0415

    folder, limit, enabled = settings()
    if folder is None:
        return {"folder": None, "on": False, "reason": NO_FOLDER}
    programs = Cache(folder, limit)
    sizes = {"size": programs.size(), "precompiled_headers": beside(programs).size()}
    return {"folder": programs.folder, "on": enabled, "limit": limit, **sizes}


def print_surroundings(about: dict[str, Any], output: Output) -> None:
    """Print what `collect` gave, for people and for reports: a line for each thing."""
    python, system = about["python"], about["system"]
    output.print(printable(f"launchpath {about['launchpath']['version']}, in {about['launchpath']['folder']}"))
    gil = "" if python["gil"] else ", without the GIL"
    output.print(printable(f"{python['implementation']} {python['version']}{gil}, {python['executable']}"))
    output.print(printable(f"{system['platform']}, {system['libc']}, {system['processors']} processors"))
    _print_facts("packages", about["packages"], output)
    output.print("\ndevices:")
    for line in _lines_of_devices(about["devices"]):
        output.print(printable(f"  {line}"))
    output.print("\ncompilers:")
    for name, compiler in about["compilers"].items():
        for each in compiler if isinstance(compiler, list) else [compiler]:
            text = each if isinstance(each, str) else ", ".join(str(value) for value in each.values())
            output.print(printable(f"  {name.replace('_', ' ')}: {text}"))
        if compiler == []:
            output.print(f"  {name.replace('_', ' ')}: none")
    _print_facts("environment", about["environment"], output)
    cache = about["cache"]
    if isinstance(cache, dict) and cache["folder"]:
        state = "" if cache["on"] else " (off)"
        sizes = f"{format_bytes(cache['size'])} of at most {format_bytes(cache['limit'])}"
        more = format_bytes(cache["precompiled_headers"])
        cache = f"{cache['folder']}{state}: {sizes}, and {more} of precompiled headers"
    output.print(printable(f"\ncache: {cache if isinstance(cache, str) else cache['reason']}".lstrip("\n")))


def _print_facts(title: str, facts: dict[str, Any], output: Output) -> None:
    output.print(f"\n{title}:" if facts else f"\n{title}: none")
    for name, value in facts.items():
        output.print(printable(f"  {name}={value}" if title == "environment" else f"  {name} {value}"))


def _lines_of_devices(devices: Any) -> Iterator[str]:
    if isinstance(devices, str):
        yield devices
        return
    for index, device in enumerate(devices["present"]):
        words = [device[key] for key in ("platform", "version", "architecture") if key in device]
        driver = f"{device['driver']} {device['driver_version']}"
        yield f"{index}: {device['name']} ({device['kind']}), {driver}, {' '.join(map(str, words))}"
        yield f"   {device.get('library', 'no library')}"
        if device.get("workarounds"):
            yield f"   workarounds: {', '.join(device['workarounds'])}"
    for skipped in devices["skipped"]:
        yield f"skipped: {skipped['what']}: {skipped['why']}"
    if not devices["present"]:
        yield "none"
