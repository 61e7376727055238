// A picture of balls and capsules on a plane, by sphere tracing: a ray advances by its distance from the nearest surface,
// until that distance is small.

struct Vec { float x, y, z; };

__device__ inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ inline Vec operator*(float s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }
__device__ inline float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline Vec unit(Vec a) { return rsqrtf(dot(a, a)) * a; }
__device__ inline Vec load(const float* from, int i) { return {from[3 * i], from[3 * i + 1], from[3 * i + 2]}; }

// A capsule is all that is nearer than its radius to a line from middle - axis to middle + axis. A ball has an axis of 0.
struct Scene {
    int bodies;
    const float *middle, *axis, *radius;

    // The distance from the nearest surface. `nearest` is its body, or -1 for the ground.
    __device__ float distance(Vec at, int* nearest) const {
        float least = at.z;
        *nearest = -1;
        for (int i = 0; i < bodies; i++) {
            Vec from = at - load(middle, i), along = load(axis, i);
            float length = dot(along, along);
            float where = length > 0 ? fminf(fmaxf(dot(from, along) / length, -1.0f), 1.0f) : 0.0f;
            Vec rest = from - where * along;
            float far = sqrtf(dot(rest, rest)) - radius[i];
            if (far < least) { least = far; *nearest = i; }
        }
        return least;
    }
};

// How far the ray goes before it meets a surface, or `most`.
__device__ inline float trace(const Scene& scene, Vec from, Vec direction, float most, int* nearest) {
    float gone = 0;
    for (int k = 0; k < MOST_STEPS && gone < most; k++) {
        float far = scene.distance(from + gone * direction, nearest);
        if (far < NEAR) return gone;
        gone += far;
    }
    return fminf(gone, most);
}

// One thread for each pixel. `eye` and the three directions of the camera are four vectors in `camera`.
__global__ void render(int width, int height, int bodies, const float* middle, const float* axis, const float* radius,
                       const float* camera, const float* colours, float* depth, float* picture) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width) return;
    Scene scene = {bodies, middle, axis, radius};
    float right = (2 * (x + 0.5f) - width) / height, up = (height - 2 * (y + 0.5f)) / height;
    Vec eye = load(camera, 0), ray = unit(load(camera, 3) + right * load(camera, 1) + up * load(camera, 2));
    int body, other;
    float gone = trace(scene, eye, ray, FAR, &body);
    depth[y * width + x] = gone;
    Vec colour = {0.93f, 0.95f, 0.98f};  // of the sky
    if (gone < FAR) {
        Vec at = eye + gone * ray, light = unit({0.5f, -0.6f, 1.0f}), normal = {0, 0, 1};
        if (body >= 0) {  // the direction in which the distance grows
            const float h = 0.002f;
            float here = scene.distance(at, &other);
            normal = unit({scene.distance(at + Vec{h, 0, 0}, &other) - here, scene.distance(at + Vec{0, h, 0}, &other) - here,
                           scene.distance(at + Vec{0, 0, h}, &other) - here});
        }
        bool lit = trace(scene, at + 0.02f * normal, light, 8.0f, &other) >= 8.0f;
        float bright = 0.45f + 0.15f * normal.z + (lit ? 0.45f * fmaxf(dot(normal, light), 0.0f) : 0.0f);
        float haze = gone * gone / (FAR * FAR);
        colour = (1 - haze) * bright * load(colours, body + 1) + haze * colour;
    }
    for (int k = 0; k < 3; k++) picture[3 * (y * width + x) + k] = k == 0 ? colour.x : k == 1 ? colour.y : colour.z;
}
