"""Build the archives that programs are linked with: the C++ library, and launchpath's part of each program.

The C++ library comes from the sources that ziglang carries: ``libc++.a``, ``libc++abi.a`` and
``libcompiler_rt.a``. They take a minute of a processor. launchpath's part, ``libstart.a``, comes from ``_host/start``.

The build of the package runs this file by its path, so it imports nothing of launchpath.
"""

from __future__ import annotations

import glob
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec

TRIPLE = "x86_64-unknown-linux-gnu"
GLIBC = "28"  # the oldest glibc 2.x that programs' C++ library runs with, as the wheels
ARCHIVES = ("libc++.a", "libc++abi.a", "libcompiler_rt.a")
START = "libstart.a"
FORMAT = "3"  # another one for other options than before
_HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(os.path.dirname(_HERE), "start")
PACKAGED = os.path.join(os.path.dirname(_HERE), "lib")  # where the package's build puts the archives
PACKED = "archives.tar.xz"  # in wheels: all of a folder's archives, which the first link unpacks

# Macros that libc++ expects from its installation, on glibc.
MACROS = (
    "_LIBCPP_ABI_VERSION=1", "_LIBCPP_ABI_NAMESPACE=__1", "_LIBCPP_HAS_THREADS=1", "_LIBCPP_HAS_MONOTONIC_CLOCK=1",
    "_LIBCPP_HAS_TERMINAL=1", "_LIBCPP_HAS_MUSL_LIBC=0", "_LIBCPP_HAS_VENDOR_AVAILABILITY_ANNOTATIONS=0",
    "_LIBCPP_HAS_FILESYSTEM=1", "_LIBCPP_HAS_RANDOM_DEVICE=1", "_LIBCPP_HAS_LOCALIZATION=1", "_LIBCPP_HAS_UNICODE=1",
    "_LIBCPP_HAS_WIDE_CHARACTERS=1", "_LIBCPP_HAS_NO_STD_MODULES", "_LIBCPP_HAS_TIME_ZONE_DATABASE=1",
    "_LIBCPP_PSTL_BACKEND_SERIAL", "_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE",
    "_LIBCPP_HARDENING_MODE_DEFAULT=_LIBCPP_HARDENING_MODE_NONE",
    "_LIBCPP_ASSERTION_SEMANTIC_DEFAULT=_LIBCPP_ASSERTION_SEMANTIC_IGNORE",
    "_LIBCXXABI_DISABLE_VISIBILITY_ANNOTATIONS", "_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS",
    # By their names: a program and its shared libraries have a C++ library each, and catch each other's exceptions.
    "_LIBCPP_TYPEINFO_COMPARISON_IMPLEMENTATION=2",
)  # fmt: skip

_COMMON = (
    "--no-default-config", "-target", TRIPLE, "-c", "-O2", "-g0", "-w", "-fPIC", "-ffunction-sections",
    "-fdata-sections", "-fvisibility=hidden", "-fvisibility-inlines-hidden", "-fno-stack-protector", "-nostdinc",
    "-fno-addrsig", "-fno-ident", "-DNDEBUG", f"-D__GLIBC_MINOR__={GLIBC}",
)  # fmt: skip
_START = (
    "--no-default-config", "-target", TRIPLE, "-c", "-O2", "-g0", "-fPIC", "-fvisibility=hidden", "-ffunction-sections",
    "-fdata-sections", "-fno-stack-protector", "-std=gnu11", "-nostdinc", "-fno-addrsig", "-fno-ident",
    f"-D__GLIBC_MINOR__={GLIBC}",
)  # fmt: skip
_CXX = ("-nostdinc++", "-std=c++23", "-faligned-allocation", "-D_LIBCPP_BUILDING_LIBRARY")
# Wheels carry the archives, so most of them is compiled to be small. Reading numbers from streams takes 45 % longer if
# `locale` is compiled so, and is as fast with -O1. `algorithm` is how numbers are sorted: it keeps -O2.
_OFTEN = ["charconv", "ios.instantiations", "locale", "ryu/d2fixed", "ryu/d2s", "ryu/f2s", "string"]
# Each with the folders of its headers, its options, and its sources.
_LIBRARIES = (
    (
        "libc++.a", "libcxx/src",
        ("libcxx/include", "libcxxabi/include", "libcxx/src", "libcxx/libc"),
        (*_CXX, "-DLIBC_NAMESPACE=__llvm_libc_common_utils", "-DLIBCXX_BUILDING_LIBCXXABI",
         "-D_LIBCPP_HAS_NO_PRAGMA_SYSTEM_HEADER"),
        "algorithm any atomic barrier bind call_once charconv chrono condition_variable condition_variable_destructor "
        "error_category exception expected filesystem/directory_entry filesystem/directory_iterator "
        "filesystem/filesystem_clock filesystem/filesystem_error filesystem/operations filesystem/path fstream "
        "functional future hash ios ios.instantiations iostream locale memory memory_resource mutex mutex_destructor "
        "new new_handler new_helpers optional ostream print random random_shuffle regex ryu/d2fixed ryu/d2s ryu/f2s "
        "shared_mutex stdexcept string strstream system_error thread typeinfo valarray variant vector verbose_abort",
    ),
    (
        "libc++abi.a", "libcxxabi/src", ("libcxxabi/include", "libcxx/include", "libcxx/src"),
        (*_CXX, "-D_LIBCXXABI_BUILDING_LIBRARY", "-DHAVE___CXA_THREAD_ATEXIT_IMPL", "-fstrict-aliasing"),
        "abort_message cxa_aux_runtime cxa_default_handlers cxa_demangle cxa_exception cxa_exception_storage cxa_guard "
        "cxa_handlers cxa_personality cxa_thread_atexit cxa_vector cxa_virtual fallback_malloc private_typeinfo "
        "stdlib_exception stdlib_new_delete stdlib_stdexcept stdlib_typeinfo",
    ),
)  # fmt: skip


class BuildError(Exception):
    """A part of the library does not compile; the text is the compiler's."""


def system_folders(zig: str) -> list[str]:
    """Name the folders of ziglang's headers of the C library and of the compiler, in the order of their search."""
    parts = (
        "include", "libc/include/x86-linux-gnu", "libc/include/generic-glibc", "libc/include/x86-linux-any",
        "libc/include/any-linux-any",
    )  # fmt: skip
    return [os.path.join(os.path.dirname(zig), "lib", part) for part in parts]


def cxx_key(zig: str) -> str:
    """Name what the C++ library depends on: the version of ziglang, its program's size, and the way they are built."""
    version = next(iter(zig_version(zig)), "unknown")
    return f"{FORMAT} {version} {os.stat(zig).st_size}"


def zig_version(zig: str) -> list[str]:
    """Read ziglang's version from the name of its package's folder, which is there without starting it."""
    above = os.path.dirname(os.path.dirname(zig))
    names = [name for name in os.listdir(above) if name.startswith("ziglang-") and name.endswith(".dist-info")]
    return [name.removeprefix("ziglang-").removesuffix(".dist-info") for name in names]


def build_cxx(zig: str, folder: str, workers: int | None = None) -> None:
    """Build the C++ library into a folder.

    Raises
    ------
    BuildError
        A source does not compile.
    """
    with tempfile.TemporaryDirectory(prefix="launchpath-build-") as scratch:
        tasks: list[tuple[list[str], str]] = []
        members: dict[str, list[str]] = {}
        for archive, sources, headers, options, names in _LIBRARIES:
            for name in names.split():
                source = os.path.join(os.path.dirname(zig), "lib", sources, name)
                source += "" if name.endswith((".c", ".S")) else ".cpp"
                target = os.path.join(scratch, f"{archive}-{len(tasks)}.o")
                size = () if name == "algorithm" else ("-O1" if name in _OFTEN else "-Os",)
                tasks.append((_compile(zig, source, target, headers, (*options, *size)), scratch))
                members.setdefault(archive, []).append(target)
        tasks.insert(0, (_compiler_rt(zig, scratch), scratch))  # the longest first
        with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
            list(pool.map(_run, *zip(*tasks, strict=True)))
        for name, files in members.items():
            archive_of(zig, os.path.join(folder, name), files)
        shutil.copyfile(os.path.join(scratch, "libcompiler_rt.a"), os.path.join(folder, "libcompiler_rt.a"))


def start_sources() -> list[str]:
    """Name the sources of launchpath's part, in order."""
    return sorted(glob.glob(os.path.join(SOURCES, "*.c")))


def start_key(zig: str) -> str:
    """Name what launchpath's part depends on: the compiler, and the texts of its sources and their headers."""
    digest = hashlib.sha256(repr(_START).encode())
    for path in sorted(glob.glob(os.path.join(SOURCES, "*.[ch]"))):
        with open(path, "rb") as file:
            digest.update(os.path.basename(path).encode() + b"\0" + file.read() + b"\0")
    return f"{os.stat(zig).st_size} {digest.hexdigest()}"


def build_start(zig: str, folder: str) -> None:
    """Build launchpath's part into a folder.

    Raises
    ------
    BuildError
        A source does not compile.
    """
    headers = [part for path in system_folders(zig) for part in ("-isystem", path)]
    with tempfile.TemporaryDirectory(prefix="launchpath-build-") as scratch:
        objects = []
        for path in start_sources():
            objects.append(os.path.join(scratch, f"{os.path.basename(path)}.o"))
            _run([zig, "clang", *_START, *headers, path, "-o", objects[-1]], scratch)
        archive_of(zig, os.path.join(folder, START), objects)


def is_of(folder: str, key: str) -> bool:
    """Whether a folder has archives of a key."""
    try:
        with open(os.path.join(folder, "key"), encoding="utf-8") as file:
            return file.read() == key
    except OSError:
        return False


def pack(folder: str) -> None:
    """Put the archives of a folder into one compressed file, as wheels have them: it takes a quarter less.

    Raises
    ------
    tarfile.CompressionError
        This Python has no lzma.
    """
    names = sorted(name for name in os.listdir(folder) if name.endswith(".a"))
    if not names:
        return
    with tarfile.open(os.path.join(folder, PACKED), "w:xz", preset=9) as packed:
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                member = tarfile.TarInfo(name)  # without times and owners: the same archives give the same file
                member.size = os.fstat(file.fileno()).st_size
                packed.addfile(member, file)
    for name in names:
        os.unlink(os.path.join(folder, name))


def unpack(packaged: str, folder: str) -> None:
    """Unpack the archives of a folder of the package into another one.

    Raises
    ------
    tarfile.TarError
        They cannot be read: this Python has no lzma, or the file is damaged.
    """
    try:
        from lzma import LZMAError  # noqa: PLC0415 (not every Python has it)
    except ImportError as error:
        raise tarfile.CompressionError(str(error)) from None
    try:
        with tarfile.open(os.path.join(packaged, PACKED), "r:xz") as packed:
            for member in packed:
                content = packed.extractfile(member)
                if content is not None and os.path.basename(member.name) == member.name:
                    with open(os.path.join(folder, member.name), "wb") as file:
                        shutil.copyfileobj(content, file)
    except (EOFError, LZMAError) as error:
        raise tarfile.ReadError(str(error)) from None


def is_packed(packaged: str) -> bool:
    """Whether a folder of the package has its archives in one file."""
    return os.path.exists(os.path.join(packaged, PACKED))


def build_into(folder: str, key: str, build: Callable[[str], None]) -> None:
    """Build archives, and put them into their folder at once."""
    above = os.path.dirname(folder)
    os.makedirs(above, exist_ok=True)
    scratch = tempfile.mkdtemp(prefix=".building-", dir=above)
    try:
        build(scratch)
        with open(os.path.join(scratch, "key"), "w", encoding="utf-8") as file:
            file.write(key)
        os.chmod(scratch, 0o755)
        shutil.rmtree(folder, ignore_errors=True)
        os.rename(scratch, folder)
    except BaseException:
        shutil.rmtree(scratch, ignore_errors=True)
        raise


def write(zig: str) -> None:
    """Build what `PACKAGED` lacks, or has of another ziglang or of other sources.

    Raises
    ------
    BuildError
        A source does not compile.
    """
    for noun, key, build in (("cxx", cxx_key(zig), build_cxx), ("start", start_key(zig), build_start)):
        folder = os.path.join(PACKAGED, noun)
        if not is_of(folder, key):
            build_into(folder, key, partial(build, zig))


def main() -> None:
    """Build what the package lacks, for the ziglang that this Python has."""
    spec = find_spec("ziglang")
    if sys.platform.startswith("linux") and platform.machine() == "x86_64" and spec and spec.submodule_search_locations:
        write(os.path.join(spec.submodule_search_locations[0], "zig"))


def archive_of(zig: str, path: str, files: Sequence[str]) -> None:
    """Make an archive of objects. Those with debug information are taken as they are."""
    _run([zig, "ar", "rcsD", path, *files], os.path.dirname(path))


def _compile(zig: str, source: str, target: str, headers: Iterable[str], options: Iterable[str]) -> list[str]:
    lib = os.path.join(os.path.dirname(zig), "lib")
    words = [zig, "clang", *_COMMON, *options]
    for header in headers:
        words += ["-I", os.path.join(lib, header)]
    for folder in system_folders(zig):
        words += ["-isystem", folder]
    if "libcxx/include" in headers:
        words += [f"-D{macro}" for macro in MACROS]
    return [*words, source, "-o", target]


def _compiler_rt(zig: str, folder: str) -> list[str]:
    source = os.path.join(os.path.dirname(zig), "lib", "compiler_rt.zig")
    options = ["-O", "ReleaseSmall", "-fstrip", "-fPIC", "-target", f"x86_64-linux-gnu.2.{GLIBC}"]
    return [zig, "build-lib", source, *options, f"-femit-bin={os.path.join(folder, 'libcompiler_rt.a')}"]


def _run(command: list[str], scratch: str) -> None:
    environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": scratch, "ZIG_LOCAL_CACHE_DIR": scratch}
    process = subprocess.run(
        command, cwd=scratch, env=environment, check=False, text=True, errors="replace", stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if process.returncode:
        raise BuildError(f"{' '.join(command)}\n{process.stdout}")


if __name__ == "__main__":
    main()
