"""Time the kernels of published CUDA programs by Clang's own PTX against nvcc's, which is NVRTC's too.

    .venv/bin/python -m benchmarks.clang_ptx build FOLDER OUT --cuda CUDA --resources RESOURCES
    .venv/bin/python -m benchmarks.clang_ptx run OUT --library kernel_times.so --json result.json

`build` needs no GPU. FOLDER has programs and a list, as for `benchmarks.published`; those of the list whose folder ends
in ``-cuda`` are built twice by nvcc, with host code and all. The second time Clang's PTX takes the place of nvcc's
before ptxas. CUDA is an installed CUDA, or the packages nvidia-cuda-nvcc, -crt, -runtime, -cccl and nvidia-nvvm in one
folder. RESOURCES is the folder `lib/clang/22` of the package clangd: ziglang's Clang has no headers for CUDA.

`run` starts each program, as its Makefile does, with either PTX in turns. ``native/kernel_times.c`` says how its
library is built. A kernel counts if it runs for 5 µs or more.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.published import LIST

_LEAST_NS = 5000
_WITHIN = 1.05
_LIMIT = 300  # seconds for a compiler
# With LLVM's own threshold, a quarter of this, loops are unrolled twice where nvcc unrolls them eight times.
_UNROLL = ["-mllvm", "-unroll-partial-threshold=300"]
_WAYS = ("nvcc", "clang")


class Toolkit(NamedTuple):
    """CUDA, the headers of Clang for it, and the architecture."""

    cuda: Path
    resources: Path
    architecture: str


def build(folder: Path, out: Path, toolkit: Toolkit) -> dict[str, str]:
    """Build the programs; give the reason for each that is not built."""
    failed = {}
    for line in (folder / LIST).read_text().splitlines():
        file, *options = shlex.split(line.partition(" # ")[0])
        name = Path(file).parent.name
        if not name.endswith("-cuda"):
            continue
        include = [re.sub("^-I(?!/)", f"-I{folder}/", option) for option in options if not option.startswith("-std")]
        problem = _build_twice(folder / file, include, out / name, toolkit)
        if problem:
            failed[name] = problem
        print(f"{name}: {problem.splitlines()[-1] if problem else 'ok'}", flush=True)
    return failed


def _build_twice(source: Path, options: list[str], out: Path, toolkit: Toolkit) -> str:
    """Build a program with either PTX; give the messages of what fails."""
    out.mkdir(parents=True, exist_ok=True)
    nvcc = [
        f"{toolkit.cuda}/bin/nvcc", "-std=c++17", "-O3", "-w", f"-gencode=arch=compute_{toolkit.architecture},"
        f"code=sm_{toolkit.architecture}", "-cudart", "shared", f"-L{toolkit.cuda}/lib", *options, str(source),
    ]  # fmt: skip
    clang = [
        f"{_ziglang()}/zig", "clang", "-target", "x86_64-linux-gnu", "-x", "cuda", "--cuda-device-only", "-S", "-w",
        "-std=c++17", "-O3", f"--cuda-gpu-arch=sm_{toolkit.architecture}", f"--cuda-path={toolkit.cuda}",
        "-resource-dir", str(toolkit.resources), "-stdlib=libstdc++", "-isystem", f"{toolkit.cuda}/include/cccl",
        *_UNROLL, *options, str(source),
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as kept:
        nvcc += ["--keep", "--keep-dir", kept, "-o", str(out / "nvcc.out")]
        if problem := _run(nvcc, out) or _run([*clang, "-o", f"{kept}/clang.ptx"], out):
            return problem
        (ptx,) = [file for file in Path(kept).glob("*.ptx") if file.name != "clang.ptx"]
        shutil.copy(f"{kept}/clang.ptx", ptx)
        steps = subprocess.run([*nvcc, "--dryrun"], capture_output=True, text=True, check=True).stderr
        script = _after_ptx(steps).replace(f"{out}/nvcc.out", f"{out}/clang.out")
        problem = _run(["bash", "-c", script], out)
    _copy_data(source.parent, out)
    return problem


def _after_ptx(steps: str) -> str:
    """Make a script of nvcc's own steps from ptxas on."""
    lines = [line.removeprefix("#$ ") for line in steps.splitlines() if line.startswith("#$ ")]
    settings = [line for line in lines if re.match(r"\w+=", line)]
    commands = [line for line in lines if line not in settings]
    first = next(number for number, line in enumerate(commands) if "ptxas" in line.split()[0])
    exports = []
    for line in settings:
        name, _, value = line.partition("=")
        exports.append(f"export {name}={shlex.quote(value.strip())}")
    return "\n".join([*exports, "set -e", *(line for line in commands[first:] if not line.startswith("rm "))])


def _ziglang() -> str:
    spec = find_spec("ziglang")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("expected the package ziglang: pip install ziglang")
    return spec.submodule_search_locations[0]


def _run(command: list[str], folder: Path) -> str:
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=_LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return f"{command[0]} took longer than {_LIMIT} s"
    return (done.stdout + done.stderr)[-4000:] or "no message" if done.returncode else ""


def _copy_data(folder: Path, out: Path) -> None:
    """Copy the files that the program's own run names, and keep the arguments."""
    makefile = folder / "Makefile"
    text = makefile.read_text(errors="replace") if makefile.exists() else ""
    found = re.search(r"^run:.*\n\t(.*)", text, re.MULTILINE)
    arguments = re.sub(r"\$\(LAUNCHER\)|\./\$\(program\)", "", found[1]).strip() if found else ""
    for word in arguments.split():
        if (folder / word).is_file():
            (out / word).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(folder / word, out / word)
    (out / "arguments").write_text(arguments)


def run(out: Path, library: Path, seconds: float) -> list[dict[str, Any]]:
    """Run the programs, each twice with either PTX, and compare their kernels' times."""
    results = []
    for folder in sorted(path.parent for path in out.glob("*/clang.out")):
        runs: dict[str, list[Any]] = {way: [] for way in _WAYS}
        for way in _WAYS * 2:
            runs[way].append(_start(folder, way, library, seconds))
            if runs[way][-1] is None:
                break
        if None in [*runs["nvcc"], *runs["clang"]]:
            print(f"{folder.name}: more than {seconds:g} s", flush=True)
            continue
        results.append({"program": folder.name, "same": _outcome(runs["nvcc"]) == _outcome(runs["clang"])})
        results[-1]["kernels"] = _compared(*(runs[way] for way in _WAYS))
        print(f"{folder.name}: {results[-1]}", flush=True)
    return results


def _start(folder: Path, way: str, library: Path, seconds: float) -> Any:
    times = folder / f"{way}.times"
    times.unlink(missing_ok=True)
    surroundings = os.environ | {"CUDA_INJECTION64_PATH": str(library.resolve()), "KERNEL_TIMES": str(times)}
    command = [f"./{way}.out", *(folder / "arguments").read_text().split()]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=surroundings,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    kernels = {}
    for line in times.read_text().splitlines() if times.exists() else ():
        launches, total, _, *kernel = line.split("\t")
        kernels["\t".join(kernel)] = float(total) / int(launches)
    return done.returncode, re.findall("PASS|FAIL|ERROR", (done.stdout + done.stderr).upper()), kernels


def _outcome(runs: list[Any]) -> list[Any]:
    return [(code, words) for code, words, _ in runs]


def _compared(nvcc: list[Any], clang: list[Any]) -> dict[str, list[float]]:
    """Give each kernel's microseconds by nvcc's PTX, and how many times as long it takes by Clang's."""
    both = set(nvcc[0][2]).intersection(*(kernels for _, _, kernels in [*nvcc, *clang]))
    least = {name: [min(kernels[name] for _, _, kernels in runs) for runs in (nvcc, clang)] for name in both}
    return {
        name.replace("\t", " "): [round(theirs / 1000, 2), round(own / theirs, 3)]
        for name, (theirs, own) in sorted(least.items())
        if theirs >= _LEAST_NS
    }


def summary(results: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Summarize."""
    results = [*results]
    ratios = [ratio for result in results for _, ratio in result["kernels"].values()]
    return {
        "programs": len(results),
        "programs with the same outcome": sum(result["same"] for result in results),
        "kernels": len(ratios),
        "geomean": round(math.exp(sum(map(math.log, ratios)) / max(1, len(ratios))), 3),
        f"within {_WITHIN}": sum(ratio <= _WITHIN for ratio in ratios),
        "most": max(ratios, default=None),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    building = commands.add_parser("build", help="build the programs with either PTX")
    building.add_argument("folder", type=Path)
    building.add_argument("out", type=Path)
    building.add_argument("--cuda", type=Path, required=True, help="with bin/nvcc, include and nvvm")
    building.add_argument("--resources", type=Path, required=True, help="lib/clang/22 of the package clangd")
    building.add_argument("--architecture", default="90", help="of the GPU (90)")
    running = commands.add_parser("run", help="run what was built, and time the kernels")
    running.add_argument("out", type=Path)
    running.add_argument("--library", type=Path, required=True, help="kernel_times.so")
    running.add_argument("--seconds", type=float, default=60, help="for a program (60)")
    running.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.command == "build":
        toolkit = Toolkit(options.cuda.resolve(), options.resources.resolve(), options.architecture)
        failed = build(options.folder.resolve(), options.out.resolve(), toolkit)
        (options.out / "failed.json").write_text(json.dumps(failed, indent=1) + "\n")
        return
    results = run(options.out.resolve(), options.library, options.seconds)
    figures = summary(results)
    print(json.dumps(figures, indent=1))
    if options.json:
        options.json.write_text(json.dumps({"summary": figures, "programs": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
