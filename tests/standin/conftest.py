"""The stand-in for its own tests: a copy of the library, so that other tests of the process have another one."""

from __future__ import annotations

import shutil

import pytest

from .build import NoCompilerError, library
from .client import NON_BLOCKING, Cuda, Hip
from .graph_nodes import Nodes
from .user_objects import Objects


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Return a function that builds a library and copies it, for this session alone."""

    def build(which, without=()):
        try:
            path = library(which, without)
        except NoCompilerError as error:
            pytest.skip(str(error))
        return shutil.copy(path, tmp_path_factory.mktemp(which))

    return build


@pytest.fixture(scope="session")
def loaded(built):
    return Cuda(str(built("cuda")))


@pytest.fixture
def cuda(loaded, built, monkeypatch):
    """The stand-in, as if newly loaded. A test that lets it notice misuse has to take those reports."""
    monkeypatch.setenv("STANDIN_KERNELS", str(built("kernels")))
    loaded.reset()
    loaded.begin()
    yield loaded
    reports = loaded.reports()
    loaded.reset()
    assert not reports


@pytest.fixture
def hip(cuda, built, monkeypatch):
    """Over the same stand-in that `cuda` steers; a new copy for each test, because it keeps its contexts."""
    monkeypatch.setenv("HIP_FORWARD_CUDA", cuda.path)
    monkeypatch.setenv("HIP_FORWARD_NVRTC", str(built("nvrtc")))
    library = Hip(str(built("hip")))
    library("hipSetDevice", 0)
    return library


@pytest.fixture
def stream(cuda):
    return cuda.stream(NON_BLOCKING)


@pytest.fixture
def objects(cuda):
    return Objects(cuda)


@pytest.fixture
def nodes(cuda):
    return Nodes(cuda)
