"""The local memory that CUDA keeps for all threads of a device goes back with the last kernel that needs it."""

import gc

import pytest

from tests.gpu.standin import OUT, image

STACK = 0  # CU_LIMIT_STACK_SIZE
DEFAULT, KEPT, DEEP = 1024, 4096, 8192  # bytes a thread: the library's own, of the fixture's kernel `deep`, of `deeper`


@pytest.fixture
def limit(gpu):
    """Return the library's limit, which launches raise."""
    if gpu.driver != "cuda":
        pytest.skip("HIP's library keeps no such memory")
    gpu.kernel("deep")
    gpu.device.trim_memory()
    gpu.cuda("cuCtxSetLimit", STACK, DEFAULT)  # what a test before may have left
    gpu.forget_calls()
    return lambda: gpu.cuda("cuCtxGetLimit", OUT, STACK)


def _launched(gpu, name="deeper"):
    """Return a program, one of whose kernels has run."""
    program = gpu.load(image("deeper nothing 0", "nothing nothing 0"))
    gpu.adapt(program, name)[1, 1, gpu.stream()]()
    gpu.device.synchronize()
    return program


def _drop(gpu, programs):
    programs.clear()
    gc.collect()
    gpu.device.trim_memory()


def test_it_goes_back_when_the_program_is_unloaded(gpu, limit):
    for _ in range(2):
        programs = [_launched(gpu)]
        assert limit() == DEEP
        _drop(gpu, programs)
        assert limit() == KEPT
    assert len(gpu.calls("cuCtxSetLimit")) == 2


def test_it_stays_while_another_kernel_needs_it(gpu, limit):
    kept, programs = _launched(gpu), [_launched(gpu)]
    kernel = gpu.adapt(kept, "deeper")
    _drop(gpu, programs)
    assert limit() == DEEP
    del kernel, kept
    _drop(gpu, programs)
    assert limit() == KEPT


def test_kernels_without_much_of_it_ask_nothing(gpu, limit):
    _drop(gpu, [_launched(gpu, "nothing")])
    assert not gpu.calls("cuCtxSetLimit") and not gpu.calls("cuCtxGetLimit")


@pytest.mark.parametrize("before", [True, False], ids=["set before the launch", "set after it"])
def test_a_limit_of_other_code_stays(gpu, limit, before):
    theirs = 6000 if before else 16384
    if before:
        gpu.cuda("cuCtxSetLimit", STACK, theirs)
    programs = [_launched(gpu)]
    if not before:
        gpu.cuda("cuCtxSetLimit", STACK, theirs)
    _drop(gpu, programs)
    assert limit() == theirs


def test_it_waits_for_the_end_of_a_hold(gpu, limit):
    programs, stream = [_launched(gpu)], gpu.stream()
    with stream.hold():
        _drop(gpu, programs)
        assert limit() == DEEP
    gpu.device.synchronize()
    _drop(gpu, programs)
    assert limit() == KEPT


def test_a_library_that_refuses_changes_nothing(gpu, limit):
    programs = [_launched(gpu)]
    gpu.control.fail("cuCtxSetLimit", 999)
    _drop(gpu, programs)
    assert limit() == DEEP
    _launched(gpu)
