"""Damaged files into every parser of files: an error of launchpath's, or what is there; and nothing else."""

import contextlib
import functools
import io
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from launchpath._cli.shown.description import description_as_json, print_description
from launchpath._cli.shown.output import Output
from launchpath._compiler.binary import bundle, cubin, fatbin, hsaco, kernels, ptx
from launchpath._compiler.cache import cache as caches
from launchpath._compiler.cache.entry import Entry, index_end, meta_of
from launchpath._compiler.cache.signature_json import from_json, to_json
from launchpath._compiler.extraction.launches.specialization import specializations
from launchpath._compiler.image import Image, Symbol, from_entry
from launchpath._compiler.kernels.entry_name import entry_names
from launchpath._compiler.rtc.library import library_file
from launchpath._compiler.rtc.library.library import Program, load
from launchpath._compiler.rtc.text import messages
from launchpath._compiler.signature import Parameter, Signature
from launchpath._compiler.spirv.foreign.adoption import adopt
from launchpath._compiler.spirv.module import Module
from launchpath._compiler.target import Target
from launchpath._programs.description import describe
from launchpath._programs.loading import _code
from tests.foreign_source import GLOBALS, KERNELS, compiled
from tests.fuzz.cases import run
from tests.fuzz.damage import damaged, damaged_json, damaged_text
from tests.unit.support import binaries
from tests.unit.support.rtc import cuda, needs_nvrtc

CUDA_TEXT = """struct S { char a; double b; }; __device__ int counter[4]; __constant__ float factors[3] = {1, 2, 3};
__global__ void many(const float *x, int n, S s) { __shared__ float t[32]; t[threadIdx.x] = x[0]; __syncthreads();
  counter[0] = n + s.b + factors[n] + t[n]; }
extern "C" __global__ void __launch_bounds__(128) none() { counter[1] = 1; }"""
SIGNATURE = Signature(
    "k",
    (
        Parameter("x", "float *", "pointer", 8, 8, 0, "float32", True),
        Parameter("n", "int", "int32", 4, 4, 8),
        Parameter("p", "P", "struct", 12, 4, 12),
    ),
    24,
    shared=16,
    max_threads=64,
)
IMAGE = Image(
    "binary", b"code" * 20, (("k", SIGNATURE), ("m", SIGNATURE)), (Symbol("g", 0, 16, "int32", (4,)),), b"\1" * 16, 32,
    ((0, 8),), frozenset({"k"}), "a warning", {"name": "a device"},
)  # fmt: skip


@functools.cache
def cubin_bytes() -> bytes:
    return (
        load(library_file.choose(cuda()))
        .compile(Program(CUDA_TEXT, "k.cu", {}, ["--gpu-architecture=sm_90"], [], "cubin"))
        .code
    )


def written(module: Module, form_of_code: str) -> None:
    """As `load` does for a device."""
    device: Any = SimpleNamespace(info={})
    _code(module, Target(form_of_code, {}, frozenset(), "a platform"), device, "x")


def with_signatures(contents: kernels.Contents) -> None:
    for kernel in contents.kernels:
        kernels.signature(kernel)


def files() -> dict[str, tuple[Callable[[], bytes], Callable[[bytes], Any]]]:
    def fat() -> bytes:
        return binaries.fatbin(("ptx", 80, binaries.PTX, 0, 0), ("ptx", 90, binaries.PTX, 0, 0))

    def bundled() -> bytes:
        return binaries.bundle(gfx90a=binaries.hsaco(), gfx1100=b"other")

    return {
        "ptx": (lambda: binaries.PTX, lambda data: ptx.read(data, "x")),
        "fatbin": (fat, lambda data: fatbin.read(data, "x", "sm_90")),
        "hsaco": (binaries.hsaco, lambda data: hsaco.read(data, "x")),
        "bundle": (bundled, lambda data: bundle.read(data, "x", "gfx90a")),
        "compressed bundle": (lambda: binaries.compressed(bundled()), lambda data: bundle.read(data, "x", "gfx90a")),
        "cubin": (cubin_bytes, lambda data: cubin.read(data, "x")),
    }


@pytest.mark.parametrize("kind", [pytest.param(kind, marks=needs_nvrtc if kind == "cubin" else ()) for kind in files()])
def test_binaries(kind: str) -> None:
    make, read = files()[kind]
    data = make()
    read(data)
    run(f"binary {kind}", lambda random: with_signatures(read(damaged(random, data))), 300)


def test_names_of_functions() -> None:
    names = ("_Z5mixedPfi", "_ZN1a1bIfLi3EEEvPKT_S1_6float4", "_Z1kIN1n4ModeEEvT_", "_Z1fPFviE")

    def case(random: Random) -> None:
        name = damaged_text(random, random.choice(names), 3, [*"_ZNIEPKRSTLvifd0123456789"])
        kernels.signature(kernels.BinaryKernel(name, (kernels.Place(0, 8), kernels.Place(8, 4))))

    run("mangled", case, 2000)


def test_entries() -> None:
    data = IMAGE.to_entry(source="k.cu").encode()

    def case(random: Random) -> None:
        changed = damaged(random, data)
        index_end(changed)
        meta_of(changed)
        from_entry(Entry.decode(changed))

    run("entry", case, 500)


def test_entries_whose_checksum_is_right() -> None:
    entry = IMAGE.to_entry(source="k.cu", files={"/a": "00"})

    def case(random: Random) -> None:
        meta = damaged_json(random, dict(entry.meta))
        blobs = {name: damaged(random, blob) if random.random() < 0.2 else blob for name, blob in entry.blobs.items()}
        if isinstance(meta, dict):
            image = from_entry(Entry.decode(Entry(meta, blobs).encode()))
            check_signatures(image)

    run("meta", case, 2000)


def test_saved_programs_as_people_see_them() -> None:
    entry = IMAGE.to_entry(source="k.cu", options="-DN=1")

    def case(random: Random) -> None:
        meta = damaged_json(random, damaged_json(random, dict(entry.meta)))
        if isinstance(meta, dict):
            description = describe(Entry(meta, entry.blobs).encode(), "k.lp")
            json.dumps(description_as_json("k.lp", description))
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                print_description("k.lp", description, Output(None))
            assert all(line.isprintable() for line in printed.getvalue().split("\n"))

    run("saved", case, 500)


def check_signatures(image: Image) -> None:
    for _, signature in image.kernels:
        end = 0
        for parameter in signature.parameters:
            assert parameter.offset >= end, parameter
            end = parameter.offset + parameter.size
        assert end <= signature.size < 1 << 31


def test_signatures() -> None:
    data = json.loads(json.dumps(to_json(SIGNATURE)))
    run("signature", lambda random: from_json(damaged_json(random, data)), 3000)


def test_the_cache(tmp_path: Path) -> None:
    cache = caches.Cache(str(tmp_path / "cache"), 1 << 20)
    key = caches.key("one")
    cache.put(key, IMAGE.to_entry(source="k.cu"))
    (file,) = [path for path in (tmp_path / "cache").iterdir() if key in path.name]
    data = file.read_bytes()

    def case(random: Random) -> None:
        file.write_bytes(damaged(random, data))
        entry = cache.get(key)
        if entry is not None:
            from_entry(entry)
        odd = tmp_path / "cache" / random.choice(("x", f"{key}.lp.tmp", "tally", f".{key}.1.tmp"))
        if random.random() < 0.1 and not odd.exists():
            odd.write_bytes(random.randbytes(20))
        cache.entries()
        cache.size()

    run("cache", case, 200)


@pytest.mark.parametrize("text", [KERNELS, GLOBALS], ids=["kernels", "globals"])
@pytest.mark.parametrize("form_of_code", ["spirv", "clc", "clc-generic"])
@pytest.mark.sample(2)
def test_spirv(text: str, form_of_code: str) -> None:
    data = compiled(text)
    naming = functools.partial(entry_names, identifiers=form_of_code != "spirv")

    def case(random: Random) -> None:
        adopted = adopt(damaged(random, data), "x", {}, naming)
        written(adopted.module, form_of_code)

    run(f"spirv {form_of_code} {len(text)}", case, 100)


def test_messages() -> None:
    log = """a.cu(3): error #20: identifier "x" is undefined
    x = 1;
    ^
          detected during instantiation of "void k(T) [with T=int]" at line 7
a.cu:3:4: warning: unused
1 error detected in the compilation of "a.cu".
"""
    run("messages", lambda random: messages.read(damaged_text(random, log, 4)), 300)


def test_dumps_of_syntax_trees() -> None:
    dump = """Dumping k:
FunctionTemplateDecl 0x1 <a.cu:1:1, col:9> col:9 k
|-NonTypeTemplateParmDecl 0x2 <col:1> col:1 'auto' n
|-FunctionDecl 0x3 <col:1> col:1 used k 'void (int)'
| |-TemplateArgument type 'int'
| |-TemplateArgument integral '3U'
| `-TemplateArgument pack
|   `-TemplateArgument integral "'a'"
"""
    run("dump", lambda random: list(specializations(damaged_text(random, dump, 4))), 300)


def test_a_module_of_nothing_but_numbers() -> None:
    def case(random: Random) -> None:
        words = [0x07230203, 0x10300, 0, 50, 0]
        for _ in range(random.randint(0, 40)):
            count = random.randint(1, 6)
            words += [count << 16 | random.randrange(400), *(random.randrange(60) for _ in range(count - 1))]
        module = Module.decode(b"".join(word.to_bytes(4, "little") for word in words))
        assert Module.decode(module.encode()) == module
        written(adopt(module.encode()).module, "clc")

    run("numbers", case, 300)
