"""The corpus compiles for CUDA by the real NVRTC, and for HIP by the real hipRTC: every kernel that its cases launch."""

import pytest

from launchpath._compiler.compile import compile
from launchpath._compiler.kernels.instance import normal
from launchpath._compiler.source import source as sources
from tests.corpus import host_pass
from tests.corpus.cases import load
from tests.corpus.registry import Source
from tests.unit.rtc import cuda, hip, needs_hiprtc, needs_nvrtc

CASES = [case for cases in load().values() for case in cases]
SOURCES = {case.source.key: case.source for case in CASES}
LAUNCHED = {
    key: {launch.kernel for case in CASES if case.source.key == key for launch in case.launches} for key in SOURCES
}


def check(source: Source, target, kind):
    with host_pass.once():
        text = sources.from_path(source.file, defines=dict(source.defines))
        image = compile(text, [*source.names, *source.later], target)
    assert image.kind == kind
    there = {normal(signature.name) for _, signature in image.kernels}
    assert {normal(name) for name in LAUNCHED[source.key]} <= there


@needs_nvrtc
@pytest.mark.sample(2)
@pytest.mark.parametrize("source", SOURCES.values(), ids=lambda source: source.path)
def test_nvrtc(source):
    if "half" in source.path:
        pytest.importorskip("nvidia.cu13", reason="cuda_fp16.h is NVIDIA's")
    check(source, cuda(), "cubin")


@needs_hiprtc
@pytest.mark.parametrize("source", SOURCES.values(), ids=lambda source: source.path)
def test_hiprtc(source):
    check(source, hip(), "hsaco")
