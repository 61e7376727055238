import platform
import sys

import pytest

from tests.programs_host.build import Builder


@pytest.fixture
def build(tmp_path, monkeypatch, capfd):
    if not sys.platform.startswith("linux") or platform.machine() != "x86_64":
        pytest.skip("programs with host code are for Linux on x86-64")
    pytest.importorskip("ziglang")
    monkeypatch.chdir(tmp_path)
    return Builder(tmp_path, capfd)
