"""What a process goes through in a step: exit, fork, and the environment variables."""

import pytest

from tests.faults.processes import end, run, start

BODY = """
step = lp.Step()
array.fill(0); device.synchronize()
with step:
    for i in range(5):
        array.fill(i, stream)
    side.wait(stream.record())
    array.fill(9, side)
    END
print(array.to_numpy(side)[0], step.report().commands > 0)
"""
EXITS = {
    "a step that was entered and not left": "step = lp.Step(); step.__enter__(); array.fill(1, stream)",
    "a suspended generator": """
        def work():
            with lp.Step():
                array.fill(1, stream)
                yield
        suspended = work(); next(suspended)
        """,
    "a daemon thread": """
        def work():
            step = lp.Step()
            while True:
                with step:
                    array.fill(1, side); array.fill(2, side)
        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.02)
        """,
    "a cycle": """
        class Holder: pass
        holder = Holder(); holder.self, holder.step = holder, lp.Step()
        holder.step.__enter__(); array.fill(1, stream)
        """,
}


@pytest.mark.parametrize("how", EXITS)
def test_exit_in(index, how):
    assert run(EXITS[how], index) == ""


@pytest.mark.parametrize(("how", "code"), [("sys.exit(7)", 7), ("os._exit(3)", 3)])
def test_exit_in_the_body(index, how, code):
    assert end(start(BODY.replace("END", how), index), code=code) == ""


def test_an_exception_of_the_body_ends_the_program(index):
    err = end(start(BODY.replace("END", "raise ValueError('my own')"), index), code=1)
    assert err.count("Traceback") == 1
    assert "my own" in err


def test_fork_in_a_step(index):
    out = run("""
        step = lp.Step()
        with step:
            array.fill(5, stream)
            child = os.fork()
            if child == 0:
                try:
                    array.fill(6, stream)
                except lp.LaunchpathError as error:
                    print('child', 'forked' in str(error), flush=True)
                step.__exit__(None, None, None)
                del step
                os._exit(0)
            print('status', os.waitpid(child, 0)[1])
            array.fill(7, stream)
        print(array.to_numpy(stream)[0])
        """, index)  # fmt: skip
    assert out.split() == ["child", "True", "status", "0", "7"]


@pytest.mark.parametrize(("value", "keeps"), [("1", True), ("on", True), ("0", False), ("no", False)])
def test_steps_can_be_switched_off(index, value, keeps):
    assert run(BODY.replace("END", "pass"), index, LAUNCHPATH_STEPS=value).split() == ["9", str(keeps)]


def test_a_switch_that_there_is_not(index):
    err = end(start(BODY.replace("END", "pass"), index, LAUNCHPATH_STEPS="never"), code=1)
    assert "LAUNCHPATH_STEPS: expected 0 (off) or 1 (on), got 'never'" in err


def test_every_command_is_complete_at_once_if_launches_are_to_block(index):
    code = BODY.replace("END", "assert side.query() and stream.query()")
    assert run(code, index, LAUNCHPATH_LAUNCH_BLOCKING="1").split()[0] == "9"


def test_the_log_has_the_calls_when_they_happen(index):
    code = BODY.replace("END", "print('left', file=sys.stderr, flush=True)")
    process = start(code, index, LAUNCHPATH_LOG="1")
    out, err = process.communicate(timeout=100)
    assert (process.returncode, out.split()) == (0, ["9", "True"])
    before, after = err.split("left\n")
    assert after.count(".fill(") >= 6
    assert "step" not in after.lower()
    assert before.rstrip().splitlines()[-1].count(".fill(") <= 1
