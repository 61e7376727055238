"""The corpus: what kernels in the style of published benchmarks compute, on every device."""

import pytest

import launchpath as lp
from launchpath._compiler.kernels.instance import normal
from tests.corpus import host_pass
from tests.corpus.cases import load
from tests.corpus.registry import Case, Source
from tests.corpus.run import compile_source, features, kernels, run

CASES = [case for cases in load().values() for case in cases]
SOURCES = list({case.source.key: case.source for case in CASES}.values())
# What an error says of a feature that a device has not.
WARP_FUNCTION = r"'__(shfl|ballot|any|all)\w*(<\w+>)?'"
NAMED = {"warps": f"{WARP_FUNCTION} is unavailable: warp functions need sub-groups.* such as Intel's OpenCL"}


class Programs:
    """The programs of the corpus for a device, each compiled once."""

    def __init__(self, device):
        self.device = device
        self.programs: dict[str, lp.Program] = {}
        self.first: dict[str, set[str]] = {}  # the kernels that were there before any was looked up

    def __getitem__(self, source: Source) -> lp.Program:
        if source.key not in self.programs:
            with host_pass.once():
                self.programs[source.key] = program = compile_source(source, self.device)
            self.first[source.key] = {normal(name) for name in program.kernels}
        return self.programs[source.key]


@pytest.fixture(scope="session")
def programs(device):
    return Programs(device)


def expressible(cases: list[Case], device: lp.Device) -> list[Case]:
    return [case for case in cases if case.source.needs <= features(device)]


@pytest.mark.sample(8)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_right(case, device, programs):
    missing = case.source.needs - features(device)
    if not missing:
        run(case, programs[case.source], device)
        return
    with pytest.raises(lp.CompileError, match=NAMED[min(missing)]):
        programs[case.source]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.key)
@pytest.mark.sample(6)
def test_what_the_host_code_launches_is_instantiated(source, device, programs):
    if not source.needs <= features(device):
        pytest.skip(f"the device has no {', '.join(source.needs - features(device))}")
    assert programs[source]
    launched = {launch.kernel for case in CASES if case.source is source for launch in case.launches}
    assert {normal(name) for name in launched - set(source.later)} <= programs.first[source.key]


def test_most_of_the_corpus_is_for_every_device(device):
    everything, here = kernels(CASES), kernels(expressible(CASES, device))
    assert len(everything) >= 200
    assert len(here) >= 0.9 * len(everything)
