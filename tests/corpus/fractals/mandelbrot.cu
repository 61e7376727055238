// Mandelbrot and Julia sets with a class for complex numbers; Newton's fractal for the roots of z^3 = 1.
#include <cuda_runtime.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

template <typename T>
class Complex {
  public:
    T re, im;
    __host__ __device__ Complex(T re = T(0), T im = T(0)) : re(re), im(im) {}
    __host__ __device__ T norm2() const { return re * re + im * im; }
    __host__ __device__ Complex& operator+=(const Complex& other) {
        re += other.re;
        im += other.im;
        return *this;
    }
    friend __host__ __device__ Complex operator+(Complex a, const Complex& b) { return a += b; }
    friend __host__ __device__ Complex operator-(const Complex& a, const Complex& b) {
        return Complex(a.re - b.re, a.im - b.im);
    }
    friend __host__ __device__ Complex operator*(const Complex& a, const Complex& b) {
        return Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
    }
    friend __host__ __device__ Complex operator/(const Complex& a, const Complex& b) {
        const T d = b.norm2();
        return Complex((a.re * b.re + a.im * b.im) / d, (a.im * b.re - a.re * b.im) / d);
    }
};

enum class Palette : int { Grey, Fire, Bits };

struct Viewport {
    double left, top, step;
};

__device__ uchar4 colour(int iterations, int limit, Palette palette) {
    if (iterations == limit) return make_uchar4(0, 0, 0, 255);
    const unsigned char level = static_cast<unsigned char>(255 * iterations / limit);
    switch (palette) {
        case Palette::Grey: return make_uchar4(level, level, level, 255);
        case Palette::Fire: return make_uchar4(level, level / 2, 0, 255);
        case Palette::Bits: break;
    }
    return make_uchar4((iterations & 7) << 5, (iterations & 56) << 2, iterations & 192, 255);
}

template <typename T>
__device__ int escape(Complex<T> z, const Complex<T> c, int limit) {
    int i = 0;
    for (; i < limit && z.norm2() <= T(4); ++i) z = z * z + c;
    return i;
}

template <typename T>
__global__ void mandelbrot(int* iterations, int width, int height, Viewport view, int limit) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const Complex<T> c(T(view.left + x * view.step), T(view.top - y * view.step));
    iterations[y * width + x] = escape(Complex<T>(), c, limit);
}

__global__ void julia(uchar4* image, int width, int height, Viewport view, double2 constant, int limit, Palette palette) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const Complex<double> z(view.left + x * view.step, view.top - y * view.step);
    image[y * width + x] = colour(escape(z, Complex<double>(constant.x, constant.y), limit), limit, palette);
}

__global__ void newton(char* root, int width, int height, Viewport view) {
    const Complex<double> roots[3] = {{1.0, 0.0}, {-0.5, 0.8660254037844386}, {-0.5, -0.8660254037844386}};
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= width * height) return;
    Complex<double> z(view.left + (at % width) * view.step, view.top - (at / width) * view.step);
    for (int i = 0; i < 40; ++i) z = z - (z * z * z - Complex<double>(1)) / (Complex<double>(3) * z * z);
    char nearest = -1;
    for (int r = 0; r < 3; ++r)
        if ((z - roots[r]).norm2() < 1e-6) nearest = static_cast<char>(r);
    root[at] = nearest;
}

int main() {
    const int width = 640, height = 480;
    int* iterations;
    uchar4* image;
    char* root;
    cudaMalloc(&iterations, width * height * sizeof(int));
    cudaMalloc(&image, width * height * sizeof(uchar4));
    cudaMalloc(&root, width * height);
    const dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
    const Viewport view{-2.0, 1.2, 0.005};
    mandelbrot<float><<<grid, block>>>(iterations, width, height, view, 256);
    mandelbrot<double><<<grid, block>>>(iterations, width, height, view, 256);
    julia<<<grid, block>>>(image, width, height, view, make_double2(-0.8, 0.156), 256, Palette::Fire);
    newton<<<(width * height + 255) / 256, 256>>>(root, width, height, view);
    std::unique_ptr<uchar4[]> host(new uchar4[width * height]);
    cudaMemcpy(host.get(), image, width * height * sizeof(uchar4), cudaMemcpyDeviceToHost);
    std::ofstream file("julia.ppm", std::ios::binary);
    file << "P6\n" << width << " " << height << "\n255\n";
    for (int i = 0; i < width * height; ++i) file.put(host[i].x).put(host[i].y).put(host[i].z);
    cudaFree(iterations);
    cudaFree(image);
    cudaFree(root);
}
