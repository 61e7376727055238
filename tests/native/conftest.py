"""The C interface on each device."""

import pytest

import launchpath as lp
from tests.native.kernels import SOURCE, N
from tests.native.table import Table


@pytest.fixture(scope="session")
def program(device):
    return lp.compile(SOURCE, device, names=["twice<int>"])


@pytest.fixture(params=[False, True], ids=["without-gil", "with-gil"])
def table(request):
    return Table(with_gil=request.param)


@pytest.fixture
def known(device, program):
    with device, lp.register(program) as registration:
        yield registration


@pytest.fixture
def y(device):
    with device:
        zeros = lp.zeros(N, "float32")
        lp.synchronize()  # streams that do not block are not ordered behind it
        return zeros
