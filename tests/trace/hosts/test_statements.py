"""What chrony, PTP and the kernel say, as their programs print it."""

import pytest

from launchpath._trace.hosts.host_clock import HostClock
from launchpath._trace.hosts.statements import sentences
from launchpath._tracing.clocks.statements import chrony, kernel, ptp

CHRONY = (
    "C0A80101,192.168.1.1,3,1764525600.123456789,-0.000012345,0.000004,0.000020,-15.123,0.001,0.020,"
    "0.000800000,0.000150000,64.2,Normal\n"
)
PTP = """sending: GET TIME_STATUS_NP
	506b4b.fffe.41e2d2-0 seq 0 RESPONSE MANAGEMENT TIME_STATUS_NP
		master_offset              -34
		ingress_time               1764525600123456789
		cumulativeScaledRateOffset +0.000000000
		scaledLastGmPhaseChange    0
		gmTimeBaseIndicator        0
		lastGmPhaseChange          0x0000'0000000000000000.0000
		gmPresent                  true
		gmIdentity                 0cc47a.fffe.aabbcc
sending: GET CURRENT_DATA_SET
	506b4b.fffe.41e2d2-0 seq 1 RESPONSE MANAGEMENT CURRENT_DATA_SET
		stepsRemoved     1
		offsetFromMaster -34.0
		meanPathDelay    612.0
"""


def test_chronys_bound_is_offset_dispersion_and_half_of_the_delay() -> None:
    assert chrony(CHRONY) == {"source": "192.168.1.1", "offset": -12345, "bound": 562_345}


@pytest.mark.parametrize(
    "text",
    ["", "506 Cannot talk to daemon\n", CHRONY.replace("Normal", "Not synchronised"), CHRONY.replace("-0.000012345", "x"),
     CHRONY.replace("-0.000012345", "nan"), ",,,,,,,,,,,,,\n"],
)  # fmt: skip
def test_chrony_without_a_source_says_nothing(text: str) -> None:
    assert chrony(text) == {}


def test_ptps_offset_and_delay() -> None:
    assert ptp(PTP) == {"source": "0cc47a.fffe.aabbcc", "offset": -34, "delay": 612}
    assert ptp(PTP.replace("meanPathDelay    612.0", "")) == {"source": "0cc47a.fffe.aabbcc", "offset": -34, "delay": 0}


@pytest.mark.parametrize(
    "text", ["", PTP.replace("true", "false"), PTP.replace("-34\n", "x\n"), PTP.replace("master_offset", "x")]
)
def test_ptp_without_a_grandmaster_says_nothing(text: str) -> None:
    assert ptp(text) == {}


def test_the_kernel_says_whether_a_daemon_keeps_its_time() -> None:
    told = kernel()
    assert told == {} or (isinstance(told["synchronized"], bool) and told["bound"] >= 0 and told["estimate"] >= 0)


def test_sentences() -> None:
    told = {"chrony": chrony(CHRONY), "ptp": ptp(PTP), "kernel": {"synchronized": True, "bound": 5000}}
    assert sentences(HostClock("x", "node1", statements=told)) == [
        "chrony on node1: the time of day is 12.35us from that of its source, 192.168.1.1, within 562.35us of UTC",
        "ptp on node1: the time of day is 34.00ns from that of its grandmaster, 0cc47a.fffe.aabbcc",
        "the kernel of node1: the time of day is within 5.00us of UTC",
    ]
    damaged = {"chrony": {"offset": "x"}, "ptp": {"offset": 5, "source": 7}, "kernel": {"synchronized": 1}}
    assert sentences(HostClock("x", "", statements=damaged)) == [
        "ptp on a host: the time of day is 5.00ns from that of its grandmaster, which it does not name"
    ]
