"""The kernels of ``bench generated`` by hand in OpenCL C, by name.

``INDEX`` is the type of indices: ``int``, as in the HIP C++, or ``size_t``, as OpenCL's functions have it.
"""

from __future__ import annotations

SOURCES = {
    "saxpy": """
kernel void saxpy(int n, float a, global const float* restrict x, global const float* restrict y,
                  global float* restrict z) {
    INDEX i = get_global_id(0);
    if (i < n) z[i] = a * x[i] + y[i];
}
""",
    "reduction": """
kernel void reduction(global const float* in, global float* out, int n) {
    local float part[256];
    INDEX me = get_local_id(0);
    float sum = 0;
    for (INDEX i = get_group_id(0) * 256 + me; i < n; i += 256 * get_num_groups(0)) sum += in[i];
    part[me] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_ = 128; half_ > 0; half_ /= 2) {
        if (me < half_) part[me] += part[me + half_];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (me == 0) out[get_group_id(0)] = part[0];
}
""",
    "stencil": """
kernel void stencil(global const float* in, global float* out, int width, int height) {
    local float tile[18][18];
    INDEX x = get_group_id(0) * 16 + get_local_id(0), y = get_group_id(1) * 16 + get_local_id(1);
    INDEX tx = get_local_id(0) + 1, ty = get_local_id(1) + 1;
    tile[ty][tx] = in[y * width + x];
    if (tx == 1) tile[ty][0] = in[y * width + max((int)x - 1, 0)];
    if (tx == 16) tile[ty][17] = in[y * width + min((int)x + 1, width - 1)];
    if (ty == 1) tile[0][tx] = in[max((int)y - 1, 0) * width + x];
    if (ty == 16) tile[17][tx] = in[min((int)y + 1, height - 1) * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    float ring = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
    out[y * width + x] = 0.5f * tile[ty][tx] + 0.125f * ring;
}
""",
    "matmul": """
kernel void matmul(global const float* restrict a, global const float* restrict b, global float* restrict c, int n) {
    local float as[16][16], bs[16][16];
    const INDEX tx = get_local_id(0), ty = get_local_id(1);
    const INDEX row = get_group_id(1) * 16 + ty, column = get_group_id(0) * 16 + tx;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        as[ty][tx] = a[row * n + k + tx];
        bs[ty][tx] = b[(k + ty) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 16; ++i) sum += as[ty][i] * bs[i][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}
""",
    "nbody": """
float3 pull(float3 sum, float4 on, float4 by) {
    float dx = by.x - on.x, dy = by.y - on.y, dz = by.z - on.z;
    float inverse = rsqrt(dx * dx + dy * dy + dz * dz + 0.01f);
    float s = by.w * inverse * inverse * inverse;
    return (float3)(sum.x + dx * s, sum.y + dy * s, sum.z + dz * s);
}

kernel void nbody(global const float4* bodies, global float4* forces, int n) {
    local float4 tile[128];
    INDEX i = get_global_id(0);
    float4 mine = bodies[i];
    float3 sum = (float3)(0, 0, 0);
    for (int base = 0; base < n; base += 128) {
        tile[get_local_id(0)] = bodies[base + get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 128; ++j) sum = pull(sum, mine, tile[j]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    forces[i] = (float4)(sum.x, sum.y, sum.z, mine.w);
}
""",
    "histogram": """
kernel void histogram(global const uint* words, volatile global uint* bins, int n) {
    local uint counts[256];
    counts[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (INDEX i = get_global_id(0); i < n; i += get_global_size(0)) {
        uint word = words[i];
        atomic_add(&counts[word & 255], 1);
        atomic_add(&counts[word >> 8 & 255], 1);
        atomic_add(&counts[word >> 16 & 255], 1);
        atomic_add(&counts[word >> 24], 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[get_local_id(0)], counts[get_local_id(0)]);
}
""",
    "black_scholes": """
float normal(float d) {
    float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float p = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float tail = 0.39894228f * exp(-0.5f * d * d) * p;
    return d > 0 ? 1.0f - tail : tail;
}

kernel void black_scholes(global float* restrict call, global float* restrict put, global const float* restrict price,
                          global const float* restrict strike, global const float* restrict years, float rate,
                          float vol, int n) {
    INDEX i = get_global_id(0);
    if (i >= n) return;
    float S = price[i], X = strike[i], T = years[i];
    float root = sqrt(T);
    float d1 = (log(S / X) + (rate + 0.5f * vol * vol) * T) / (vol * root);
    float d2 = d1 - vol * root;
    float discounted = X * exp(-rate * T);
    float c1 = normal(d1), c2 = normal(d2);
    call[i] = S * c1 - discounted * c2;
    put[i] = discounted * (1.0f - c2) - S * (1.0f - c1);
}
""",
    "transpose": """
kernel void transpose(global float* to, global const float* from, int width, int height) {
    local float tile[16][17];
    INDEX x = get_group_id(0) * 16 + get_local_id(0), y = get_group_id(1) * 16 + get_local_id(1);
    tile[get_local_id(1)][get_local_id(0)] = from[y * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * 16 + get_local_id(0);
    y = get_group_id(0) * 16 + get_local_id(1);
    to[y * height + x] = tile[get_local_id(0)][get_local_id(1)];
}
""",
    "mandelbrot": """
kernel void mandelbrot(global int* out, int side, int limit) {
    INDEX x = get_global_id(0), y = get_global_id(1);
    float cr = 3.0f * x / side - 2.0f, ci = 3.0f * y / side - 1.5f, zr = 0, zi = 0;
    int i = 0;
    for (; i < limit && zr * zr + zi * zi <= 4.0f; ++i) {
        float t = zr * zr - zi * zi + cr;
        zi = zr * zi + zi * zr + ci;
        zr = t;
    }
    out[y * side + x] = i;
}
""",
    "spmv": """
kernel void spmv(int n, global const int* rows, global const int* columns, global const float* values,
                 global const float* x, global float* y) {
    INDEX row = get_global_id(0);
    if (row >= n) return;
    float sum = 0;
    for (int j = rows[row]; j < rows[row + 1]; ++j) sum += values[j] * x[columns[j]];
    y[row] = sum;
}
""",
}
