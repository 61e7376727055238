"""The corpus of programs with known faults: that it is whole, and what is held against it."""

import ast

import pytest

from benchmarks.findings.catalogue import CPUS, HERE, PROGRAMS, find
from benchmarks.findings.generator import BOUNDS, DEVICE, HOST, NEITHER, drawn
from launchpath._findings.kinds import KINDS


def test_each_kind_has_a_pair_but_the_trace_itself():
    pairs = {program.kinds[0] for program in PROGRAMS if not program.is_application}
    assert pairs == set(KINDS) - {"tracing"}


def test_there_are_five_applications_with_two_faults_each():
    applications = [program for program in PROGRAMS if program.is_application]
    assert len(applications) == 5
    assert all(len(set(program.kinds)) == 2 and set(program.kinds) <= set(KINDS) for program in applications)


def test_all_programs_are_in_the_catalogue():
    helpers = {"__init__", "session", "gallery"}
    files = {path for folder in ("pairs", "apps") for path in (HERE / folder).rglob("*.py") if path.stem not in helpers}
    assert files == {program.file for program in PROGRAMS}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_each_fault_is_marked_at_a_line_of_code(program):
    lines = program.lines()
    assert set(lines) == set(program.kinds)
    tree = ast.parse(program.file.read_text(encoding="utf-8"))
    code = {node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt | ast.expr)}
    assert all(line in code for of_kind in lines.values() for line in of_kind)


def test_most_faults_cost_something_on_each_cpu():
    for device in CPUS:
        pairs = [each for each in PROGRAMS if each.runs_on(device) and not each.is_application]
        free = [each for each in pairs if device in each.free]
        assert free == [find("pairs.own.launch_bound")]
        assert len({each.kinds[0] for each in pairs if each not in free}) == len(KINDS) - 1


def test_a_name_that_is_not_there_is_refused():
    with pytest.raises(KeyError, match="expected a program of the corpus, got 'pairs.own.nothing'"):
        find("pairs.own.nothing")


@pytest.mark.parametrize("seed", range(30))
def test_drawn_programs_are_bound_as_they_say(seed):
    program = drawn(seed)
    assert program == drawn(seed)
    assert program.bound == BOUNDS[seed % 3]
    host, device = sum(program.host), sum(program.device)
    assert len(program.host) == len(program.device) >= 2
    ratio = {HOST: host / device, DEVICE: device / host, NEITHER: max(host / device, device / host)}[program.bound]
    assert ratio <= 1.26 if program.bound == NEITHER else ratio >= 2.19
    assert 1000 < max(host, device) < 5000 or (program.bound == NEITHER and 400 < host < 3000)
