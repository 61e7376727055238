"""Impossible states end the process in a build that looks for them, and only there."""

import os
import signal
import subprocess
import sys

import pytest

import launchpath as lp
from launchpath import _core
from tests.simulated import Machine

BREAK = """
from launchpath import _core
from tests.simulated import Machine
with Machine() as machine:
    _core.break_contract(machine.streams(("blocking",))[0])
"""


def test_the_variant_under_test_is_what_is_imported() -> None:
    assert _core.asserts_on() == ("LAUNCHPATH_TEST_VARIANT" in os.environ)


@pytest.mark.skipif(not _core.asserts_on(), reason="this build looks for no impossible states: see make test-asserts")
def test_a_broken_contract_ends_the_process() -> None:
    answer = subprocess.run([sys.executable, "-c", BREAK], check=False, capture_output=True, text=True, timeout=60)
    assert answer.returncode == -signal.SIGABRT
    assert "queue.pxi:" in answer.stderr
    assert "impossible state: expected lp_lock_held(queue->lock)" in answer.stderr


@pytest.mark.skipif(_core.asserts_on(), reason="it would end the process")
def test_no_contract_is_broken_in_other_builds(machine: Machine) -> None:
    with pytest.raises(lp.LaunchpathError, match="LAUNCHPATH_BUILD_ASSERTS"):
        _core.break_contract(machine.streams(("blocking",))[0])
