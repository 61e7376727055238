"""Managed variables of programs with host code: on which devices the host may use them."""

from types import SimpleNamespace

import pytest

from launchpath._host.runtime import variables


@pytest.mark.parametrize(
    ("driver", "host_accessible", "concurrent", "reaches"),
    [
        ("opencl", True, False, True),
        ("opencl", False, False, False),
        ("cuda", False, True, True),
        ("cuda", False, False, False),  # the host may use them only while the device is idle
        ("hip", False, True, False),  # hipRTC's are variables of the device
    ],
)
def test_the_host_uses_managed_variables_where_the_device_and_the_compiler_let_it(
    driver, host_accessible, concurrent, reaches
):
    info = {"driver": driver, "host_accessible": host_accessible, "concurrent_managed_access": concurrent}
    assert variables.reaches_variables(SimpleNamespace(info=info)) is reaches
