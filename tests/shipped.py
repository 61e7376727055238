"""What a wheel and an sdist are to hold; ``python -m tests.shipped dist`` looks into the built ones of a folder."""

import io
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from elftools.elf.elffile import ELFFile

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
PACKAGE = SOURCE / "launchpath"
MOST = 4_000_000  # bytes of a wheel
CORE = re.compile(r"launchpath/_core\.[^/]*\.(so|pyd)")
SOURCE_OF_CORE = "launchpath/_core/"
DATA = (
    "launchpath/_compiler/headers",
    "launchpath/_compiler/_forward",
    "launchpath/include/",
    "launchpath/_host/start/",
    "launchpath/_host/runtime/calls.json",
)
# Built where ziglang is there: else the first program that is linked builds them.
ARCHIVES = "launchpath/_host/lib/"
MEMBERS = {f"{ARCHIVES}{name}" for name in ("cxx/key", "cxx/archives.tar.xz", "start/key", "start/archives.tar.xz")}
# Libraries of C, which programs of any Python and of none load.
LIBRARIES = {f"launchpath/{name}.so.1" for name in (
    "_recorder/liblaunchpath_recorder", "_recorder/liblaunchpath_recorder_hip", "_trace/condensed/libcondenser",
)}  # fmt: skip
NOT_SHIPPED = {".gitignore"}
WRITTEN = re.compile(r"PKG-INFO|setup\.cfg|src/launchpath\.egg-info/.*")  # by setuptools


def in_wheel() -> set[str]:
    """Name what a wheel is to hold besides the core: Python's files, and the headers for kernels."""
    names = {path.relative_to(SOURCE).as_posix(): path for path in PACKAGE.rglob("*") if path.is_file()}
    return {
        name
        for name, path in names.items()
        if path.suffix in (".py", ".pyi") or path.name == "py.typed" or name.startswith(DATA)
        if not name.startswith(SOURCE_OF_CORE) and "__pycache__" not in path.parts
    }


def in_clone(*options: str) -> set[str]:
    """Name the files that git knows of; none if this is no clone."""
    command = ["git", "ls-files", "-z", *options]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return set()
    named = done.stdout.split("\0") if done.returncode == 0 and (ROOT / ".git").exists() else []
    return {name for name in named if name and (ROOT / name).is_file()} - NOT_SHIPPED


def wrong_in_wheel(names: set[str]) -> list[str]:
    """Say what is wrong with the files of a wheel, besides the core and what describes the wheel."""
    wanted = in_wheel() | (MEMBERS if any(name.startswith(ARCHIVES) for name in names) else set())
    return _wrong(wanted - names, names - wanted)


def wrong_in_wheel_file(path: Path) -> list[str]:
    """Say what is wrong with the files of a built wheel: the core, which must be stripped, and all others."""
    wrong = []
    with zipfile.ZipFile(path) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name and not name.endswith("/")}
        cores = {name for name in names if CORE.fullmatch(name)}
        if len(cores) != 1:
            wrong.append(f"{path.name}: expected one core, got {sorted(cores)}")
        for name in cores | (LIBRARIES & names):
            wrong += [f"{name} is not stripped: it has {section}" for section in _symbols(wheel.read(name))]
    problems = wrong_in_wheel(names - cores - LIBRARIES) + [f"missing: {name}" for name in sorted(LIBRARIES - names)]
    return wrong + [f"{path.name}: {problem}" for problem in problems]


def lacks_archives(path: Path) -> list[str]:
    """Say that a wheel is without the archives that programs are linked with."""
    with zipfile.ZipFile(path) as wheel:
        return [f"{path.name}: missing: {name}" for name in sorted(MEMBERS - set(wheel.namelist()))]


def wrong_in_sdist(names: set[str]) -> list[str]:
    """Say what is wrong with the files of an sdist; in a clone alone, where git says which there are."""
    tracked = in_clone()
    if not tracked:
        return []
    untracked = in_clone("--others", "--exclude-standard")
    return _wrong(tracked - names, {name for name in names - tracked - untracked if not WRITTEN.fullmatch(name)})


def _wrong(missing: set[str], surplus: set[str]) -> list[str]:
    return [f"missing: {name}" for name in sorted(missing)] + [f"not to be shipped: {name}" for name in sorted(surplus)]


def look(folder: Path) -> list[str]:
    """Look into every wheel and sdist of a folder, and say what is wrong with them."""
    wrong = []
    wheels, sdists = sorted(folder.glob("*.whl")), sorted(folder.glob("*.tar.gz"))
    if not wheels or not sdists:
        wrong.append(f"expected a wheel and an sdist in {folder}, got {len(wheels)} and {len(sdists)}: make dist")
    for path in wheels:
        print(f"{path.name}: {path.stat().st_size:,} bytes")
        if path.stat().st_size > MOST:
            wrong.append(f"{path.name}: expected at most {MOST:,} bytes")
        wrong += wrong_in_wheel_file(path)
    for path in sdists:
        print(f"{path.name}: {path.stat().st_size:,} bytes")
        with tarfile.open(path) as sdist:
            names = {member.name.partition("/")[2] for member in sdist.getmembers() if member.isfile()}
        wrong += [f"{path.name}: {problem}" for problem in wrong_in_sdist(names)]
    return wrong


def _symbols(library: bytes) -> list[str]:
    if not library.startswith(b"\x7fELF"):
        return []
    names = (section.name for section in ELFFile(io.BytesIO(library)).iter_sections())
    return [name for name in names if name == ".symtab" or name.startswith(".debug")]


if __name__ == "__main__":
    problems = look(Path(sys.argv[1]))
    print("\n".join(problems) or "nothing is wrong")
    sys.exit(bool(problems))
