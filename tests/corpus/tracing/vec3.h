#ifndef VEC3_H
#define VEC3_H

#include <cmath>
#include <iostream>

class Vec3 {
  public:
    __host__ __device__ Vec3() : e{0, 0, 0} {}
    __host__ __device__ Vec3(float x, float y, float z) : e{x, y, z} {}
    __host__ __device__ explicit Vec3(float all) : Vec3(all, all, all) {}

    __host__ __device__ float x() const { return e[0]; }
    __host__ __device__ float y() const { return e[1]; }
    __host__ __device__ float z() const { return e[2]; }
    __host__ __device__ const float& operator[](int i) const { return e[i]; }
    __host__ __device__ float& operator[](int i) { return e[i]; }

    __host__ __device__ Vec3 operator-() const { return Vec3(-e[0], -e[1], -e[2]); }
    __host__ __device__ Vec3& operator+=(const Vec3& v);
    __host__ __device__ Vec3& operator*=(float t) {
        for (float& each : e) each *= t;
        return *this;
    }
    __host__ __device__ float squaredLength() const { return e[0] * e[0] + e[1] * e[1] + e[2] * e[2]; }
    __host__ __device__ float length() const { return sqrtf(squaredLength()); }
    __host__ __device__ Vec3 unit() const;

  private:
    float e[3];
};

inline __host__ __device__ Vec3& Vec3::operator+=(const Vec3& v) {
    e[0] += v.e[0];
    e[1] += v.e[1];
    e[2] += v.e[2];
    return *this;
}

__host__ __device__ inline Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
__host__ __device__ inline Vec3 operator-(const Vec3& a, const Vec3& b) { return a + -b; }
__host__ __device__ inline Vec3 operator*(Vec3 v, float t) { return v *= t; }
__host__ __device__ inline Vec3 operator*(float t, Vec3 v) { return v *= t; }
__host__ __device__ inline Vec3 operator*(const Vec3& a, const Vec3& b) { return {a[0] * b[0], a[1] * b[1], a[2] * b[2]}; }
__host__ __device__ inline float dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
__host__ __device__ inline Vec3 cross(const Vec3& a, const Vec3& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline __host__ __device__ Vec3 Vec3::unit() const { return *this * (1.0f / length()); }

inline std::ostream& operator<<(std::ostream& out, const Vec3& v) {
    return out << v[0] << ' ' << v[1] << ' ' << v[2];
}

#endif  // VEC3_H
