// Sparse matrix times vector: CSR with a thread a row, CSR with a group of threads a row, ELL, COO.
#include <cuda_runtime.h>

#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <vector>

template <typename Index, typename Value>
struct CsrMatrix {
    Index rows;
    const Index* offsets;
    const Index* columns;
    const Value* values;
};

template <typename Index, typename Value>
__global__ void spmvCsrScalar(const CsrMatrix<Index, Value> A, const Value* __restrict__ x, Value* __restrict__ y,
                              Value alpha, Value beta) {
    Index row = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (row < A.rows) {
        Value sum = 0;
        for (Index jj = A.offsets[row]; jj < A.offsets[row + 1]; jj++) sum += A.values[jj] * x[A.columns[jj]];
        y[row] = alpha * sum + beta * y[row];
    }
}

template <unsigned int ROWS_PER_BLOCK, unsigned int THREADS_PER_ROW>
__global__ void spmvCsrVector(int rows, const int* offsets, const int* columns, const float* values, const float* x,
                              float* y) {
    __shared__ volatile float sdata[ROWS_PER_BLOCK][THREADS_PER_ROW];
    const unsigned int lane = threadIdx.x % THREADS_PER_ROW;
    const unsigned int local = threadIdx.x / THREADS_PER_ROW;
    const int row = blockIdx.x * ROWS_PER_BLOCK + local;
    float sum = 0;
    if (row < rows)
        for (int jj = offsets[row] + lane; jj < offsets[row + 1]; jj += THREADS_PER_ROW) sum += values[jj] * x[columns[jj]];
    sdata[local][lane] = sum;
    __syncthreads();
    for (unsigned int s = THREADS_PER_ROW / 2; s > 0; s /= 2) {
        if (lane < s) sdata[local][lane] = sdata[local][lane] + sdata[local][lane + s];
        __syncthreads();
    }
    if (lane == 0 && row < rows) y[row] = sdata[local][0];
}

// Column-major, padded: what is missing has column -1.
__global__ void spmvEll(int rows, int width, const int* columns, const double* values, const double* x, double* y) {
    int row = blockDim.x * blockIdx.x + threadIdx.x;
    if (row >= rows) return;
    double dot = 0;
    for (int n = 0; n < width; n++) {
        int col = columns[rows * n + row];
        if (col >= 0) dot += values[rows * n + row] * x[col];
    }
    y[row] = dot;
}

__global__ void spmvCoo(int entries, const int* rows, const int* columns, const float* values, const float* x, float* y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < entries; i += blockDim.x * gridDim.x)
        atomicAdd(&y[rows[i]], values[i] * x[columns[i]]);
}

static bool readMatrix(const std::string& name, std::map<std::pair<int, int>, float>& entries) {
    std::ifstream file(name);
    if (!file) return false;
    std::string line;
    while (std::getline(file, line)) {
        if (line.empty() || line[0] == '%') continue;
        std::istringstream words(line);
        int i, j;
        float value;
        if (words >> i >> j >> value) entries[{i - 1, j - 1}] = value;
    }
    return true;
}

int main(int argc, char** argv) {
    std::map<std::pair<int, int>, float> entries;
    if (argc < 2 || !readMatrix(argv[1], entries)) {
        for (int i = 0; i < 1000; ++i) entries[{i, (i * 17) % 1000}] = 1.0f;
    }
    const int rows = 1000;
    std::vector<int> offsets(rows + 1, 0), columns;
    std::vector<float> values;
    for (const auto& [where, value] : entries) {
        ++offsets[where.first + 1];
        columns.push_back(where.second);
        values.push_back(value);
    }
    for (int i = 0; i < rows; ++i) offsets[i + 1] += offsets[i];
    int *d_offsets, *d_columns;
    float *d_values, *d_x, *d_y;
    cudaMalloc(&d_offsets, offsets.size() * sizeof(int));
    cudaMalloc(&d_columns, columns.size() * sizeof(int));
    cudaMalloc(&d_values, values.size() * sizeof(float));
    cudaMalloc(&d_x, rows * sizeof(float));
    cudaMalloc(&d_y, rows * sizeof(float));
    CsrMatrix<int, float> A{rows, d_offsets, d_columns, d_values};
    spmvCsrScalar<int, float><<<(rows + 127) / 128, 128>>>(A, d_x, d_y, 1.0f, 0.0f);
    spmvCsrVector<16, 8><<<(rows + 15) / 16, 128>>>(rows, d_offsets, d_columns, d_values, d_x, d_y);
    spmvEll<<<(rows + 127) / 128, 128>>>(rows, 0, d_columns, nullptr, nullptr, nullptr);
    spmvCoo<<<8, 128>>>((int)entries.size(), d_columns, d_columns, d_values, d_x, d_y);
    std::cout << cudaGetErrorString(cudaDeviceSynchronize()) << "\n";
    return 0;
}
