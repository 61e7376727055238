"""What the benchmarks' kernels in PTX have in common."""

from __future__ import annotations

HEAD = """
.version 7.0
.target sm_70
.address_size 64
"""

# The thread's index goes to %r5. A thread whose index is not below %r1 jumps to `done`.
INDEX = """\
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.s32 %p1, %r5, %r1;
    @%p1 bra done;
"""
