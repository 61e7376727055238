"""What NVRTC makes of options: each is seen in the binary."""

import io
import struct

import pytest
from elftools.elf.elffile import ELFFile

from launchpath._compiler.source.options import Options
from tests.unit.support.rtc import compiled, cuda, failed, needs_nvrtc

pytestmark = [needs_nvrtc, pytest.mark.compiles]

SOURCE = """
__global__ void k(float *x, int n) {
    float v[64];
    for (int i = 0; i < 64; i++) v[i] = sinf(x[i * n]) / x[i + n];
    float s = 0;
    for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j += n) s += v[i] * x[j];
    x[threadIdx.x] = s;
}
"""
UNUSED = """#include <cuda_runtime.h>
static int seen_by_the_host = 3;
static __device__ int helper(int x) { return x; }
__global__ void k(float *x) {
    int unused = 3;
    int set;
    set = 4;
    x[0] = 1;
}
int main() { return seen_by_the_host; }
"""


def binary(**options):
    return compiled(SOURCE, options=Options(**options)).code


def registers(cubin):
    """Registers of a thread, of the only kernel: an entry of kind 0x2f in what the binary says of its kernels."""
    facts = ELFFile(io.BytesIO(cubin)).get_section_by_name(".nv.info").data()
    return next(count for kind, _, count in struct.iter_unpack("<III", facts) if kind == 0x00082F04)


def test_registers():
    assert registers(binary(maxrregcount=24)) <= 24 < registers(binary())
    ptx = compiled(SOURCE, to=cuda("sm_999"), options=Options(maxrregcount=24)).code
    assert b".maxnreg 24\n{" in ptx


def test_line_info():
    assert b"debug_line" in binary() and b"debug_line" in binary(line_info=True)
    assert b"debug_line" not in binary(line_info=False)


def test_code():
    codes = [
        binary(line_info=False, **options)
        for options in ({}, {"fast_math": True}, {"optimization": 0}, {"fmad": False})
    ]
    assert len({*codes}) == 4
    assert len(codes[2]) > len(codes[0])


def test_other_options_reach_nvrtc():
    assert binary(line_info=False, extra=("--ftz=true", "--prec-div=false")) != binary(line_info=False)
    assert "unrecognized option --nonsense" in failed(SOURCE, options=Options(extra=("--nonsense",)))


def test_unused_variables_are_warned_of_where_no_host_code_can_use_them():
    log = compiled(UNUSED).log
    assert 'user.cu:5:9: warning: variable "unused" was declared but never referenced' in log
    assert "user.cu:6:9: warning: variable" in log
    assert "seen_by_the_host" not in log and "helper" not in log
