"""The options of the compiler driver: those of g++ and Clang, hipcc and nvcc, as a table.

An option has a form, which says where its value stands, and a meaning, which `command` acts by.
"""

from __future__ import annotations

from typing import NamedTuple

# Forms.
FLAG = "flag"  # -c
JOINED = "joined"  # -O2, or nothing behind it
SEPARATE = "separate"  # -o FILE
EITHER = "either"  # -IFOLDER, -I FOLDER, -I=FOLDER
EQUALS = "equals"  # --option=VALUE, --option VALUE
ONLY_EQUALS = "only equals"  # --option=VALUE

# Meanings.
MODE = "mode"  # what to make; the detail is the mode
OUTPUT = "output"
LANGUAGE = "language"
DEFINE, UNDEFINE, FOLDER, INCLUDE, STANDARD = "define", "undefine", "folder", "include", "standard"
SYSTEM = "system"  # a folder of headers that is searched later than others; the detail is Clang's option
HOST = "host"  # as it is, for Clang on the host side
DEVICE = "device"  # for the device side; the detail is the word there
BOTH = "both"  # the same for the device side and, as it is, for the host side
LINK = "link"  # as it is, for the linker
LINKED = "linked"  # for the linker; the detail is the word there
LIBRARY, LIBRARY_FOLDER = "library", "library folder"
HOST_WORDS, LINK_WORDS = "host words", "link words"  # the value is options of the host's compiler, of the linker
NVCC_WORDS = "nvcc words"  # the value is a file of options
ALIAS = "alias"  # the same as the detail
SILENT = "silent"  # without a meaning here, and nobody needs to know
NOTE = "note"  # without a meaning here, which a note says
REFUSED = "refused"  # the detail is the reason
SPECIAL = "special"  # `command` has a function for it


class Option(NamedTuple):
    """An option."""

    form: str
    meaning: str
    detail: str = ""


def _table(meaning: str, form: str, names: str) -> dict[str, Option]:
    """Make options of one form and meaning; a name may have a detail behind a colon."""
    pairs = [name.partition(":") for name in names.split()]
    return {name: Option(form, meaning, detail) for name, _, detail in pairs}


_DEVICE_DECIDES = SILENT  # architectures: each device has its own

TABLE: dict[str, Option] = {
    # What to make.
    **_table(MODE, FLAG, "-c:compile -S:assemble -E:preprocess -M:dependencies -MM:dependencies -fsyntax-only:syntax "
             "--genco:device "
             "-dc:compile -dw:compile --compile:compile --device-c:compile --device-w:compile --preprocess:preprocess "
             "-lib:archive --lib:archive --emit-static-lib:archive -dlink:device-link --device-link:device-link "
             "-link:link --link:link --generate-dependencies:dependencies "
             "--generate-nonsystem-dependencies:dependencies"),
    **_table(OUTPUT, EITHER, "-o"),
    **_table(ALIAS, EQUALS, "--output-file:-o --output:-o"),
    **_table(LANGUAGE, EITHER, "-x"),
    **_table(ALIAS, EQUALS, "--x:-x --language:-x"),
    **_table(SPECIAL, FLAG, "--hip:dialect --cuda:dialect -v:verbose --verbose:verbose -###:dry --dryrun:dry "
             "-dryrun:dry -MD:written -MMD:written -w:quiet --disable-warnings:quiet -disable-warnings:quiet "
             "-shared:shared --shared:shared -static:static -fopenmp:openmp -fopenmp=libomp:openmp "
             "-fgpu-rdc:relocatable -G:debug --device-debug:debug -Werror:error"),
    **_table(SPECIAL, EQUALS, "-rdc:relocatable --relocatable-device-code:relocatable --Werror:error "
             "-default-stream:stream --default-stream:stream"),
    # The text that is compiled.
    **_table(DEFINE, EITHER, "-D"), **_table(UNDEFINE, EITHER, "-U"), **_table(FOLDER, EITHER, "-I"),
    **_table(INCLUDE, EITHER, "-include"), **_table(STANDARD, EQUALS, "-std --std"),
    **_table(SYSTEM, EITHER, "-isystem:-isystem -idirafter:-idirafter -iquote:-iquote"),
    **_table(ALIAS, EQUALS, "--define-macro:-D --undefine-macro:-U --include-path:-I --pre-include:-include "
             "-pre-include:-include --system-include:-isystem -system-include:-isystem"),
    # The host side.
    **_table(HOST, JOINED, "-W -f -m -O -g -pedantic -Wp, -Wa,"),
    **_table(HOST, FLAG, "-ansi -pthread -MP -MG -MV -P -C -CC -dD -dM -dI -H -undef -trigraphs -nostdinc++ "
             "-ffast-math:fast -Ofast:fast"),
    **_table(HOST, EITHER, "-MF -MT -MQ"),
    **_table(HOST, SEPARATE, "-Xclang -mllvm -Xpreprocessor -Xassembler -imacros -target-feature"),
    **_table(ALIAS, EQUALS, "--optimize:-O --dependency-output:-MF --dependency-target-name:-MT"),
    **_table(ALIAS, FLAG, "--debug:-g --no-warnings:-w --generate-dependencies-with-compile:-MD "
             "--generate-nonsystem-dependencies-with-compile:-MMD --generate-dependency-targets:-MP"),
    **_table(HOST_WORDS, EQUALS, "-Xcompiler --compiler-options"),
    **_table(NVCC_WORDS, EQUALS, "--options-file -optf"),
    # The device side.
    **_table(DEVICE, FLAG, "-use_fast_math:--use_fast_math --use_fast_math:--use_fast_math "
             "-lineinfo:-lineinfo --generate-line-info:-lineinfo"),
    **_table(DEVICE, EQUALS, "-maxrregcount:--maxrregcount= --maxrregcount:--maxrregcount= -fmad:--fmad= "
             "--fmad:--fmad="),
    # The linker.
    **_table(LIBRARY, EITHER, "-l --library"), **_table(LIBRARY_FOLDER, EITHER, "-L --library-path"),
    **_table(LINK, JOINED, "-Wl,"),
    **_table(LINK_WORDS, EQUALS, "-Xlinker --linker-options"),
    **_table(LINKED, SEPARATE, "-z:-z -u:-u -T:-T -e:-e"),
    **_table(LINKED, FLAG, "-s:-s -r:-r"),
    # What has no meaning here. Architectures, for each device has its own:
    **_table(_DEVICE_DECIDES, EQUALS, "-arch --gpu-architecture -code --gpu-code -gencode --generate-code "
             "--offload-arch --amdgpu-target --cuda-gpu-arch -gpu-architecture -gpu-code -generate-code"),
    # - The device's compiler decides, or it is so here.
    **_table(SILENT, FLAG, "--expt-relaxed-constexpr -expt-relaxed-constexpr --expt-extended-lambda "
             "-expt-extended-lambda --extended-lambda -extended-lambda -fno-gpu-rdc --hip-link "
             "-forward-unknown-to-host-compiler --forward-unknown-to-host-compiler "
             "-forward-unknown-to-host-linker --forward-unknown-to-host-linker "
             "-allow-unsupported-compiler --allow-unsupported-compiler -m64 -pipe -static-libstdc++ -static-libgcc "
             "-stdlib=libc++ -nogpulib -nogpuinc --offload-new-driver --no-offload-new-driver -no-pie -pie -nopie "
             "-fPIE -fPIC -fpic -fpie -fno-pic -fno-PIC -fno-pie -fno-PIE -mno-pic -save-temps --save-temps -keep "
             "--keep -fuse-ld=lld -fno-lto -nodefaultrpath -cudadevrt -fhip-new-launch-api -Qunused-arguments "
             "-rdynamic --offload-compress --no-offload-compress -clean-targets -fopenmp-simd -noprof "
             "-no-align-double --no-align-double -restrict --restrict -extra-device-vectorization "
             "--extra-device-vectorization -m=64 --gpu-bundle-output --no-gpu-bundle-output"),
    **_table(SILENT, EQUALS, "-cudart --cudart -cudadevrt --cudadevrt -ccbin --compiler-bindir -machine --machine "
             "--threads -threads -t -split-compile --split-compile --ftz -ftz --prec-div -prec-div --prec-sqrt "
             "-prec-sqrt --keep-dir -keep-dir -diag-suppress --diag-suppress -diag-error --diag-error -diag-warn "
             "--diag-warn -Xcudafe --objdir-as-tempdir --gpu-max-threads-per-block -compress-mode --compress-mode "
             "--drive-prefix --input-drive-prefix --dependency-drive-prefix -jobs --jobs"),
    **_table(SILENT, ONLY_EQUALS, "--rocm-path --hip-path --rocm-device-lib-path --hip-device-lib-path "
             "--hip-version --gcc-toolchain --gcc-install-dir -parallel-jobs -fuse-ld -stdlib --cuda-path "
             "-fdebug-prefix-map -frandom-seed -mcode-object-version --hip-link"),
    # - The user may have expected something of it.
    **_table(NOTE, FLAG, "-res-usage --resource-usage -ptx-only -dopt --dopt -src-in-ptx --source-in-ptx -lto "
             "-dlto --dlto -munsafe-fp-atomics -mcumode -mno-cumode -mwavefrontsize64 -mno-wavefrontsize64 "
             "-mtgsplit -fgpu-flush-denormals-to-zero -fgpu-approx-transcendentals -minimal --minimal "
             "-device-int128 --device-int128 -pg -gpu-debug "
             "-fgpu-default-stream=legacy"),
    **_table(NOTE, JOINED, "-flto"),
    **_table(NOTE, EQUALS, "-Xptxas --ptxas-options -Xnvlink --nvlink-options -Xfatbin --fatbin-options "
             "-Xarchive --archive-options -Xarch_device -Xarch_host -Xcicc -Xoffload-linker "
             "--resource-usage-report"),
}  # fmt: skip

_LIBC = "programs for launchpath use this machine's glibc, as shared libraries"
_NO_BINARY = "this makes a device's binary without host code: use `launchpath compile` for that"
_SANITIZER = "ziglang has no libraries for sanitizers: leave it out"

TABLE |= {
    **{name: Option(FLAG, REFUSED, _NO_BINARY) for name in (
        "-ptx", "--ptx", "-cubin", "--cubin", "-fatbin", "--fatbin", "--cuda-device-only",
        "--offload-device-only", "-optix-ir", "--optix-ir", "-ltoir", "--ltoir", "-cuda", "--cuda-ptx",
    )},
    "-m32": Option(FLAG, REFUSED, "launchpath makes programs for x86-64 only: leave it out"),
    "-fsanitize": Option(ONLY_EQUALS, REFUSED, _SANITIZER),
    "--coverage": Option(FLAG, REFUSED, "ziglang has no library for profiles: leave it out"),
    "-fprofile-arcs": Option(FLAG, REFUSED, "ziglang has no library for profiles: leave it out"),
    "-fgpu-sanitize": Option(FLAG, REFUSED, "launchpath checks accesses with LAUNCHPATH_DEBUG=bounds: leave it out"),
    "--cuda-host-only": Option(FLAG, SPECIAL, "host-only"),
    "--offload-host-only": Option(FLAG, SPECIAL, "host-only"),
    "--target": Option(ONLY_EQUALS, SPECIAL, "target"),
    "-target": Option(SEPARATE, SPECIAL, "target"),
    "--hipstdpar": Option(FLAG, REFUSED, "launchpath runs kernels, not the C++ library's parallel algorithms"),
    "-nostdlib": Option(FLAG, REFUSED, f"{_LIBC}, and need them: leave it out"),
    "-nostartfiles": Option(FLAG, REFUSED, f"{_LIBC}, and need them: leave it out"),
    "-nodefaultlibs": Option(FLAG, REFUSED, f"{_LIBC}, and need them: leave it out"),
    "-nostdinc": Option(FLAG, REFUSED, "launchpath's headers need the system's: leave it out"),
}  # fmt: skip

# With a value behind `-Werror`, as nvcc has it.
NVCC_ERRORS = frozenset(
    ("all-warnings", "cross-execution-space-call", "deprecated-declarations", "default-stream-launch",
     "ext-lambda-captures-this", "missing-launch-bounds", "reorder")
)  # fmt: skip

# By length: the longest that a word begins with is meant.
_FAMILIES = sorted(
    (name for name, option in TABLE.items() if option.form in (JOINED, EITHER)), key=len, reverse=True
)  # fmt: skip


class Match(NamedTuple):
    """An option as a word names it."""

    name: str
    option: Option
    value: str | None  # None: it is the next word, or there is none


def find(word: str) -> Match | None:
    """Find the option that a word is; None if there is none such."""
    option = TABLE.get(word)
    if option is not None and option.form != ONLY_EQUALS:
        return Match(word, option, "" if option.form == JOINED else None)
    name, has_value, value = word.partition("=")
    option = TABLE.get(name)
    if has_value and option is not None and option.form in (EQUALS, ONLY_EQUALS):
        return Match(name, option, value)
    for name in _FAMILIES:
        if word.startswith(name) and not (name.startswith("--") and not word.startswith(f"{name}=")):
            value = word[len(name) :]
            return Match(name, TABLE[name], value.removeprefix("=") if TABLE[name].form == EITHER else value)
    return None


def takes_next(match: Match) -> bool:
    """Whether the next word is the option's value."""
    return match.value is None and match.option.form in (SEPARATE, EITHER, EQUALS)


def like(word: str) -> str | None:
    """Give the option that a word may have been meant for."""
    from difflib import get_close_matches  # noqa: PLC0415 (for errors)

    close = get_close_matches(word.partition("=")[0], TABLE, 1, 0.75)
    return close[0] if close else None
