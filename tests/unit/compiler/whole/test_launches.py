"""Launches as they are written: which kernel each is of, and what is left of its configuration."""

import pytest

from launchpath._compiler.source.text import tokens
from launchpath._compiler.whole.reading.launches import launches, without_launches


def read(text: str) -> list[str]:
    return [launch.written.replace(" ", "") for launch in launches([*tokens(text.encode())])]


@pytest.mark.parametrize(
    ("text", "kernel"),
    [
        ("a::k<int, 4><<<1, 1>>>(x);", "a::k<int,4>"),
        ("(k<int, 4>)<<<1, 1>>>(x);", "k<int,4>"),
        ("hipLaunchKernelGGL(k<int>, 1, 1, 0, 0, x);", "k<int>"),
        ("hipLaunchKernelGGL((k<int, 4>), 1, 1, 0, 0, x);", "k<int,4>"),
        ("hipLaunchKernelGGL(HIP_KERNEL_NAME(k<int, 4>), 1, 1, 0, 0, x);", "k<int,4>"),
        ("hipExtLaunchKernelGGL((k<int, 4>), 1, 1, 0, 0, begin, end, 0, x);", "k<int,4>"),
        ("cudaLaunchKernel((const void *)k<int>, 1, 1, values);", "k<int>"),
        ("cudaLaunchKernel(reinterpret_cast<const void *>(&k<int, 4>), 1, 1, values);", "k<int,4>"),
        ("hipLaunchCooperativeKernel((void *)(k<int>), 1, 1, values, 0, 0);", "k<int>"),
        ("cudaLaunchKernelEx(&config, k<int, 4>, x);", "k<int,4>"),
        ("cudaLaunchKernelEx(of(x, 3), k, x);", "k"),
        ("cudaLaunchKernelEx(&plan->config, k<int>, x);", "k<int>"),
        ("hipLaunchKernelExC(&config, (const void *)a::k<int>, values);", "a::k<int>"),
    ],
)
def test_the_kernel_of_a_launch(text: str, kernel: str) -> None:
    assert read(text) == [kernel]


@pytest.mark.parametrize("word", ["return", "co_return", "else", "do"])
def test_a_keyword_before_a_launch_is_no_part_of_the_name(word: str) -> None:
    assert read(f"{word} ::k<int><<<1, 1>>>(x);") == ["k<int>"]
    assert read(f"{word} (::k<int>)<<<1, 1>>>(x);") == ["k<int>"]


@pytest.mark.parametrize(
    "text",
    ["chosen(x)<<<1, 1>>>(x);", "hipLaunchKernelGGL(chosen(x), 1, 1, 0, 0);", "cudaLaunchKernelEx(&config);", "k(1 << 3);"],
)  # fmt: skip
def test_no_name_of_a_kernel(text: str) -> None:
    assert read(text) == []


def test_only_backslashes_that_join_lines_stay_of_a_configuration() -> None:
    text = b'k<<<f("a\\n"), \\\n  1, \\ \n 2>>>(x);'
    assert without_launches(text) == b"k             \\\n     \\ \n     (x);"
    assert len(without_launches(text)) == len(text)
