"""The stand-in of CUPTI: who is attached, callbacks, and what has a record."""

import ctypes
import threading
from itertools import pairwise

import pytest

from .build import compile_c
from .client import NON_BLOCKING, on_thread
from .cupti_client import CONTEXT, ENTER, EXIT, FILL_BYTES, GRAPH_LAUNCH, LAUNCH, MULTIPLE_SUBSCRIBERS, launches
from .cupti_control import COPY, FILL, KERNEL, PEER_COPY
from .headers import include_folder
from .test_layout import LAYOUT

SIZES = {KERNEL: 216, COPY: 96, FILL: 88, PEER_COPY: 96}


def test_the_structs_are_nvidias():
    folders = [f"-I{include_folder('cupti')}", f"-I{include_folder('cuda')}"]
    result = compile_c("-fsyntax-only", *folders, LAYOUT / "cupti_nvidia.c")
    if "No such file" in result.stderr:
        pytest.skip("cupti.h includes headers of CUDA that are not there")
    assert not result.returncode, result.stderr


def test_it_has_what_launchpath_calls(cupti, reader):
    names = [reader.function_names()[i].decode() for i in range(reader.function_count())]
    assert len(names) == 12
    assert all(hasattr(cupti.c, name) for name in names)


def test_what_launchpath_watches(reader):
    assert {reader.command_numbers()[i] for i in range(reader.command_count())} == {LAUNCH, 477, 652}


def test_every_command_can_be_watched(cuda, cupti, stream):
    commands = {216, 218, 220, 289, 306, LAUNCH, 319, 321, 477, 652}
    cupti.begin(*commands)
    assert cupti.live("watched") == len(commands)
    address = cuda.allocate(64)
    for name, value in (("cuMemsetD8Async", 216), ("cuMemsetD16Async", 218), ("cuMemsetD32Async", 220)):
        cuda(name, address, 0, 4, stream)
        assert cupti.heard[-1].call == value
    cuda("cuMemcpyAsync", address, address + 32, 16, stream)
    assert cupti.heard[-1].call == 306
    for name, value in (("cuMemcpy2DAsync_v2", 289), ("cuMemcpy3DPeerAsync", 321)):
        assert cuda.code(name, 0, stream)
        assert cupti.heard[-1].call == value
    for name, value in (("cuMemcpyPeerAsync", 319), ("cuLaunchCooperativeKernel", 477), ("cuLaunchKernel", LAUNCH)):
        assert cuda.code(name, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1)
        assert cupti.heard[-1].call == value
    assert cuda.code("cuLaunchKernelEx", 0, 0, 0, 0)
    assert cupti.heard[-1].call == 652
    assert {heard.call for heard in cupti.heard} == commands


def test_version_and_texts(cupti):
    version, text = ctypes.c_uint32(), ctypes.c_char_p()
    cupti("cuptiGetVersion", ctypes.byref(version))
    assert version.value == 130001
    cupti("cuptiGetResultString", MULTIPLE_SUBSCRIBERS, ctypes.byref(text))
    assert text.value == b"CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"
    assert cupti.code("cuptiGetResultString", 12345, ctypes.byref(text)) == 1


def test_there_is_no_cuda_to_attach_to(cupti, monkeypatch):
    monkeypatch.setenv("STANDIN_CUPTI_CUDA", "/none")
    assert cupti.subscribe() == 15
    assert cupti.code("cuptiActivityEnable", KERNEL) == 15


def test_every_call_takes_the_next_number(cuda, cupti, stream):
    cupti.begin(CONTEXT)
    address = cuda.allocate(4)
    cuda.out("cuCtxGetCurrent")
    for _ in range(5):
        cuda("cuStreamSynchronize", stream)
    cuda("cuMemsetD8Async", address, 0, 4, stream)
    cuda.out("cuCtxGetCurrent")
    first, second = (heard.number for heard in cupti.heard if heard.site == ENTER)
    assert second - first == 7
    cupti.number(2**32 - 1)
    cuda.out("cuCtxGetCurrent")
    assert cupti.heard[-1].number == 0


def test_callbacks_come_at_both_ends_of_watched_calls(cuda, cupti, stream):
    cupti.begin(LAUNCH)
    launches(cuda, stream)
    cuda("cuStreamSynchronize", stream)
    here = threading.get_ident()
    (number,) = {heard.number for heard in cupti.heard}
    assert cupti.heard == [(here, ENTER, LAUNCH, number, None), (here, EXIT, LAUNCH, number, 0)]
    cupti.heard.clear()
    function, threads = cuda.function("nothing"), []

    def launch():
        threads.append(threading.get_ident())
        cuda.current(cuda.context)
        cuda.launch(function, stream=stream)

    on_thread(launch).join()
    assert [heard.thread for heard in cupti.heard] == threads * 2
    cupti.watch(LAUNCH, False)
    launches(cuda, stream)
    assert len(cupti.heard) == 2


def test_a_refused_call_says_so_and_has_no_record(cuda, cupti, stream):
    cupti.begin(LAUNCH)
    cuda.fail("cuLaunchKernel", 701)
    assert cuda.launch_code("nothing", stream=stream) == 701
    assert [heard.result for heard in cupti.heard] == [None, 701]
    cuda("cuMemcpyAsync", cuda.allocate(4), cuda.allocate(4), 0, stream)
    launches(cuda, stream)
    cuda("cuStreamSynchronize", stream)
    cupti.flush()
    assert [(record.kind, record.number) for record in cupti.records] == [(KERNEL, cupti.heard[-1].number)]


def test_a_record_of_each_command(cuda, cupti, stream):
    there = cuda.retain(1)
    cuda.current(there)
    far = cuda.allocate(64)
    cuda.current(cuda.context)
    cupti.begin(LAUNCH, FILL_BYTES, 306, 319)
    memory = cuda.allocate(64)
    cuda.launch("nothing", stream=stream, grid=(3, 2, 1), block=(32, 1, 1))
    cuda("cuMemsetD8Async", memory, 1, 64, stream)
    cuda("cuMemcpyAsync", memory, memory + 32, 32, stream)
    cuda("cuMemcpyAsync", memory, b"x" * 16, 16, stream)
    cuda("cuMemcpyPeerAsync", far, there, memory, cuda.context, 64, stream)
    cuda("cuStreamSynchronize", stream)
    assert cupti.records == []
    cupti.flush()
    (records,) = cupti.buffers
    kinds = [KERNEL, FILL, COPY, COPY, PEER_COPY]
    assert [record.kind for record in records] == kinds
    assert [record.number for record in records] == [heard.number for heard in cupti.heard[1::2]]
    assert [record.at for record in records] == [sum(SIZES[kind] for kind in kinds[:i]) for i in range(5)]
    for earlier, later in pairwise(records):
        assert 0 < earlier.start <= earlier.end <= later.start
    complete = cupti.complete_records()
    assert [(record.kind, record.number, record.start, record.end) for record in complete] == [
        record[:4] for record in records]  # fmt: skip
    assert (complete[0].name, complete[0].grid, complete[0].block) == ("nothing", 3, 32)


def test_only_kinds_that_are_enabled_have_records(cuda, cupti, stream):
    cupti.begin(kinds=(FILL,))
    memory = cuda.allocate(64)
    launches(cuda, stream)
    cuda("cuMemsetD8Async", memory, 1, 64, stream)
    cupti("cuptiActivityDisable", FILL)
    cuda("cuMemsetD8Async", memory, 1, 64, stream)
    cuda("cuStreamSynchronize", stream)
    cupti.flush()
    assert [record.kind for record in cupti.records] == [FILL]
    assert cupti.code("cuptiActivityEnable", 5) == 21


@pytest.mark.parametrize("reverse", [False, True])
def test_a_graph_has_a_record_for_each_node(cuda, cupti, stream, reverse):
    memory = cuda.allocate(64)
    cuda.capture(stream)
    launches(cuda, stream, 2)
    cuda("cuMemsetD8Async", memory, 1, 64, stream)
    cuda("cuMemcpyAsync", memory, memory + 32, 32, stream)
    graph = cuda.instantiate(cuda.captured(stream))
    cupti.begin(GRAPH_LAUNCH)
    cupti.option("reverse", reverse)
    for _ in range(2):
        cuda("cuGraphLaunch", graph, stream)
    cuda("cuStreamSynchronize", stream)
    cupti.flush()
    order = slice(None, None, -1 if reverse else 1)
    kinds = [KERNEL, KERNEL, FILL, COPY][order]
    first, second = (heard.number for heard in cupti.heard if heard.site == ENTER)
    assert [record[:2] for record in cupti.records] == [(kind, n) for n in (first, second) for kind in kinds]
    ids = [record.node for record in cupti.complete_records()]
    assert [id_ & 0xFFFFFFFF for id_ in ids] == [0, 1, 2, 3][order] * 2
    assert len({id_ >> 32 for id_ in ids}) == 1
    starts = [record.start for record in cupti.records[:4]]
    assert sorted(starts)[order] == starts


def test_a_capture_has_no_records(cuda, cupti, stream):
    cupti.begin()
    cuda.capture(stream)
    launches(cuda, stream, 2)
    cuda.captured(stream)
    cupti.flush(forced=True)
    assert cupti.records == []


def test_there_is_a_single_subscriber(cuda, cupti, stream):
    cupti.begin(LAUNCH)
    assert cupti.subscribe() == MULTIPLE_SUBSCRIBERS
    launches(cuda, stream)
    assert len(cupti.heard) == 2
    cupti("cuptiUnsubscribe", cupti.subscriber)
    assert cupti.code("cuptiUnsubscribe", cupti.subscriber) == 1
    assert cupti.code("cuptiEnableCallback", 1, cupti.subscriber, 1, LAUNCH) == 1
    assert cupti.subscribe() == 0
    launches(cuda, stream)  # and nothing of what the one before watched
    assert len(cupti.heard) == 2


def test_finalize_detaches(cuda, cupti, stream):
    cupti.begin(LAUNCH)
    assert cupti.attached
    launches(cuda, stream)
    cuda("cuStreamSynchronize", stream)
    cupti.flush()
    cupti.end()
    assert not cupti.attached
    launches(cuda, stream)
    cuda("cuStreamSynchronize", stream)
    cupti.flush(forced=True)
    assert (len(cupti.heard), len(cupti.records)) == (2, 1)
    cupti.begin(LAUNCH)
    launches(cuda, stream)
    cuda("cuStreamSynchronize", stream)
    cupti.flush()
    assert (len(cupti.heard), len(cupti.records)) == (4, 2)
    assert cupti.heard[-1].number == cupti.heard[0].number  # they begin anew: seen with CUPTI 13 on an H200


def test_a_callback_may_call_the_driver_and_detach(cuda, cupti, stream):
    cupti.begin(LAUNCH, CONTEXT)
    contexts = []

    def also(at):
        if at.name == b"cuLaunchKernel":
            contexts.append(cuda.out("cuCtxGetCurrent"))
        elif at.site == EXIT and contexts:
            cupti.end()

    cupti.also = also
    launches(cuda, stream)
    assert contexts == [cuda.context] * 2
    assert not cupti.attached
    own = [heard for heard in cupti.heard if heard.call == LAUNCH]
    assert len({heard.number for heard in own}) == 1
    assert len(own) == 2


def test_a_call_that_a_test_asked_to_fail(cupti):
    cupti.fail("cuptiSubscribe", 35)
    assert cupti.subscribe() == 35
    cupti.fail("cuptiActivityEnable", 27, 2)
    assert cupti.subscribe() == 0
    assert [cupti.code("cuptiActivityEnable", kind) for kind in (KERNEL, COPY, FILL)] == [0, 27, 0]
    assert [call[:2] for call in cupti.calls()] == [
        ("cuptiSubscribe", 35), ("cuptiSubscribe", 0),
        ("cuptiActivityEnable", 0), ("cuptiActivityEnable", 27), ("cuptiActivityEnable", 0),
    ]  # fmt: skip
    assert cupti.live("kinds") == 2


def test_other_work_has_no_records(cuda, cupti, stream):
    """Events, waits, host functions and memory."""
    cupti.begin()
    event, other = cuda.event(), cuda.stream(NON_BLOCKING)
    cuda("cuEventRecord", event, stream)
    cuda("cuStreamWaitEvent", other, event, 0)
    cuda.hold(stream)()
    pooled = cuda.out("cuMemAllocAsync", 64, other)
    cuda("cuMemFreeAsync", pooled, other)
    cuda("cuCtxSynchronize")
    cupti.flush(forced=True)
    assert cupti.buffers == []
