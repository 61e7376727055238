"""A signal that ends the process while kernels of CPU devices are under way: one line names them."""

import signal
import sys

import pytest

from tests.faults.processes import end, start

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="handlers of signals are other ones elsewhere")

HEAD = """
import ctypes, faulthandler, os, signal, sys, threading
import launchpath as lp
program = lp.compile('''
__global__ void far(float *x, long long by) { x[by] = 1; }
__global__ void near(float *x) { x[threadIdx.x] += 1; }
''')
x = lp.zeros(32, "float32")
libc = ctypes.CDLL(None)  # now: a child that is forked while a driver's thread opens a library could open none
"""
FAR = "program.far[1, 1](x, 1 << 44); x.device.synchronize()"
LINE = "launchpath: {0} ends the process while kernels on CPU devices are not known to be complete: {1}"
ADVICE = ". Set LAUNCHPATH_DEBUG=bounds to find a wrong index or a null pointer in a kernel"
FAULT = "libc.memset(8, 0, 1)"  # ctypes releases the GIL
FATAL = "Fatal Python error: Segmentation fault"


@pytest.fixture
def index(device):
    import launchpath as lp

    if (device.info["driver"], device.info["kind"]) != ("opencl", "cpu"):
        pytest.skip("its kernels run elsewhere")
    return lp.devices().index(device)


def said(code, index, number=signal.SIGSEGV, head=HEAD, **environment):
    """Run code that ends by a signal; give launchpath's lines, and all that is on the standard error."""
    environment = {"PYTHONFAULTHANDLER": "", **environment}
    err = end(start(code, index, head=head, **environment), -number)
    return [line for line in err.splitlines() if line.startswith("launchpath:")], err


def test_the_kernel_is_named(index):
    lines, err = said(FAR, index)
    assert lines == [LINE.format("SIGSEGV", "'far'") + ADVICE]
    assert FATAL not in err


def test_each_kernel_is_named_once_and_those_that_are_complete_are_not(index):
    code = """
    done = lp.compile("__global__ void done(float *x) { x[threadIdx.x] += 1; }").done
    done[1, 32](x); x.device.synchronize()
    for _ in range(3): program.near[1, 32](x)
    """
    lines, _ = said(f"{code}\n    {FAR}", index)
    assert lines == [LINE.format("SIGSEGV", "'near', 'far'") + ADVICE]


def test_of_many_names_the_first_stand(index):
    code = """
    source = "".join(f"__global__ void k{i}(float *x) {{ x[threadIdx.x] += {i}; }}" for i in range(12))
    many = lp.compile(source)
    for i in range(12): many[f"k{i}"][1, 32](x)
    """
    lines, _ = said(f"{code}\n    {FAR}", index)
    assert lines == [LINE.format("SIGSEGV", ", ".join(f"'k{i}'" for i in range(8))) + ", ..." + ADVICE]


@pytest.mark.parametrize("before", [True, False])
def test_beside_faulthandler(index, before):
    lines, err = said(
        FAR if before else f"faulthandler.enable()\n{FAR}", index, PYTHONFAULTHANDLER="1" if before else ""
    )
    assert lines == [LINE.format("SIGSEGV", "'far'") + ADVICE]
    assert err.count(FATAL) == 1


@pytest.mark.parametrize("before", [True, False])
def test_beside_a_handler_of_the_programs_own(index, before):
    own = """
    libc = ctypes.CDLL(None)
    @ctypes.CFUNCTYPE(None, ctypes.c_int)
    def mine(number):
        os.write(2, b"mine\\n")
        libc.signal(number, None)
    libc.signal.argtypes = [ctypes.c_int, ctypes.c_void_p]
    libc.signal(11, ctypes.cast(mine, ctypes.c_void_p))
    """
    head = "import ctypes, os\n" + own.replace("\n    ", "\n") + HEAD if before else HEAD
    lines, err = said(FAR if before else f"{own}\n    {FAR}", index, head=head)
    # A handler that was there before runs after launchpath's; a later one is in its place.
    assert lines == ([LINE.format("SIGSEGV", "'far'") + ADVICE] if before else [])
    assert err.count("mine\n") == 1


def test_an_abort_of_a_librarys(index):
    code = """
    stream = lp.Stream()
    hold = stream.hold(); hold.__enter__()
    program.near[1, 32, stream](x)
    ctypes.CDLL(None).abort()
    """
    lines, _ = said(code, index, signal.SIGABRT)
    assert lines == [LINE.format("SIGABRT", "'near'") + ADVICE]


def test_a_fault_of_host_code_without_the_gil_may_be_the_kernels(index):
    assert said(f"program.near[1, 32](x); {FAULT}", index)[0] == [LINE.format("SIGSEGV", "'near'") + ADVICE]


QUIET = {
    "nothing is under way": f"program.near[1, 32](x); x.device.synchronize(); {FAULT}",
    "host code has the GIL": "program.near[1, 32](x); ctypes.PyDLL(None).memset(8, 0, 1)",
    "a child was forked": f"""
        program.near[1, 32](x)
        child = os.fork()
        if child == 0: {FAULT}
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -11
        x.device.synchronize(); {FAULT}
        """,
}


@pytest.mark.parametrize("case", QUIET)
def test_nothing_is_said_where(case, index):
    assert said(QUIET[case], index)[0] == []


def test_nothing_is_said_before_a_cpu_device_is_opened():
    head = "import ctypes\nimport launchpath as lp\nlibc = ctypes.CDLL(None)\n"
    assert said(f"lp.devices(); {FAULT}", None, head=head)[0] == []


def test_where_accesses_are_checked_the_advice_is_another(index):
    code = f"""
    stream = lp.Stream()
    def fault():
        while stream.submitted[0] < number + 2: pass  # the launch behind this
        {FAULT}
    number = stream.submitted[0]
    stream.host_function(fault)
    program.near[1, 32, stream](x)
    """
    lines, _ = said(code, index, LAUNCHPATH_DEBUG="bounds")
    advice = ". LAUNCHPATH_DEBUG=bounds is on: an access that it does not check, or host code, can be the cause"
    assert lines == [LINE.format("SIGSEGV", "'near'") + advice]
