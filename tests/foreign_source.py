"""SPIR-V as others make it: what Clang writes for OpenCL C, without anything of launchpath's."""

import subprocess
from functools import cache

from launchpath._compiler.clang import frontend
from launchpath._compiler.spirv.module import Instruction, Module, encode_text
from launchpath._compiler.spirv.opcodes import Op

# What OpenCL's own header would declare.
BEFORE = """
#define OVER __attribute__((overloadable))
typedef unsigned char uchar; typedef unsigned short ushort; typedef unsigned int uint; typedef unsigned long ulong;
typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float3 __attribute__((ext_vector_type(3)));
typedef float float4 __attribute__((ext_vector_type(4)));
ulong OVER get_global_id(uint);
ulong OVER get_local_id(uint);
ulong OVER get_group_id(uint);
ulong OVER get_local_size(uint);
void OVER __attribute__((convergent)) barrier(uint);
"""

KERNELS = """
struct Pair { int a; float b; char c; };
struct Inner { double d; struct Pair pairs[2]; };

__kernel void saxpy(__global const float *restrict x, __global float *y, float a, int n) {
    int i = get_global_id(0);
    if (i < n) y[i] += a * x[i];
}

__kernel void block_sum(__global const float *in, __local float *scratch, __global float *out) {
    uint i = get_local_id(0);
    scratch[i] = in[get_global_id(0)];
    for (uint half_ = get_local_size(0) / 2; half_ > 0; half_ /= 2) {
        barrier(1);
        if (i < half_) scratch[i] += scratch[i + half_];
    }
    if (i == 0) out[get_group_id(0)] = scratch[0];
}

__kernel void pair(__global float *out, struct Pair p, struct Inner q) {
    int i = get_global_id(0);
    p.a += i;  // the kernel's own copy, every thread's own
    q.pairs[1].b += p.a;
    out[i] = p.a + p.b * p.c + (float)q.d + q.pairs[0].a + q.pairs[1].b;
}

__kernel void vectors(__global float4 *v, float4 by, float3 three, float2 two, uint n) {
    uint i = get_global_id(0);
    if (i < n) v[i] = v[i] * by + (float4)(three, two.y);
}

__kernel void scalars(__global long *out, char c, uchar uc, short s, ushort us, int i, uint ui, long l, ulong ul) {
    out[0] = c; out[1] = uc; out[2] = s; out[3] = us; out[4] = i; out[5] = ui; out[6] = l; out[7] = ul;
}

__kernel void wide(__global double *out, char first, double d, float f) { out[0] = first + d + f; }

__kernel void lookup(__global float *out, __constant float *table, int n) {
    int i = get_global_id(0);
    out[i] = table[i % n];
}

__kernel __attribute__((reqd_work_group_size(8, 4, 1))) void tile(__global uint *out) {
    out[get_global_id(1) * 8 + get_global_id(0)] = get_local_id(1) * 8 + get_local_id(0);
}

__kernel void nothing(void) {}

__kernel void only_local(__local int *l) { l[get_local_id(0)] = 1; }
"""

GLOBALS = """
__global int counter = 7;
__global float table[4] = {1, 2, 3, 4};
__global float *second = &table[1];
__constant int steps[3] = {10, 20, 30};

__kernel void count(__global int *out) { out[0] = counter++ + steps[out[1]]; }
__kernel void through(__global float *out, __local float *scratch) {
    scratch[0] = second[1] + table[0];
    out[0] = scratch[0];
}
__kernel void bare(void) { counter += 100; }
"""


@cache
def compiled(text: str, version: str = "v1.2", *options: str) -> bytes:
    """Compile OpenCL C to SPIR-V."""
    command = [*frontend.find().command, "-cc1", "-triple", f"spirv64{version}-unknown-unknown", "-x", "cl"]
    command += ["-cl-std=CL2.0", "-O2", "-emit-obj", *options, "-", "-o", "-"]
    done = subprocess.run(command, input=(BEFORE + text).encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def with_notes(data: bytes, notes: dict[str, tuple[str, str]]) -> bytes:
    """Add what LLVM's translator writes of kernels' parameters: their types and qualifiers, by kernel."""
    module = Module.decode(data)
    start = next(at for at, i in enumerate(module.instructions) if i.opcode == Op.Name)
    strings = []
    for kernel, (types, qualifiers) in notes.items():
        for text in (f"kernel_arg_type.{kernel}.{types}", f"kernel_arg_type_qual.{kernel}.{qualifiers}"):
            strings.append(Instruction(Op.String, [module.new_id(), *encode_text(text)]))
    module.instructions[start:start] = strings
    return module.encode()


def renamed(data: bytes, names: dict[str, str]) -> bytes:
    """Give entry points other names, which need not be C's."""
    module = Module.decode(data)
    for entry in module.find(Op.EntryPoint):
        name = entry.text(2)
        entry.words[2 : 2 + len(encode_text(name))] = encode_text(names.get(name, name))
    return module.encode()
