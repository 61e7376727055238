"""The stand-in for its own tests: a copy of the library, so that other tests of the process have another one."""

import ctypes
import shutil

import pytest

from .build import FOLDER, ROOT, compile_c, library
from .client import NON_BLOCKING, Cuda, Hip
from .cupti_client import CuptiClient
from .graphs.graph_nodes import Nodes
from .graphs.user_objects import Objects


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Return a function that builds a library and copies it, for this session alone."""

    def build(which, without=()):
        path = library(which, without)
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


@pytest.fixture(scope="session")
def reader(tmp_path_factory):
    """What launchpath reads of records, and what it calls: compiled from its own header."""
    path = tmp_path_factory.mktemp("reader") / "reader.so"
    result = compile_c(
        "-shared", "-fPIC", f"-I{ROOT}/src/launchpath/_core/driver/gpu/times", "-o", path, FOLDER / "layout" / "cupti.c"
    )
    assert not result.returncode, result.stderr
    library = ctypes.CDLL(str(path))
    library.command_count.restype = library.function_count.restype = ctypes.c_size_t
    library.command_numbers.restype = ctypes.POINTER(ctypes.c_uint32)
    library.function_names.restype = ctypes.POINTER(ctypes.c_char_p)
    return library


@pytest.fixture
def cupti(cuda, built, reader, monkeypatch):
    """A copy of its own for each test, beside the stand-in that `cuda` steers."""
    monkeypatch.setenv("STANDIN_CUPTI_CUDA", cuda.path)
    client = CuptiClient(str(built("cupti")), reader)
    yield client
    cuda.resume()
    cuda("cuCtxSynchronize")
    client.end()
