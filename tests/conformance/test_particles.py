"""The example of particles: its pairs and its state are NumPy's to the last bit, in every run."""

import numpy as np
import pytest

import launchpath as lp
from examples import particles

LAYOUT = particles.Layout(200)
STEPS = 8


@pytest.fixture(scope="module")
def program(device):
    return particles.compiled(device)


@pytest.fixture(scope="module")
def simulation(program):
    return particles.Simulation(program, LAYOUT)


@pytest.fixture(scope="module")
def reference():
    """State and pairs of each step, computed by NumPy."""
    state, steps = particles.initial_state(LAYOUT), []
    for _ in range(STEPS):
        *state, pairs = particles.numpy_step(LAYOUT, *state)
        steps.append((particles.checksum(state), pairs))
    return steps


def steps_of(simulation):
    simulation.reset()
    for _ in range(STEPS):
        simulation.run(1)
        yield particles.checksum(simulation.state()), simulation.pairs[-1]


def test_every_step_is_numpys_to_the_last_bit(simulation, reference):
    assert len({pairs for _, pairs in reference}) > STEPS // 2  # the grid changes from step to step
    assert list(steps_of(simulation)) == reference
    assert simulation.problems() == []


def test_two_runs_give_the_same_bytes(program, simulation):
    other = particles.Simulation(program, LAYOUT)
    simulation.reset()
    for each in (simulation, other):
        each.run(STEPS)
    assert [array.tobytes() for array in simulation.state()] == [array.tobytes() for array in other.state()]
    assert simulation.pairs == other.pairs


@pytest.fixture(params=["eager", "with a step"])
def any_simulation(request, program, simulation):
    return simulation if request.param == "eager" else particles.Simulation(program, LAYOUT, with_step=True)


def test_arrays_of_pairs_grow_in_a_step(any_simulation, reference):
    any_simulation.make_room(1)
    assert list(steps_of(any_simulation)) == reference
    assert any_simulation.room >= max(any_simulation.pairs) > 1


def test_with_step_launches_go_in_two_parts(program, reference):
    simulation = particles.Simulation(program, LAYOUT, with_step=True)
    assert list(steps_of(simulation)) == reference
    report = simulation.region.report()
    assert (report.runs, report.submissions, report.direct) == (STEPS, 2 * STEPS, 0)
    assert list(report.early.values()) == [STEPS]  # the reads of the number of pairs
    assert report.commands >= 12 * STEPS


@pytest.mark.parametrize("number", [1, 2, particles.THREADS, particles.THREADS + 1])
def test_few_particles_and_full_blocks(program, number):
    layout = particles.Layout(number)
    simulation = particles.Simulation(program, layout)
    simulation.run(1)
    position, velocity, pairs = particles.numpy_step(layout, *particles.initial_state(layout))
    assert simulation.pairs == [pairs]
    assert particles.checksum(simulation.state()) == particles.checksum((position, velocity))


def test_a_step_without_pairs(program):
    simulation = particles.Simulation(program, particles.Layout(1))
    simulation.run(3)
    assert simulation.pairs == [0, 0, 0]
    assert simulation.problems() == []


def test_numpys_steps_keep_the_energy():
    state = particles.initial_state(LAYOUT)
    before = particles.energy(*state)
    for _ in range(30):
        *state, _ = particles.numpy_step(LAYOUT, *state)
    assert particles.energy(*state) == pytest.approx(before, rel=0.02)


def test_problems_are_listed(simulation):
    simulation.reset()
    position, velocity = simulation.state()
    position[0, 0], velocity[1, 1] = -1, np.nan
    simulation.position.copy_from(position, simulation.stream)
    simulation.velocity.copy_from(velocity, simulation.stream)
    simulation.pairs.append(3)
    assert [problem.split()[-1] for problem in simulation.problems()] == ["finite", "box", "number"]
    simulation.reset()
    assert simulation.problems() == []


# --- the command


def command(monkeypatch, *args):
    monkeypatch.setattr("sys.argv", ["particles.py", *args])
    return particles.main()


@pytest.fixture
def words(device):
    """The device as a command line names it."""
    return str(lp.devices().index(device))


def test_the_command_prints_the_rate_and_the_checksum(monkeypatch, capsys, device, words, simulation):
    simulation.reset()
    simulation.run(STEPS)
    assert command(monkeypatch, "--device", words, "--particles", "200", "--steps", str(STEPS)) == 0
    out = capsys.readouterr().out
    for part in (device.name, ": 200 particles in ", "steps/s", "all well", particles.checksum(simulation.state())):
        assert part in out
    assert command(monkeypatch, "--device", words, "--particles", "200", "--steps", str(STEPS), "--with-step") == 0
    out = capsys.readouterr().out
    for part in ("all well", f"{STEPS + 1} runs: ", particles.checksum(simulation.state())):
        assert part in out


def test_the_command_compares_with_numpy(monkeypatch, capsys, words):
    args = ("--device", words, "--check", "--particles", "60", "--steps", "3")
    for more in ((), ("--with-step",)):
        assert command(monkeypatch, *args, *more) == 0
        assert "identical to NumPy's" in capsys.readouterr().out
    monkeypatch.setattr(particles, "numpy_step", lambda layout, position, velocity: (position, velocity, -1))
    assert command(monkeypatch, *args) == 1
    out = capsys.readouterr().out
    assert "wrong: step 3: expected -1 pairs, got " in out
    assert "wrong: step 3: expected NumPy's positions and velocities, got others" in out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--device", "abacus"], "no device 'abacus'"),
        (["--particles", "0"], "--particles: expected a number of at least 1, got 0"),
        (["--particles", "10000001"], "--particles: expected at most 10000000, got 10000001"),
        (["--check", "--particles", "1001"], "--particles: expected at most 1000 with --check, got 1001"),
        (["--steps", "-1"], "--steps: expected a number of at least 1, got -1"),
    ],
)
def test_misuse_is_refused(monkeypatch, capsys, args, message):
    with pytest.raises(SystemExit) as ended:
        command(monkeypatch, *args)
    assert ended.value.code == 2
    assert f"error: {message}" in capsys.readouterr().err


def test_help_has_the_defaults(monkeypatch, capsys):
    with pytest.raises(SystemExit):
        command(monkeypatch, "--help")
    text = " ".join(capsys.readouterr().out.split())
    for name, (default, checked, _) in particles.SIZES.items():
        assert f"--{name}" in text
        assert f"default: {default}, with --check {checked}" in text
