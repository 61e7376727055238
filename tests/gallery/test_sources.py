"""The kernels of the gallery compile for CUDA devices as well, without a GPU."""

from pathlib import Path

import pytest

import falling_bodies
import pipeline
from tests.unit.support.rtc import compiled, needs_nvrtc

GALLERY = Path(falling_bodies.__file__).parent
DEFINES = {"TILE": 16, "ROW": 32, "THREADS": 128, **falling_bodies.CONSTANTS}


@needs_nvrtc
@pytest.mark.parametrize("file", sorted(GALLERY.glob("*.cu")), ids=lambda file: file.stem)
@pytest.mark.sample(2)
def test_sources_compile_for_cuda(file):
    assert compiled(file.read_text(), name=file.name, defines=DEFINES).kernels


@needs_nvrtc
def test_the_pipelines_source_compiles_for_cuda():
    assert compiled(pipeline.SOURCE, defines={"TAPS": 32}).kernels
