"""What a process goes through with work in flight: exit, fork, signals."""

import textwrap

import pytest

from tests.faults.processes import bare, end, run, start
from tests.sample import amount

EXITS = {
    "with work in flight": """
        program = lp.compile(SOURCE)
        for s in (stream, side, blocking, device.legacy_stream):
            program.spin[1, 1, s](array, 1_000_000)
            array.fill(1, s)
        """,
    "with cross-queue dependencies": """
        for i in range(30):
            array.fill(i, stream); side.wait(stream.record()); array.fill(i, side); stream.wait(side.record())
            array.fill(i, blocking); array.fill(i)
        """,
    "with live and dropped objects in cycles": """
        class Holder: pass
        holder = Holder()
        holder.self, holder.things = holder, [stream, stream.record(timing=True), array[5:], side.record()]
        array.fill(3, stream)
        dropped = lp.Stream(); array.fill(4, dropped); del dropped
        """,
    "after an exception was caught": """
        try:
            with stream.hold():
                array.fill(1, stream)
                raise ValueError
        except ValueError:
            array.fill(2, stream)
        """,
    "with host functions under way": """
        for i in range(20):
            stream.host_function(lambda: None); array.fill(i, stream)
            side.host_function(time.sleep, 0.001)
        """,
    "with per-thread streams of threads that have ended": """
        def work():
            array.fill(1, device.per_thread_stream)
        threads = [threading.Thread(target=work) for _ in range(20)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        """,
    "with views of device memory": """
        import numpy
        view = numpy.from_dlpack(array) if device.info["host_accessible"] else None
        array.fill(3, stream)
        """,
    "while daemon threads synchronize": """
        def wait(mine):
            while True:
                array.fill(1, mine)
                mine.synchronize()
        for mine in (lp.Stream(), lp.Stream(blocking=False)):
            threading.Thread(target=wait, args=(mine,), daemon=True).start()
        time.sleep(0.01)
        """,
}
EVERYTHING = "\n".join(textwrap.dedent(code) for code in EXITS.values())
ENDLESS = """
def launch():
    while True:
        array.fill(1, side)
threading.Thread(target=launch, daemon=True).start()
time.sleep(0.01)
"""


def several(code, index, n):
    """Run code n times, four at once: what goes wrong at exit goes wrong now and then."""
    for _ in range(0, n, 4):
        for process in [start(code, index) for _ in range(4)]:
            end(process)


@pytest.mark.parametrize("how", EXITS)
@pytest.mark.sample(3)
def test_exit(index, how):
    several(EXITS[how], index, 4)


def test_exit_with_all_of_it_at_once(index):
    several(EVERYTHING, index, amount(4, 20))


def test_exit_while_a_daemon_thread_goes_on_launching(index):
    several(ENDLESS, index, 4)


def test_exit_from_a_program_that_failed(index):
    err = end(start("array.fill(1, stream); raise ValueError('my own')", index), code=1)
    assert "ValueError: my own" in err
    assert err.count("Traceback") == 1
    assert "Exception ignored" not in err


def test_exit_by_sys_exit_in_the_middle_of_work(index):
    assert end(start("array.fill(1, stream); sys.exit(7)", index), code=7) == ""


def test_exit_with_a_stream_that_is_never_released(index):
    processes = [
        start("hold = stream.hold(); array.fill(1, stream)", index),
        start("hold = stream.hold(); array.fill(1, stream); side.wait(stream.record()); array.fill(2, side)", index),
        start("hold = device.legacy_stream.hold(); array.fill(1); array.fill(2, blocking)", index),
        start("stream.host_function(time.sleep, 1000); array.fill(1, stream)", index),
        start("hold = stream.hold(); threading.Thread(target=stream.synchronize, daemon=True).start()", index),
    ]
    for process in processes:
        end(process)


@pytest.mark.sample(1)
@pytest.mark.parametrize("what", ["device", "device.legacy_stream"])
def test_synchronizing_while_other_threads_drop_their_streams(index, what):
    code = f"""
    stop = time.monotonic() + {amount(1, 3) / 2}
    def drop():
        while time.monotonic() < stop:
            mine = lp.Stream()
            array.fill(1, mine)
            del mine
    def wait():
        while time.monotonic() < stop:
            {what}.synchronize()
    threads = [threading.Thread(target=function) for function in (drop, drop, wait, wait)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    """
    several(code, index, 4)


def test_launching_only_in_another_thread(index):
    out = run("""
        def work():
            array.fill(3, stream)
            print(array[0].to_numpy(stream))
        thread = threading.Thread(target=work)
        thread.start()
        """, index)  # fmt: skip
    assert out.strip() == "3"


def test_exit_without_ever_touching_a_device():
    assert bare("print(lp.__version__)").strip()


FORK = """
hold = stream.hold()
array.fill(1, stream)
event = stream.record()
sys.stdout.flush()
child = os.fork()
if child == 0:
    def attempt(name, call):
        try:
            call()
            print(name, 'no error')
        except lp.LaunchpathError as error:
            print(name, type(error).__name__, 'forked' in str(error) and 'spawn' in str(error))
    attempt('fill', lambda: array.fill(2, stream))
    attempt('launch', lambda: launch(array, 0))
    attempt('synchronize', stream.synchronize)
    attempt('device', device.synchronize)
    attempt('stream', lp.Stream)
    attempt('event', event.synchronize)
    attempt('query', stream.query)
    attempt('empty', lambda: lp.empty(12345))
    attempt('read', array.to_numpy)
    attempt('host function', lambda: side.host_function(print))
    attempt('compile', lambda: lp.compile(SOURCE))
    attempt('load', lambda: lp.load(b'1234'))
    attempt('build', lambda: program._add(program._image, ()))
    attempt('kernel', lambda: program._driver_programs[0].kernel('follow'))
    attempt('binary', program.binary)
    attempt('block size', program.follow.suggest_block)
    attempt('occupancy', lambda: program.follow.occupancy(64))
    attempt('memory', device.memory_info)
    sys.stdout.flush()
    END
hold.release()
_, status = os.waitpid(child, 0)
print('child', os.waitstatus_to_exitcode(status))
array.fill(5, stream)
print('parent', array[0].to_numpy(stream))
"""
USES = ("fill", "launch", "synchronize", "device", "stream", "event", "query", "empty", "read", "host function",
        "compile", "load", "build", "kernel", "binary", "block size", "occupancy", "memory")  # fmt: skip


@pytest.mark.parametrize("how", ["os._exit(0)", "sys.exit(0)"])
def test_a_forked_child_gets_a_clear_error_and_the_parent_goes_on(index, how):
    code = "program = lp.compile(SOURCE)\nlaunch = program.follow[1, 1]\n" + FORK.replace("END", how)
    lines = run(code, index).splitlines()
    for use in USES:
        assert f"{use} LaunchpathError True" in lines
    assert lines[-2:] == ["child 0", "parent 5"]


def test_fork_while_other_threads_use_the_device(index):
    """Locks that other threads hold at that moment do not hang the child."""
    out = run("""
        stop = threading.Event()
        def work(mine):
            while not stop.is_set():
                array.fill(1, mine)
                lp.empty(1000).fill(1)
        threads = [threading.Thread(target=work, args=(mine,)) for mine in (stream, blocking)]
        for thread in threads: thread.start()
        codes = []
        for i in range(20):
            child = os.fork()
            if child == 0:
                try:
                    array.fill(2, stream)
                    device.synchronize()
                    os._exit(1)
                except lp.LaunchpathError:
                    os._exit(0)
            codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        stop.set()
        for thread in threads: thread.join()
        device.synchronize()
        print(codes.count(0))
        """, index)  # fmt: skip
    assert out.strip() == "20"


def test_a_child_forked_before_any_device_was_opened_works():
    out = end(start("""
        import os, sys
        child = os.fork()
        if child == 0:
            print(lp.zeros(3).to_numpy().sum())
            sys.exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        print(lp.zeros(3).to_numpy().sum())
        """, head="import launchpath as lp\n"))  # fmt: skip
    assert out.split() == ["0.0", "0", "0.0"]


@pytest.mark.parametrize("what", ["stream", "event", "device", "array"])
def test_an_interrupt_ends_a_wait_at_once(index, what):
    call = {
        "stream": "stream.synchronize()",
        "event": "stream.record().synchronize()",
        "device": "device.synchronize()",
        "array": "array.to_numpy(stream)",
    }[what]
    out = run(f"""
        import signal
        hold = stream.hold()
        array.fill(1, stream)
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        late = threading.Timer(5, hold.release)
        late.start()
        try:
            {call}
            time.sleep(10)
            print('no interrupt')
        except KeyboardInterrupt:
            print('interrupted' if late.is_alive() else 'late')
        late.cancel()
        hold.release()
        array.fill(7, stream)
        print(array[0].to_numpy(stream))
        """, index)  # fmt: skip
    assert out.split() == ["interrupted", "7"]


def test_exit_ends_though_a_host_function_does_not(index):
    """What waits behind it, on its stream and on the legacy one, is let go: libraries wait for their commands at the end."""
    run("""
        from launchpath import _core
        _core.set_exit_patience(0.2)
        blocking.host_function(threading.Event().wait)
        array.fill(1, blocking)
        array.fill(1)
        """, index)  # fmt: skip


def test_live_streams_take_memory_each_and_not_each_times_all(index):
    """They know of each other through the legacy stream; a number for each pair would take 64 MB and more."""
    out = run("""
        def resident():
            return int(open('/proc/self/statm').read().split()[1]) * os.sysconf('SC_PAGE_SIZE')
        streams = [lp.Stream() for _ in range(2000)]
        before = resident()
        array.fill(1)
        for one in streams: one.record()
        array.fill(2)
        print(resident() - before)
        device.synchronize()
        """, index)  # fmt: skip
    assert int(out) < 16_000_000
