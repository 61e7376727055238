// Rays against spheres and a plane: a small tracer with shadows and mirrors, all of it classes.
#include <cuda_runtime.h>

#include <fstream>
#include <iostream>
#include <vector>

#include "vec3.h"

#define checked(val) checkResult((val), #val, __FILE__, __LINE__)
void checkResult(cudaError_t result, char const* const what, const char* const file, int const line) {
    if (result) {
        std::cerr << "CUDA error = " << static_cast<unsigned int>(result) << " at " << file << ":" << line << " '" << what
                  << "' \n";
        cudaDeviceReset();
        exit(99);
    }
}

struct Ray {
    Vec3 origin, direction;
    __device__ Vec3 at(float t) const { return origin + t * direction; }
};

struct Hit {
    float t = 1e30f;
    Vec3 place, normal, colour;
    float mirror = 0.0f;
    __device__ explicit operator bool() const { return t < 1e30f; }
};

struct Sphere {
    Vec3 centre;
    float radius;
    Vec3 colour;
    float mirror;

    __device__ bool intersect(const Ray& ray, Hit& hit) const {
        const Vec3 oc = ray.origin - centre;
        const float b = dot(oc, ray.direction);
        const float discriminant = b * b - (oc.squaredLength() - radius * radius);
        if (discriminant <= 0.0f) return false;
        const float root = sqrtf(discriminant);
        float t = -b - root;
        if (t < 1e-3f) t = -b + root;
        if (t < 1e-3f || t >= hit.t) return false;
        hit.t = t;
        hit.place = ray.at(t);
        hit.normal = (hit.place - centre) * (1.0f / radius);
        hit.colour = colour;
        hit.mirror = mirror;
        return true;
    }
};

class World {
  public:
    World(const Sphere* spheres, int count) : spheres_(spheres), count_(count) {}
    __device__ Hit trace(const Ray& ray) const {
        Hit hit;
        for (int i = 0; i < count_; ++i) spheres_[i].intersect(ray, hit);
        if (ray.direction.y() < 0) {
            const float t = -(ray.origin.y() + 1.0f) / ray.direction.y();
            if (t > 1e-3f && t < hit.t) {
                hit.t = t;
                hit.place = ray.at(t);
                hit.normal = Vec3(0, 1, 0);
                hit.mirror = 0.0f;
                const int checks = (int)floorf(hit.place.x()) + (int)floorf(hit.place.z());
                hit.colour = (checks & 1) ? Vec3(0.9f) : Vec3(0.2f);
            }
        }
        return hit;
    }

  private:
    const Sphere* spheres_;
    int count_;
};

__device__ Vec3 background(const Vec3& d) {
    const float t = 0.5f * (d.y() + 1.0f);
    return (1.0f - t) * Vec3(1.0f) + t * Vec3(0.5f, 0.7f, 1.0f);
}

// Mirrors are followed in a loop: no recursion on a device.
__global__ void render(Vec3* frame, int width, int height, World world, Vec3 light) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x, j = threadIdx.y + blockIdx.y * blockDim.y;
    if (i >= width || j >= height) return;
    const float u = (2.0f * (i + 0.5f) - width) / height, v = (height - 2.0f * (j + 0.5f)) / height;
    Ray ray{Vec3(0, 0, 1), Vec3(u, v, -1.5f).unit()};
    Vec3 result, share(1.0f);
    for (int bounce = 0; bounce < 4; ++bounce) {
        const Hit hit = world.trace(ray);
        if (!hit) {
            result += share * background(ray.direction);
            break;
        }
        const Ray toLight{hit.place, light};
        const float lit = world.trace(toLight) ? 0.1f : fmaxf(0.1f, dot(hit.normal, light));
        result += share * hit.colour * (lit * (1.0f - hit.mirror));
        if (hit.mirror == 0.0f) break;
        share *= hit.mirror;
        ray = Ray{hit.place, ray.direction - 2.0f * dot(ray.direction, hit.normal) * hit.normal};
    }
    frame[j * width + i] = result;
}

// Only where, for tests: distance along the ray and number of the sphere.
__global__ void nearestHits(const Vec3* origins, const Vec3* directions, const Sphere* spheres, int count, float2* out, int n) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    const Ray ray{origins[i], directions[i]};
    Hit hit;
    int which = -1;
    for (int s = 0; s < count; ++s)
        if (spheres[s].intersect(ray, hit)) which = s;
    out[i] = make_float2(hit ? hit.t : -1.0f, static_cast<float>(which));
}

int main() {
    const int nx = 320, ny = 200;
    std::vector<Sphere> spheres = {{Vec3(0, 0, -3), 1.0f, Vec3(0.8f, 0.3f, 0.3f), 0.5f},
                                   {Vec3(1.5f, -0.5f, -2), 0.5f, Vec3(0.3f, 0.8f, 0.3f), 0.0f}};
    Sphere* d_spheres;
    Vec3* fb;
    checked(cudaMalloc((void**)&d_spheres, spheres.size() * sizeof(Sphere)));
    checked(cudaMemcpy(d_spheres, spheres.data(), spheres.size() * sizeof(Sphere), cudaMemcpyHostToDevice));
    checked(cudaMallocManaged((void**)&fb, nx * ny * sizeof(Vec3)));
    World world(d_spheres, (int)spheres.size());
    render<<<dim3(nx / 8, ny / 8), dim3(8, 8)>>>(fb, nx, ny, world, Vec3(1, 1, 1).unit());
    checked(cudaGetLastError());
    checked(cudaDeviceSynchronize());
    std::cout << "P3\n" << nx << " " << ny << "\n255\n";
    for (int at = 0; at < nx * ny; at++) std::cout << 255.99f * fb[at] << "\n";
    checked(cudaFree(fb));
    checked(cudaFree(d_spheres));
    cudaDeviceReset();
}
