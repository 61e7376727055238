"""Names of kernels of other libraries (torch, CUB, Thrust, CUTLASS, cuBLAS, Numba, vLLM and so on), and crafted ones."""

import json
import random
import time
from pathlib import Path

import pytest

from launchpath._compiler.kernels.mangled import library_demangled
from launchpath._report.mangled import demangled, distinct, short_name
from launchpath._report.mangled.nodes import TEXT_MOST

KERNELS = json.loads(Path(__file__).with_name("kernels.json").read_text())
SYMBOLS = [kernel["symbol"] for kernel in KERNELS]
PLAIN = [
    "fusion_12",
    "matmul_kernel_0d1d2d",
    "ampere_sgemm_128x64_tn",
    "main",
    "",
    "_Z",
    "_ZTV",
    "nvjet_hsh_64x8_64x16_4x1_v_bz_TNT",
]


@pytest.mark.parametrize("kernel", KERNELS, ids=[str(place) for place in range(len(KERNELS))])
def test_kernels_are_named_as_by_gcc_and_shortly(kernel: dict[str, str]) -> None:
    assert demangled(kernel["symbol"]) == kernel["full"]
    assert short_name(kernel["symbol"]) == kernel["short"]


@pytest.mark.parametrize("symbol", SYMBOLS, ids=[str(place) for place in range(len(SYMBOLS))])
def test_gcc_gives_the_same(symbol: str) -> None:
    theirs = library_demangled(symbol)
    if theirs is None:
        pytest.skip("no libstdc++ here")
    assert demangled(symbol) == theirs


@pytest.mark.parametrize("name", PLAIN)
def test_names_that_are_not_mangled_stay(name: str) -> None:
    assert demangled(name) is None
    assert short_name(name) == name


def test_long_names_are_cut_in_the_middle() -> None:
    name = "Cijk_Ailk_Bjlk_" + "_".join(f"SN{number}" for number in range(80)) + "_WGM8"
    assert len(short_name(name)) <= 120
    assert (short_name(name)[:20], short_name(name)[-5:]) == (name[:20], "_WGM8")


def test_short_names_differ() -> None:
    names = {f"void k<{number}>()": "k" for number in range(300)} | {"other": "other"}
    found = distinct(names)
    assert len(set(found.values())) == 301
    assert found["other"] == "other"
    assert all(text.startswith("k #") for name, text in found.items() if name != "other")
    some = distinct({name: text for name, text in names.items() if name in list(names)[:2]})
    assert all(found[name].startswith(text) for name, text in some.items())  # whatever others there are


def _again(number: int) -> str:
    digits, text = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", ""
    while number > 0:
        number, digit = divmod(number - 1, 36) if not text else divmod(number, 36)
        text = digits[digit] + text
    return f"S{text}_"


CRAFTED = {
    "doubling": "_Z1f" + "St4pairIiiE" + "".join(f"St4pairI{_again(n + 1)}{_again(n + 1)}E" for n in range(30)),
    "empty packs": "_Z1fIJEEvSt1aIJT_T_EE" + "".join(f"St1aIJ{_again(n + 2)}{_again(n + 2)}EE" for n in range(34)),
    "pointers": "_Z1f" + "P" * 60000 + "i",
    "scopes": "_Z" + "N" * 5000,
    "packs": "_Z1fI" + "J" * 3000 + "E" * 3000 + "EvT_",
    "numbers": "_Z" + "9" * 5000,
    "parameters": "_Z1f" + "1a" * 30000,
    "expressions": "_Z1fIXsr" + "1a" * 20000 + "E",
    "too long": "_Z1f" + "i" * 70000,
}


@pytest.mark.parametrize("name", CRAFTED)
def test_crafted_names_take_bounded_time_and_room(name: str) -> None:
    begin = time.perf_counter()
    assert len(demangled(CRAFTED[name]) or "") <= TEXT_MOST
    assert len(short_name(CRAFTED[name])) <= 120
    assert time.perf_counter() - begin < 10


def test_damaged_names_raise_nothing() -> None:
    chosen = random.Random(5)
    for symbol in SYMBOLS * 8:
        letters = list(symbol)
        for _ in range(chosen.randrange(1, 4)):
            letters[chosen.randrange(2, len(letters))] = chosen.choice("NSTEIJZKPFALXD019_vi")
        name = "".join(letters[: chosen.randrange(3, len(letters) + 1)])
        demangled(name)
        short_name(name)
