"""The example of examples/: its kinds of arguments, with steps too, come to the same state, which is a sane one."""

import json

import pytest
from click.testing import CliRunner

import launchpath as lp
from benchmarks import rigid_bodies as benchmark
from examples import rigid_bodies
from examples.rigid_bodies_comparison import Comparison, compare, report

STEPS = 20


@pytest.fixture(scope="module")
def program(device):
    return lp.compile(rigid_bodies.source(), device)


@pytest.fixture(scope="module")
def simulations(program):
    layout = rigid_bodies.Layout(worlds=5, bodies=4)
    return {mode: rigid_bodies.Simulation(program, layout, mode) for mode in rigid_bodies.MODES}


def test_a_step_is_many_launches(simulations):
    assert all(len(simulation.step) >= 20 for simulation in simulations.values())


def test_every_mode_comes_to_the_same_state(simulations):
    checksums = set()
    for simulation in [*simulations.values(), *simulations.values()]:
        simulation.reset()
        simulation.run(STEPS)
        assert simulation.problems(STEPS) == []
        checksums.add(simulation.checksum())
    assert len(checksums) == 1


@pytest.mark.parametrize("mode", rigid_bodies.MODES)
def test_with_step_the_state_is_the_same_to_the_last_bit(program, simulations, mode):
    eager = simulations[mode]
    kept_back = rigid_bodies.Simulation(program, eager.layout, mode, with_step=True)
    for simulation in (eager, kept_back):
        simulation.reset()
        simulation.run(STEPS)
    assert kept_back.checksum() == eager.checksum()
    assert kept_back.problems(STEPS) == []
    report = kept_back.region.report()
    assert report.runs == STEPS and report.commands >= STEPS * len(eager.step)
    assert report.direct == 0 and (report.early == {} or mode == "upload")


def test_what_is_printed_says_so(program, capsys):
    comparison = compare(rigid_bodies.runs(program, rigid_bodies.Layout(3, 2)), STEPS, trials=2)
    assert "trial 2 of 2: step" in capsys.readouterr().err
    assert comparison.sane
    text = report(comparison, rigid_bodies.descriptions(), rigid_bodies.RATIOS)
    assert "identical in all runs" in text and "step / skip: " in text and "submitted as one" in text


def test_it_falls_and_stays_above_the_ground(simulations):
    simulation = simulations["skip"]
    simulation.reset()
    simulation.run(150)
    assert simulation.problems(150) == []
    assert (simulation.read("total") < simulation.read("highest") / 2).all()
    assert simulation.read("near").any()


def test_structs_are_uploaded_once_by_default(simulations):
    uploads = {}
    for mode, simulation in simulations.items():
        simulation.reset()
        simulation.run(1)
        before = lp.argument_counts()["uploads"]
        simulation.run(STEPS)
        uploads[mode] = lp.argument_counts()["uploads"] - before
    assert uploads == {"skip": 0, "upload": STEPS * len(simulations["upload"].step), "plain": 0}


def test_skipping_stays_as_it_is_unless_in_mode_upload(simulations):
    for on in (True, False):
        before = lp.skip_uploads(on)
        try:
            for simulation in simulations.values():
                simulation.run(1)
                assert lp.skip_uploads(on) is on
        finally:
            lp.skip_uploads(before)


def test_uploads_that_are_not_skipped_are_counted(simulations):
    description = rigid_bodies.described("skip")
    before = lp.skip_uploads(False)
    try:
        uploads = lp.argument_counts()["uploads"]
        simulations["skip"].run(STEPS)
        assert lp.argument_counts()["uploads"] - uploads == STEPS * len(simulations["skip"].step)
        assert rigid_bodies.described("skip") == f"{rigid_bodies.MODES['upload']} (LAUNCHPATH_SKIP_UPLOADS is 0)"
        assert all(rigid_bodies.described(mode) == rigid_bodies.MODES[mode] for mode in ("upload", "plain"))
    finally:
        lp.skip_uploads(before)
    assert description == rigid_bodies.described("skip") == rigid_bodies.MODES["skip"]


# --- the command, and the benchmark over it

SHORT = ("--worlds", "3", "--bodies", "2", "--steps", str(STEPS))


def example(monkeypatch, *args):
    monkeypatch.setattr("sys.argv", ["rigid_bodies.py", *args])
    return rigid_bodies.main()


def run(*args):
    return CliRunner().invoke(benchmark.main, [str(arg) for arg in args])


@pytest.fixture
def words(device):
    """The device as a command line names it."""
    return str(lp.devices().index(device))


def test_the_example_runs(monkeypatch, capsys, device, words):
    assert example(monkeypatch, "--device", words, *SHORT) == 0
    out = capsys.readouterr().out
    for part in (device.name, ": 3 worlds of 2 bodies, 20 steps", "launches a step, skip: ", "all well"):
        assert part in out


def test_the_example_runs_with_step(monkeypatch, capsys, words):
    outs = []
    for args, on in ((), "1"), (("--with-step",), "1"), (("--with-step", "--arguments", "plain"), "0"):
        monkeypatch.setenv("LAUNCHPATH_STEPS", on)
        assert example(monkeypatch, "--device", words, *SHORT, *args) == 0
        outs.append(capsys.readouterr().out)
    eager, kept_back, off = outs
    assert "submitted" not in eager
    assert "submitted as one\n21 runs: " in kept_back
    assert "submitted at once (LAUNCHPATH_STEPS is 0)\nsteps are off (LAUNCHPATH_STEPS=0" in off
    assert len({line for out in outs for line in out.splitlines() if line.startswith("checksum ")}) == 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--device", "abacus"], "no device 'abacus'"),
        (["--worlds", "0"], "--worlds is 0"),
        (["--trials", "-1"], "--trials is -1"),
    ],
)
def test_misuse_of_the_example_is_reported_in_words(monkeypatch, capsys, args, message):
    with pytest.raises(SystemExit) as ended:
        example(monkeypatch, *args)
    assert ended.value.code == 2
    assert f"error: {message}" in capsys.readouterr().err


def test_help_has_what_is_the_default(monkeypatch, capsys):
    with pytest.raises(SystemExit):
        example(monkeypatch, "--help")
    for text in (capsys.readouterr().out, run("--help").output):
        for name, (default, _) in rigid_bodies.SIZES.items():
            assert f"--{name}" in text
            assert f"default: {default}" in " ".join(text.split())


def test_the_benchmark_writes_json(device, words, tmp_path):
    for file in ("-", tmp_path / "result.json"):
        done = run("--device", words, *SHORT, "--trials", 2, "--json", file)
        assert done.exit_code == 0, done.output
        assert "3 worlds of 2 bodies, 20 steps, 2 trials" in (done.stderr if file == "-" else done.stdout)
        (result,) = json.loads(done.stdout if file == "-" else file.read_text())
        assert result["device"] == device.name
        assert result["identical"] and result["problems"] == []
        assert list(result["steps_per_second"]) == ["skip", "upload", "plain", "step"]
        assert result["step_over_eager"] > 0
        assert all(len(rates) == 2 for rates in result["steps_per_second"].values())


def test_the_benchmark_takes_every_device(device):
    done = run("--device", "all", *SHORT, "--trials", 1, "--json", "-")
    assert done.exit_code == 0, done.output
    assert [each["device"] for each in json.loads(done.stdout)] == [each.name for each in lp.devices()]


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [(["--worlds", "0"], 2, "--worlds"), (["--json", "/no/such/folder/x.json"], 2, "not in a writable folder"),
     (["--device", "abacus"], 3, "no device 'abacus'")],
)  # fmt: skip
def test_misuse_of_the_benchmark_is_reported_before_anything_runs(monkeypatch, args, code, message):
    monkeypatch.setattr(benchmark, "compare", None)
    done = run(*args)
    assert (done.exit_code, "Traceback" in done.output) == (code, False)
    assert message in done.output


def test_the_benchmark_wants_skipping(words):
    before = lp.skip_uploads(False)
    try:
        done = run("--device", words, *SHORT)
        assert done.exit_code == 2
        assert "LAUNCHPATH_SKIP_UPLOADS is 0" in done.output
        assert lp.skip_uploads(False) is False
    finally:
        lp.skip_uploads(before)


def test_the_benchmark_wants_steps(monkeypatch, words):
    monkeypatch.setenv("LAUNCHPATH_STEPS", "0")
    done = run("--device", words, *SHORT)
    assert done.exit_code == 2
    assert "LAUNCHPATH_STEPS is 0" in done.output


def compared(skip, step=3.0, checksums=("a",)):
    rates = {"skip": [skip], "upload": [1.0], "plain": [1.0], "step": [step]}
    return Comparison(rates, set(checksums), set())


def test_the_benchmarks_figures_are_checked():
    assert benchmark.missed("gpu", compared(1.2), {"skip": [1.0], "upload": [1.009]}) == []
    assert benchmark.missed("cpu", compared(0.9, 0.9), {}) == []
    slow, step, kernels = benchmark.missed("gpu", compared(1.1, 2.2), {"skip": [1.02], "upload": [1.0]})
    assert "skip / upload is 1.10, must be at least 1.15" in slow
    assert "step / skip is 2.00, must be at least 2.50" in step
    assert "1.020, must be within 1% of 1" in kernels


@pytest.mark.parametrize(("checksums", "check", "code"), [("a", False, 0), ("a", True, 1), ("ab", False, 1)])
def test_what_is_wrong_or_missed_is_1(monkeypatch, words, checksums, check, code):
    monkeypatch.setattr(benchmark, "compare", lambda *_: compared(1.0, checksums=checksums))
    monkeypatch.setattr(benchmark, "kernel_time", lambda *_: {"skip": [2.0], "upload": [1.0]})
    done = run("--device", words, *(["--check"] if check else []))
    assert done.exit_code == code, done.output
