"""The buffers of the stand-in of CUPTI: when a client gets them, and what is in them."""

import threading

import pytest

from .client import on_thread, soon
from .cupti_client import LAUNCH, CuptiClient, launches


def test_a_full_buffer_is_passed_on_once_its_records_are_complete(cuda, cupti, stream):
    cupti.option("records", 3)
    cupti.begin()
    with cuda.paused():
        launches(cuda, stream, 8)
        assert cuda.step(5) == 5
        assert soon(lambda: len(cupti.buffers) == 1)
        cupti.flush()
        assert [len(buffer) for buffer in cupti.buffers] == [3]  # the others have a record that is not complete
        cuda.step(1)
        assert soon(lambda: len(cupti.buffers) == 2)
    cuda("cuStreamSynchronize", stream)
    assert len(cupti.buffers) == 2
    assert threading.get_native_id() not in cupti.delivery_threads
    cupti.flush()
    assert [len(buffer) for buffer in cupti.buffers] == [3, 3, 2]
    numbers = [record.number for record in cupti.records]
    assert numbers == sorted(set(numbers))
    assert len(cupti.memory) == 3


@pytest.mark.parametrize(("size", "most", "each"), [(1000, 0, 4), (65536, 2, 2), (216, 0, 1)])
def test_the_client_says_how_much_a_buffer_takes(cuda, cupti, stream, size, most, each):
    cupti.size, cupti.most = size, most
    cupti.begin()
    launches(cuda, stream, 5)
    cuda("cuStreamSynchronize", stream)
    cupti.flush()
    sizes = [len(buffer) for buffer in sorted(cupti.buffers, key=lambda buffer: buffer[0].number)]
    assert sizes == [each] * (5 // each) + [5 % each] * bool(5 % each)


def test_a_forced_flush_gives_what_is_not_complete(cuda, cupti, stream):
    cupti.begin()
    with cuda.paused():
        launches(cuda, stream, 3)
        cuda.step(1)
        cupti.flush()
        assert cupti.buffers == []
        cupti.flush(forced=True)
        assert [bool(record.start) for record in cupti.records] == [True, False, False]
        assert cupti.live("buffers") == 0
    cuda("cuStreamSynchronize", stream)
    cupti.flush(forced=True)
    assert len(cupti.records) == 3
    assert [(record.start, record.end) for record in cupti.records[1:]] == [(0, 0)] * 2


def test_each_thread_has_buffers_of_its_own(cuda, cupti, stream):
    cupti.begin(LAUNCH)
    function = cuda.function("nothing")

    def launch():
        cuda.current(cuda.context)
        for _ in range(3):
            cuda.launch(function, stream=stream)

    threads = [on_thread(launch) for _ in range(3)]
    for thread in threads:
        thread.join()
    cuda("cuStreamSynchronize", stream)
    cupti.flush()
    heard = {record.number: record.thread for record in cupti.heard}
    assert [len(buffer) for buffer in cupti.buffers] == [3, 3, 3]
    assert all(len({heard[record.number] for record in buffer}) == 1 for buffer in cupti.buffers)


def test_buffers_may_come_late_and_in_another_order(cuda, cupti, stream):
    cupti.begin()
    cupti.option("records", 1)
    cupti.option("newest_first", 1)
    cupti.option("hold", 1)
    launches(cuda, stream, 3)
    cuda("cuStreamSynchronize", stream)
    cupti.flush()
    assert cupti.buffers == []
    cupti.option("hold", 0)
    assert soon(lambda: len(cupti.buffers) == 3)
    numbers = [record.number for record in cupti.records]
    assert numbers == sorted(numbers, reverse=True)
    cupti.reset()
    cupti.option("records", 1)
    cupti.option("at_flush", 1)
    launches(cuda, stream, 2)
    cuda("cuStreamSynchronize", stream)
    assert len(cupti.buffers) == 3
    cupti.flush()
    assert len(cupti.buffers) == 5


def test_a_record_may_get_lost(cuda, cupti, stream):
    cupti.begin()
    cupti.option("records", 1)
    cupti.option("lose", 2)
    launches(cuda, stream, 3)
    cuda("cuStreamSynchronize", stream)
    assert soon(lambda: len(cupti.buffers) == 2)
    cupti.flush()
    assert len(cupti.buffers) == 2
    cupti.flush(forced=True)
    assert [bool(record.start) for record in cupti.records].count(False) == 1


def test_a_kernel_that_fails_has_no_times(cuda, cupti, stream):
    cupti.begin()
    cuda.fail("run:nothing", 700)
    launches(cuda, stream)
    assert cuda.code("cuStreamSynchronize", stream) == 700
    cupti.flush(forced=True)
    assert [(record.start, record.end) for record in cupti.records] == [(0, 0)]
    cuda.code("cuDevicePrimaryCtxReset_v2", 0)
    cuda.begin()


def test_times_are_those_of_the_clients_clock(cuda, cupti, stream):
    cupti.begin(clock=False)
    launches(cuda, stream)
    cuda("cuStreamSynchronize", stream)
    cupti.flush()
    assert cupti.records[0].start > 10**18  # the real time
    cupti("cuptiActivityRegisterTimestampCallback", cupti._kept[3])
    launches(cuda, stream)
    cuda("cuStreamSynchronize", stream)
    cupti.flush()
    assert 0 < cupti.records[1].start < 10**18


def test_what_has_not_been_passed_on_is_lost_when_it_detaches(cuda, cupti, stream):
    cupti.begin()
    with cuda.paused():
        launches(cuda, stream, 2)
        cupti.calls()
        cupti.end()
        assert cupti.calls() == [("cuptiFinalize", 0, "1")]
        cupti.begin()
    launches(cuda, stream)
    cuda("cuStreamSynchronize", stream)
    cupti.flush()
    assert len(cupti.records) == 1


@pytest.mark.parametrize(("leave", "count"), [(1, 2), (2, 0)])
def test_buffers_may_come_with_its_end_or_later(cuda, cupti, stream, leave, count):
    """Their records have numbers of before, and others have these numbers then."""
    cupti.option("leave", leave)
    cupti.begin()
    with cuda.paused():
        launches(cuda, stream, 2)
        cupti.flush(forced=True)
        assert cupti.buffers == []
    cuda("cuStreamSynchronize", stream)
    cupti.end()
    assert len(cupti.records) == count
    cupti.begin()
    cupti.flush()
    assert len(cupti.records) == 2
    launches(cuda, stream)
    cuda("cuStreamSynchronize", stream)
    cupti.flush()
    assert cupti.records[2].number == cupti.records[0].number


def test_options_come_from_the_environment(cuda, built, reader, stream, monkeypatch):
    monkeypatch.setenv("STANDIN_CUPTI_CUDA", cuda.path)
    monkeypatch.setenv("STANDIN_CUPTI_RECORDS", "2")
    cupti = CuptiClient(str(built("cupti")), reader)
    cupti.begin()
    launches(cuda, stream, 4)
    cuda("cuStreamSynchronize", stream)
    assert soon(lambda: [len(buffer) for buffer in cupti.buffers] == [2, 2])
    cupti.end()
