"""dim3 and the vector types: CUDA's sizes, what may be done with them, HIP's operators and CUDA's want of them."""

import numpy as np
import pytest

import launchpath as lp

# Size and alignment of the types of one to four elements (CUDA C++ Programming Guide, "Built-in Vector Types").
LAYOUT = {
    "char": [(1, 1), (2, 2), (3, 1), (4, 4)],
    "uchar": [(1, 1), (2, 2), (3, 1), (4, 4)],
    "short": [(2, 2), (4, 4), (6, 2), (8, 8)],
    "ushort": [(2, 2), (4, 4), (6, 2), (8, 8)],
    "int": [(4, 4), (8, 8), (12, 4), (16, 16)],
    "uint": [(4, 4), (8, 8), (12, 4), (16, 16)],
    "long": [(8, 8), (16, 16), (24, 8), (32, 16)],
    "ulong": [(8, 8), (16, 16), (24, 8), (32, 16)],
    "longlong": [(8, 8), (16, 16), (24, 8), (32, 16)],
    "ulonglong": [(8, 8), (16, 16), (24, 8), (32, 16)],
    "float": [(4, 4), (8, 8), (12, 4), (16, 16)],
    "double": [(8, 8), (16, 16), (24, 8), (32, 16)],
}


# What makes a source CUDA's or HIP's.
DIALECTS = {"hip": "#include <hip/hip_runtime.h>\n", "cuda": "#include <cuda_runtime.h>\n"}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_sizes_and_alignments_are_cudas(device, dialect):
    types = [f"{name}{count}" for name in LAYOUT for count in range(1, 5)]
    stores = "\n".join(f"out[{2 * i}] = sizeof({t}); out[{2 * i + 1}] = alignof({t});" for i, t in enumerate(types))
    program = lp.compile(DIALECTS[dialect] + f"__global__ void k(int* out) {{ {stores} }}", device)
    out = lp.zeros((len(types), 2), "int32", device)
    program.k[1, 1](out)
    got = {name: tuple(row) for name, row in zip(types, out.to_numpy().tolist(), strict=True)}
    assert got == {f"{name}{n}": layout for name, of in LAYOUT.items() for n, layout in enumerate(of, 1)}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_vectors_are_created_copied_and_kept_in_unions_structs_and_shared_memory(device, dialect):
    source = (
        DIALECTS[dialect]
        + r"""
    struct Particle { float4 place; float3 speed; };
    union Bits { float4 vector; float element[4]; unsigned bits[4]; };
    __constant__ float4 table[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    constexpr int2 pair = {3, 4};
    __device__ float4 twice(float4 v) { return make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w); }
    __global__ void k(float* out, const float4* in, Particle by_value, uchar4 color) {
        __shared__ float4 scratch[32];
        int i = threadIdx.x;
        scratch[i] = in[i];
        __syncthreads();
        float4 v = scratch[31 - i];
        Bits b;
        b.vector = v;
        float4 brace = {1.0f, 2.0f, 3.0f, 4.0f}, zero = {}, list{5, 6, 7, 8};
        float3 three = make_float3(v.x, v.y, v.z);
        Particle p = by_value;
        p.speed.y += 1;
        float* row = out + 16 * i;
        row[0] = b.element[2]; row[1] = table[i % 2].w; row[2] = zero.x + brace.y + list.z; row[3] = three.z;
        row[4] = p.place.w; row[5] = p.speed.y; row[6] = color.x + color.w; row[7] = pair.y;
        ((float4*)row)[2] = twice(v);
        float4 many[4];
        for (int j = 0; j < 4; ++j) many[j] = make_float4(j, j, j, i);
        row[12] = many[i % 4].x; row[13] = many[3].w; row[14] = (&v.x)[3];
        int2 q = make_int2(i, -i);
        q.x += q.y;
        row[15] = q.x;
    }
    """
    )
    values = np.arange(128, dtype="float32").reshape(32, 4)
    out = lp.zeros((32, 16), "float32", device)
    particle = np.zeros(1, [("place", "f4", 4), ("speed", "f4", 3), ("pad", "f4")])
    particle["place"][0], particle["speed"][0] = [1, 2, 3, 4], [5, 6, 7]
    color = np.array([200, 0, 0, 100], "uint8")
    lp.compile(source, device).k[1, 32](out, lp.asarray(values, device=device), particle.tobytes(), color.tobytes())
    i, v = np.arange(32), values[::-1]
    ones = np.ones(32)
    wanted = [
        v[:, 2], 4 + 4 * (i % 2), 9 * ones, v[:, 2], 4 * ones, 7 * ones, 300 * ones, 4 * ones,
        *(2 * v.T), i % 4, i, v[:, 3], 0 * i,
    ]  # fmt: skip
    assert (out.to_numpy() == np.array(wanted).T).all()


def test_hips_operators_go_element_by_element(device, native):
    source = r"""
    #include <hip/hip_runtime.h>
    __device__ void put(float*& out, float4 v) { *out++ = v.x; *out++ = v.y; *out++ = v.z; *out++ = v.w; }
    __global__ void k(float* out) {
        float4 a(1, 2, 3, 4), b(4, 3, 2, 1), c(2.0f), d = a;
        put(out, a + b); put(out, a - b); put(out, a * c); put(out, a / c);
        put(out, -a); put(out, a * 2); put(out, 3.0f - a);
        d += b; put(out, d); d -= 1; put(out, d); d *= c; put(out, d); d /= 2.0; put(out, d);
        int4 i(5, 6, 7, 8), j = i % 4 + (i << 1);
        i &= 3; ++j; j++;
        put(out, float4(i.x, i.y, i.z, i.w)); put(out, float4(j.x, j.y, j.z, j.w));
        uchar4 u = make_uchar4(250, 1, 2, 3) + make_uchar4(10, 1, 1, 1);
        put(out, float4(u.x, u.y, u.z, u.w));
        const float4 e = a;
        put(out, float4(a == e, a != e, a == b, (a * b != b * a)));
        HIP_vector_type<float, 2> f(1.5f, 2.5f);
        f *= make_float2(2, 2);
        put(out, float4(f.x, f.y, float3(1, 2, 3).z, float1(7).x));
    }
    """
    if device.info["dialect"] == "cuda":
        # CUDA's vectors have no constructors, and are no templates: hipcc for NVIDIA's devices refuses these, too.
        source = source.replace("float4 a(1, 2, 3, 4), b(4, 3, 2, 1), c(2.0f), d = a;",
                                "float4 a{1, 2, 3, 4}, b{4, 3, 2, 1}, c{2, 2, 2, 2}, d = a;")  # fmt: skip
        source = source.replace("int4 i(5, 6, 7, 8), j", "int4 i{5, 6, 7, 8}, j")
        source = source.replace("float4(", "make_float4(").replace("make_make_", "make_")
        source = source.replace("HIP_vector_type<float, 2> f(1.5f, 2.5f);", "float2 f{1.5f, 2.5f};")
        source = source.replace("float3(1, 2, 3).z, float1(7).x", "make_float3(1, 2, 3).z, make_float1(7).x")
    out = lp.zeros((16, 4), "float32", device)
    lp.compile(source, device).k[1, 1](out)
    a, b = np.array([1, 2, 3, 4.0]), np.array([4, 3, 2, 1.0])
    i = np.array([5, 6, 7, 8])
    wanted = [
        a + b, a - b, 2 * a, a / 2, -a, 2 * a, 3 - a, a + b, a + b - 1, 2 * (a + b - 1), a + b - 1,
        i & 3, i % 4 + 2 * i + 2, [4, 2, 3, 4], [1, 0, 0, 0], [3, 5, 3, 7],
    ]  # fmt: skip
    assert out.to_numpy().tolist() == [list(row) for row in wanted]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_program_brings_its_own_operators(device, dialect):
    source = (
        DIALECTS[dialect]
        + r"""
    inline __host__ __device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, 100); }
    inline __host__ __device__ float3 operator*(float s, const float3& a) { return make_float3(s * a.x, s * a.y, 200); }
    inline __host__ __device__ void operator+=(float3& a, float3 b) { a = a + b; }
    inline __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y; }
    __global__ void k(float* out) {
        float3 a = make_float3(1, 2, 3), b = a + a, c = 2.0f * a;
        a += b;
        out[0] = b.z; out[1] = c.z; out[2] = a.y; out[3] = dot(a, c);
    }
    """
    )
    out = lp.zeros(4, "float32", device)
    lp.compile(source, device).k[1, 1](out)
    assert out.to_numpy().tolist() == [100, 200, 6, 30]


@pytest.mark.opencl_only("NVRTC's own vectors are aggregates")
def test_a_number_is_no_hip_vector_for_a_programs_function(device):
    source = """#include <hip/hip_runtime.h>
    __device__ int taken(float4, int, unsigned) { return 1; }
    template <class T> __device__ int taken(T, unsigned, int) { return 2; }
    __global__ void k(float4* v, int* o) { o[0] = taken(v[0].x, 1, 32u); o[1] = taken(v[0], 1, 32u);
        float4 none = {0};  // as CUDA's programs have it
        v[0] = float4(3) + none;
    }
    """
    out, vectors = lp.zeros(2, "int32", device), lp.zeros(4, "float32", device)
    lp.compile(source, device).k[1, 1](vectors, out)
    assert out.to_numpy().tolist() == [2, 1]
    assert vectors.to_numpy().tolist() == [3] * 4


def test_cuda_has_no_operators_on_vectors(device):
    source = "#include <cuda_runtime.h>\n__global__ void k(float4* v) {\n    v[0] = v[1] + v[2];\n}\n"
    with pytest.raises(lp.CompileError, match='operands to binary expression|no operator "\\+" matches these operands'):
        lp.compile(source, device)


def test_dim3_and_the_index_built_ins(device):
    source = r"""
    __device__ unsigned sum(dim3 d) { return d.x + 10 * d.y + 100 * d.z; }
    __device__ unsigned sum3(uint3 d) { return d.x + 10 * d.y + 100 * d.z; }
    template <class T> __device__ unsigned size_of(T) { return sizeof(T); }
    __global__ void k(unsigned* out) {
        if (sum(threadIdx) + sum(blockIdx) != 0) return;
        dim3 one, two(2), list = {3u, 4u};
        uint3 asked = blockDim;
        dim3 grid = gridDim;
        auto x = blockDim.x;
        out[0] = sum(one); out[1] = sum(two); out[2] = sum(list); out[3] = sum3(asked); out[4] = sum(grid);
        out[5] = size_of(threadIdx.x); out[6] = x; out[7] = warpSize; out[8] = sum3(list);
        out[9] = hipBlockDim_y + hipThreadIdx_x + min(blockDim.z, 7u);
    }
    """
    out = lp.zeros(10, "uint32", device)
    lp.compile(source, device).k[(2, 3, 4), (4, 2, 3)](out)
    assert out.to_numpy().tolist() == [111, 112, 143, 324, 432, 4, 4, 32, 143, 5]


def test_vectors_of_the_samples_helpers(device):
    program = lp.compile("""
        #include <helper_math.h>
        __global__ void k(float* out, int* whole) {
            int i = 0, j = 0;
            auto put3 = [&](float3 v) { out[i++] = v.x; out[i++] = v.y; out[i++] = v.z; };
            float3 a = make_float3(1, 2, 2), b = make_float3(4.0f);
            put3(a + b * 2.0f - 1.0f / make_float3(1, 2, 4));
            a += b; a -= b; a *= 3.0f; a /= 3.0f;
            put3(-normalize(a) * length(a) * 3.0f / 3.0f);
            put3(cross(a, make_float3(0, 0, 1)));
            put3(clamp(lerp(a, b, 0.5f), 0.0f, 2.75f));
            put3(fminf(a, make_float3(make_float4(9, 1, 9, 9))) + fmaxf(make_float3(make_int3(1, 2, 3)), a));
            put3(reflect(a, make_float3(0, 1, 0)));
            out[i++] = dot(make_float4(a, 2), make_float4(1));
            int3 c = make_int3(1, 2, 3) * 2 + make_int3(1), d = clamp(max(c, make_int3(4)), 0, 6);
            uint2 e = make_uint2(make_int2(7)) - 2u;
            whole[j++] = c.x; whole[j++] = c.z; whole[j++] = d.x; whole[j++] = d.y; whole[j++] = d.z; whole[j++] = e.y;
            whole[j++] = dot(c, d); whole[j++] = clamp(9, 2, 5);
        }
        """, device)  # fmt: skip
    out, whole = lp.zeros(19, "float32", device), lp.zeros(8, "int32", device)
    program.k[1, 1](out, whole)
    wanted = [8, 9.5, 9.75, -1, -2, -2, 2, -1, 0, 2.5, 2.75, 2.75, 2, 3, 5, 1, -2, 2, 7]
    assert np.allclose(out.to_numpy(), wanted)
    assert whole.to_numpy().tolist() == [3, 7, 4, 5, 6, 5, 3 * 4 + 5 * 5 + 7 * 6, 5]


MEMBERS = """
struct Words { unsigned x, y, z, w; };
template <class V, bool BY_POINTER> __global__ void turn(unsigned* out, const unsigned* from) {
  unsigned t = threadIdx.x, at = t % 4, x = from[t], sum = 0;
  V v = {x, x + 1, x + 2, x + 3};
  for (unsigned i = t; i < 640; i += 64) {
    sum = 5 * sum + (BY_POINTER ? *(&v.x + at) : (&v.x)[at]);
    if (++at == 4) {
      at = 0;
      x++;
      v = {x, x + 1, x + 2, x + 3};
    }
  }
  out[t] = sum;
}
"""


@pytest.mark.parametrize("name", ["turn<uint4, false>", "turn<uint4, true>", "turn<Words, false>", "turn<Words, true>"])
def test_elements_by_number_from_the_first_member(device, name):
    x = np.arange(64, dtype="uint32") * 1000
    out = lp.zeros(64, "uint32", device)
    lp.compile(MEMBERS, device, names=[name])[name][1, 64](out, lp.asarray(x, device=device))
    sums, at = np.zeros(64, "uint32"), np.arange(64, dtype="uint32") % 4
    for _ in range(10):
        sums = 5 * sums + x + at
        x, at = x + (at == 3), (at + 1) % 4
    assert (out.to_numpy() == sums).all()


@pytest.mark.opencl_only("NVRTC's own vectors are aggregates")
def test_elements_by_index_as_in_hip(device):
    kernel = lp.compile("""
    __global__ void k(uint4 v, float3 w, float *out) {
      int i = threadIdx.x;
      out[i] = v.data[i];
      v.data[i] += 10u;
      out[4 + i] = v.x + v.y + v.z + v.w;
      if (i < 3) w.data[i] = 0.5f;
      out[8 + i] = w.x + w.y + w.z;
    }
    static_assert(sizeof(uint4) == 16 && sizeof(float3) == 12 && sizeof(char2) == 2);
    """, device, language="hip").k  # fmt: skip
    out = lp.zeros(12, "float32", device)
    kernel[1, 4](
        np.array((1, 2, 3, 4), [(name, "u4") for name in "xyzw"])[()],
        np.array((1, 2, 3), [(name, "f4") for name in "xyz"])[()],
        out,
    )
    assert out.to_numpy().tolist() == [1, 2, 3, 4, 20, 20, 20, 20, 5.5, 4.5, 3.5, 6]
