"""The real devices that tests run on: one joins by being registered here.

A registered device that is not there is left out, unless ``LAUNCHPATH_TEST_REQUIRE`` names it (``intel,pocl``): then
its tests fail.
"""

import atexit
import functools
import gc
import os
import shutil
import signal
import tempfile

import pytest
from hypothesis import HealthCheck, settings

from tests.standin.build import NoCompilerError

# What one run of the tests keeps. Compiled programs neither come from the user's own cache nor go there. The workers of
# pytest-xdist inherit the folder of the process that starts them: what one has compiled the others need not.
if "PYTEST_XDIST_WORKER" not in os.environ:
    _RUN = tempfile.mkdtemp(prefix="launchpath-tests-")
    os.environ["LAUNCHPATH_TEST_FOLDER"] = _RUN
    os.environ["LAUNCHPATH_CACHE_DIR"] = os.path.join(_RUN, "programs")
    # Enough for the precompiled headers of all tests: those of the C++ library would displace each other.
    os.environ.setdefault("LAUNCHPATH_CACHE_LIMIT", "4096")
    atexit.register(shutil.rmtree, _RUN, ignore_errors=True)

# A shell that starts the tests in the background has them ignore interrupts, and so would every process that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Examples that Hypothesis draws are the same in each run.
settings.register_profile("same", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("same")

# NumPy's threads for linear algebra wait busily: in each of some thousand processes, for as long as all else in its start.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Streams of CUDA share 8 queues in hardware unless it is told otherwise: one that a test holds back would hold others too.
os.environ.setdefault("CUDA_DEVICE_MAX_CONNECTIONS", "32")

# By id: what a device's `info` says of its platform and kind.
REGISTERED = {
    "intel": ("Intel(R) OpenCL", "cpu"),
    "pocl": ("Portable Computing Language", "cpu"),
    "nvidia": ("NVIDIA CUDA", "gpu"),
    "amd": ("AMD Accelerated Parallel Processing", "gpu"),
    "cuda": ("CUDA", "gpu"),
    "hip": ("HIP", "gpu"),
}


@functools.cache
def present():
    """The registered devices that this machine has, by id."""
    import launchpath as lp

    by_name = {}
    for device in lp.devices():
        for name, is_like in REGISTERED.items():
            if is_like == (device.info["platform"], device.info["kind"]):
                by_name.setdefault(name, device)
    return {name: by_name[name] for name in REGISTERED if name in by_name}


def required():
    names = [name.strip() for name in os.environ.get("LAUNCHPATH_TEST_REQUIRE", "").split(",") if name.strip()]
    for name in names:
        if name not in REGISTERED:
            raise pytest.UsageError(f"LAUNCHPATH_TEST_REQUIRE: {name!r} is none of {', '.join(REGISTERED)}")
    return names


def pytest_configure(config):
    required()  # a mistake in it ends the run here, once


def _none():
    return pytest.param("none", marks=pytest.mark.skip("no registered device here"))


def pytest_collection_finish():
    """Leave what there is by now out of the collector's rounds: most of it is tests."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol():
    """Let the collector look at nothing older than the test, in which many rounds are made; and leave it no garbage."""
    gc.freeze()
    result = yield
    gc.collect()
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Tell fixtures whether the test has failed: then what it made is still alive."""
    report = yield
    if call.when == "call":
        item.has_failed = report.failed
        if report.failed:
            gc.collect()
    return report


def _skip_without_compiler():
    """Skip a test that needs a C compiler where there is none."""
    try:
        return (yield)
    except NoCompilerError as error:
        pytest.skip(str(error))


pytest_runtest_setup = pytest_runtest_call = pytest.hookimpl(wrapper=True)(_skip_without_compiler)


def pytest_generate_tests(metafunc):
    ids = list(dict.fromkeys([*present(), *required()])) if _wants_devices(metafunc) else []
    if "device_id" in metafunc.fixturenames:
        metafunc.parametrize("device_id", ids or [_none()], indirect=True, scope="session")
    if "device_ids" in metafunc.fixturenames:
        pairs = [(first, other) for first in ids for other in ids if first != other]
        metafunc.parametrize("device_ids", pairs or [_none()], ids="-".join if pairs else None, indirect=True)


def _wants_devices(metafunc):
    return {"device_id", "device_ids"} & set(metafunc.fixturenames)


def _device(name):
    if name not in present():
        import launchpath as lp

        pytest.fail(f"LAUNCHPATH_TEST_REQUIRE asks for {name!r}; found {lp.devices()}, skipped {lp.skipped_devices()}")
    return present()[name]


@pytest.fixture(scope="session")
def device_id(request):
    """The registered id of the device that a test runs on: every test that asks for it runs once for each."""
    _device(request.param)
    return request.param


@pytest.fixture(scope="session")
def device(device_id):
    return _device(device_id)


@pytest.fixture
def device_ids(request):
    return request.param


@pytest.fixture
def two_devices(device_ids):
    """Two different devices: every ordered pair of those present."""
    return [_device(name) for name in device_ids]
