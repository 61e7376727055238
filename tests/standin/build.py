"""Build the stand-in libraries with the C compiler, once for each state of their sources.

``python -m tests.standin.build`` builds all and prints where they are, as settings for a shell.
"""

import hashlib
import os
import shlex
import shutil
import subprocess
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent.parent
WARNINGS = ["-std=gnu11", "-Wall", "-Wextra", "-Werror"]
COMPILING = ["-O1", "-g", "-fPIC", "-fvisibility=hidden", "-pthread"]
# Never unloaded: threads of the library may be inside it when its last user closes it.
LINKING = ["-shared", "-pthread", "-Wl,-z,nodelete", "-Wl,-z,defs"]
SOURCES = {"cuda": "cuda/*/*.c", "hip": "hip/*.c", "nvrtc": "nvrtc/*.c", "cupti": "cupti/*.c", "kernels": "kernels.c"}
NAMES = {
    "cuda": "libcuda-standin.so",
    "hip": "libhip-forward.so",
    "nvrtc": "libnvrtc-standin.so",
    "cupti": "libcupti-standin.so",
    "kernels": "libkernels.so",
}


class NoCompilerError(RuntimeError):
    """There is no C compiler."""


def compiler() -> list[str]:
    """Return the command of the C compiler: ``CC``, what built Python, or ``cc``."""
    for command in (os.environ.get("CC"), sysconfig.get_config_var("CC"), "cc", "gcc", "clang"):
        words = shlex.split(command or "")
        if words and shutil.which(words[0]):
            return words[:1]
    raise NoCompilerError("no C compiler: install one (Debian: `apt-get install gcc`), or name it in CC")


def compile_c(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the C compiler, with warnings as errors."""
    command = [*compiler(), *WARNINGS, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def library(which: str, without: tuple[str, ...] = ()) -> Path:
    """Return the library, built if it is not there in this state.

    Parameters
    ----------
    which : {"cuda", "hip", "nvrtc", "cupti", "kernels"}
    without : tuple of str
        Functions that it is not to export, as an older library would not.
    """
    target = cache_folder() / f"{which}-{_state(sorted(without))}" / NAMES[which]
    if target.exists():
        return target
    fresh = Path(tempfile.mkdtemp(dir=target.parent.parent))
    script = fresh / "exports.map"
    hidden = "".join(f"{name}; " for name in sorted(without))
    script.write_text(f"{{ global: *; {f'local: {hidden}' if hidden else ''}}};\n")
    result = compile_c(*LINKING, f"-Wl,--version-script={script}", "-o", fresh / NAMES[which], *_objects(which), "-ldl")
    if result.returncode:
        raise RuntimeError(f"the stand-in {which} library cannot be linked:\n{result.stderr}")
    return _moved(fresh, target.parent) / NAMES[which]


def _state(*more: object) -> str:
    """Return a digest of all sources, of the compiler and its options, and of what else is given."""
    state = hashlib.sha256(repr((compiler(), WARNINGS, COMPILING, LINKING, more)).encode())
    for path in sorted(FOLDER.glob("**/*.[ch]")):
        state.update(path.read_bytes())
    return state.hexdigest()[:16]


def _objects(which: str) -> list[Path]:
    """Return the library's object files. All libraries that only lack some functions are linked from the same ones."""
    folder = cache_folder() / f"{which}-objects-{_state()}"
    if not folder.exists():
        fresh = Path(tempfile.mkdtemp(dir=folder.parent))
        visible = ["-fvisibility=default"] if which == "kernels" else []

        def compiled(source: Path) -> subprocess.CompletedProcess[str]:
            return compile_c(*COMPILING, *visible, "-c", "-o", fresh / f"{source.stem}.o", source)

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for result in pool.map(compiled, sorted(FOLDER.glob(SOURCES[which]))):
                if result.returncode:
                    raise RuntimeError(f"the stand-in {which} library does not compile:\n{result.stderr}")
        _moved(fresh, folder)
    return sorted(folder.glob("*.o"))


def _moved(fresh: Path, folder: Path) -> Path:
    """Put a folder in its place, whole. Of several processes that build at once the first does, the others drop theirs."""
    try:
        fresh.rename(folder)
    except OSError:
        shutil.rmtree(fresh)
    return folder


def cache_folder() -> Path:
    for folder in (ROOT / "build" / "standin", Path(tempfile.gettempdir()) / f"launchpath-standin-{os.getuid()}"):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    raise RuntimeError("no folder to build the stand-in libraries in")


def environment(
    which: str = "cuda",
    without: tuple[str, ...] = (),
    nvrtc: str | Path | None = None,
    cupti: bool = False,
    **options: object,
) -> dict[str, str]:
    """Return environment variables under which launchpath finds the stand-in as its only CUDA or HIP library.

    Parameters
    ----------
    which : {"cuda", "hip"}
    without : tuple of str
        Functions that this library is not to export.
    nvrtc : path, optional
        The NVRTC to compile with: NVIDIA's own, or ``library("nvrtc")``.
    cupti : bool
        Whether there is a stand-in of CUPTI, too; otherwise there is none.
    **options
        Options of the stand-in: ``devices=1`` is ``STANDIN_DEVICES=1``.
    """
    cuda = library("cuda", without if which == "cuda" else ())
    variables = {"STANDIN_KERNELS": library("kernels"), "LAUNCHPATH_CUPTI_LIBRARY": "none"}
    if cupti:
        variables |= {"LAUNCHPATH_CUPTI_LIBRARY": library("cupti"), "STANDIN_CUPTI_CUDA": cuda}
    if which == "cuda":
        variables |= {"LAUNCHPATH_CUDA_LIBRARY": cuda, "LAUNCHPATH_HIP_LIBRARY": "none"}
        if nvrtc:
            variables["LAUNCHPATH_NVRTC_LIBRARY"] = nvrtc
    else:
        hip = library("hip", without)
        variables |= {"LAUNCHPATH_CUDA_LIBRARY": "none", "LAUNCHPATH_HIP_LIBRARY": hip, "HIP_FORWARD_CUDA": cuda}
        variables["LAUNCHPATH_HIPRTC_LIBRARY"] = hip
        if nvrtc:
            variables["HIP_FORWARD_NVRTC"] = nvrtc
    variables |= {f"STANDIN_{name.upper()}": value for name, value in options.items()}
    return {name: str(value) for name, value in variables.items()}


if __name__ == "__main__":
    for which in SOURCES:
        print(f"export STANDIN_{which.upper()}={library(which)}")
