"""What a program needs in its environment to have the recorder loaded, into each of its processes."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from launchpath import _core
from launchpath._drivers import cupti
from launchpath._shown import shown
from launchpath._tracing.keep import Keep
from launchpath._tracing.period import Period

LIBRARY = "liblaunchpath_recorder.so.1"  # not ".so": that would be a module to Python
DOOR = "liblaunchpath_recorder_hip.so.1"  # by which rocprofiler-sdk finds it
HIP_TOOLS, HIP_PROFILER = "ROCP_TOOL_LIBRARIES", "ROCPROFILER_REGISTER_LIBRARY"
OPTIONS = "LAUNCHPATH_RECORDER"
CUPTI = "LAUNCHPATH_RECORDER_CUPTI"
INCLUDE, EXCLUDE = "LAUNCHPATH_RECORDER_INCLUDE", "LAUNCHPATH_RECORDER_EXCLUDE"
_KFD = "/dev/kfd"  # without it HIP has no device
_SYSTEM = ("/usr/lib64", "/usr/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu")
_PATTERNS_MOST = 32  # of `options.h`
# An escape, a set, what begins with "(?", two quantifiers, a brace that begins none, or any other character.
_PARTS = re.compile(r"\\.|\[\^?\]?[^\]]*\]?|\(\?|(?:[*+?]|\{[0-9,]+\})[*+?{]|\{[0-9,]+\}|\{|.", re.DOTALL)
# Those parts that Python has, and that POSIX's extended ones have not, or mean something else by.
_NOT_POSIX = re.compile(r"\\[A-Za-z0-9]|\(\?|(?:[*+?]|\{[0-9,]+\})[*+?{]|\{|\[.*(?:\\|\[[:.=]).*|\n", re.DOTALL)
_SEPARATORS = re.compile("[ :]")  # of the dynamic linker, and of OpenCL's loaders


class Loading(NamedTuple):
    """How a program is started."""

    variables: dict[str, str]  # to set in its environment
    remarks: list[str]  # for the user: what is recorded less than one may expect, and why


def library() -> str | None:
    """Return the path of the recorder; None: this installation has none."""
    path = Path(__file__).with_name(LIBRARY)
    return os.fspath(path) if path.exists() else None


def loading(options: Mapping[str, Any], begun: int, environment: Mapping[str, str] = os.environ) -> Loading:
    """Tell what to set for a program, so that each of its processes is traced.

    Parameters
    ----------
    options : mapping
        Those of `launchpath.trace` that differ from the defaults.
    begun : int
        Files that were written later are those of the program's other processes: nanoseconds since 1970.
    environment : mapping
        What the program would have. Libraries that others have put there stay.
    """
    path = library()
    if path is None:
        return Loading({}, ["this installation has no recorder: only processes that import launchpath are traced"])
    if _SEPARATORS.search(path):
        remark = (
            f"only processes that import launchpath are traced: LD_PRELOAD cannot name {shown(path)}, because it "
            "separates its files by spaces and colons: install launchpath in a folder without them"
        )
        return Loading({}, [remark])
    for option, values in (("--include", options.get("include", ())), ("--exclude", options.get("exclude", ()))):
        for pattern in values:
            if any(_NOT_POSIX.fullmatch(part) for part in _PARTS.findall(pattern)):
                reason = f"'{pattern}' is no extended regular expression of POSIX (for \\d it has [0-9])"
                return Loading({}, [_refused(option, reason)])
        if len(values) > _PATTERNS_MOST:
            return Loading({}, [_refused(option, f"expected at most {_PATTERNS_MOST} patterns, got {len(values)}")])
    if options.get("device"):
        return Loading({}, [_refused("--device", "devices of other libraries cannot be chosen")])
    remarks = []
    if options.get("mode") == "serialized":
        remarks.append("--mode serialized: launches of other libraries are traced as in mode device")
    variables = {
        OPTIONS: _text(options, begun),
        INCLUDE: "\n".join(options.get("include", ())),
        EXCLUDE: "\n".join(options.get("exclude", ())),
    }
    for name, separator in (("LD_PRELOAD", " "), ("OPENCL_LAYERS", ":")):
        others = [each for each in _SEPARATORS.split(environment.get(name, "")) if each and not _is_recorder(each)]
        if others:
            remarks.append(f"{name}: {separator.join(others)} stays, and comes before the recorder")
        variables[name] = separator.join([*others, path])
    if environment.get(OPTIONS):
        remarks.append("a trace goes on around this one: the program is in this one alone")
    if options.get("mode") != "host":
        _add_cupti(variables, remarks, path, environment)
    remarks += _hip(variables, environment)
    tool = environment.get("NVTX_INJECTION64_PATH", "")
    # The core: a trace of this process, or of its parent, has set it.
    if tool in ("", _core.__file__) or _is_recorder(tool):
        variables["NVTX_INJECTION64_PATH"] = path
    else:
        remarks.append("NVTX_INJECTION64_PATH: another tool stays; ranges of NVTX are not recorded")
    return Loading(variables, remarks)


def _add_cupti(variables: dict[str, str], remarks: list[str], path: str, environment: Mapping[str, str]) -> None:
    """Have the driver of CUDA load the recorder, which then attaches CUPTI for the times of devices."""
    chosen, tool = environment.get(cupti.VARIABLE), environment.get("CUDA_INJECTION64_PATH", "")
    if chosen == "none":
        remarks.append(f"{cupti.VARIABLE}=none: launches of other libraries on CUDA devices have no times")
    elif tool and not _is_recorder(tool):
        remarks.append("CUDA_INJECTION64_PATH: another tool stays; launches on CUDA devices have no times")
    else:
        variables["CUDA_INJECTION64_PATH"] = path
        variables[CUPTI] = ":".join([chosen] if chosen else cupti.libraries())


def _hip(variables: dict[str, str], environment: Mapping[str, str]) -> list[str]:
    """Make the recorder a tool of HIP's runtime. Without rocprofiler-sdk the runtime would end the process."""
    path = os.fspath(Path(__file__).with_name(DOOR))
    others = environment.get(HIP_TOOLS, "").split(":")
    before = ":".join(each for each in others if each and os.path.basename(each) != DOOR)
    if not before and not environment.get(HIP_PROFILER):
        profiler = _installed("librocprofiler-sdk.so", environment)
        if profiler is None:
            if os.path.exists(_KFD) and _installed("libamdhip64.so*", environment):
                return ["no rocprofiler-sdk was found beside HIP: what uses HIP is not recorded"]
            return []
        variables[HIP_PROFILER] = profiler  # a HIP of another folder, as in wheels, would not find it
    # rocprofiler-sdk leaves out what stands behind the last colon, where there is one: so an empty name does.
    variables[HIP_TOOLS] = f"{before}:{path}:" if before else path
    return [f"{HIP_TOOLS}: {before} stays, and comes before the recorder"] if before else []


def _installed(pattern: str, environment: Mapping[str, str]) -> str | None:
    """Find a library of ROCm's; None: it is nowhere."""
    wheels = importlib.util.find_spec("_rocm_sdk_core")
    folders = environment.get("LD_LIBRARY_PATH", "").split(":")
    if wheels:
        folders += [os.path.join(folder, "lib") for folder in wheels.submodule_search_locations or ()]
    folders += [os.path.join(environment.get("ROCM_PATH") or "/opt/rocm", "lib"), *_SYSTEM]
    paths = (path for folder in folders if folder for path in sorted(Path(folder).glob(pattern)))
    first = next(paths, None)
    return os.fspath(first) if first else None


def _is_recorder(path: str) -> bool:
    """Whether it is a recorder, of another installation too: with two of them a launch would have two records."""
    return os.path.basename(path) == LIBRARY


def _refused(option: str, reason: str) -> str:
    return f"{option}: {reason}: only launches of launchpath itself are recorded"


def _text(options: Mapping[str, Any], begun: int) -> str:
    parts = [
        f"mode={'host' if options.get('mode') == 'host' else 'device'}",
        f"drop={int(options.get('when_full') == 'drop')}",
        f"ring={options.get('ring', 16384)}",
        f"begun={begun}",
    ]
    if options.get("cupti"):
        parts.append("leave_cupti=1")
    if options.get("findings"):
        parts += ["findings=1", f"sites={int(options.get('sites', True))}"]
    keep = Keep.checked(options.get("keep", "records"), options.get("slow"), options.get("window"))
    if keep.bits:
        parts += [f"keep={keep.bits}", f"slow={keep.slow}", f"window={keep.window}"]
    if options.get("period"):
        period = Period(options["period"])
        parts += [f"delay={round(period.delay * 1e9)}", f"duration={round(period.duration * 1e9)}"]
        parts += [f"repeat={period.repeat}", f"aligned={int(period.aligned)}", f"period={period.text.strip()}"]
    return ";".join(parts)
