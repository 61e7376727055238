// The kernels of a small transformer, forward and backward. Matrices are in rows. A block of the kernels that work on rows
// has ROW threads and one row; `tokens` are rows of all sequences, one after the other.

// The sum and the largest of the values that the threads of a block have. Each thread gets the result.
struct Sum { __device__ static float of(float a, float b) { return a + b; } };
struct Largest { __device__ static float of(float a, float b) { return fmaxf(a, b); } };

template <class Operation>
__device__ float reduced(float value) {
    __shared__ float shared[ROW];
    shared[threadIdx.x] = value;
    __syncthreads();
    for (int half = ROW / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) shared[threadIdx.x] = Operation::of(shared[threadIdx.x], shared[threadIdx.x + half]);
        __syncthreads();
    }
    float result = shared[0];
    __syncthreads();  // before the next reduction writes there
    return result;
}

// out = scale * a @ b, or out += that. Strides say where an element's neighbours are, so that a transposed matrix is the same
// memory with other strides. Each batch of the grid's third dimension is a product of its own.
__global__ void matmul(int rows, int columns, int inner, float scale, bool add, const float* a, int a_batch, int a_row,
                       int a_inner, const float* b, int b_batch, int b_inner, int b_column, float* out) {
    __shared__ float a_tile[TILE][TILE + 1], b_tile[TILE][TILE + 1];  // + 1: columns are in different banks
    int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    a += blockIdx.z * a_batch;
    b += blockIdx.z * b_batch;
    float sum = 0;
    for (int first = 0; first < inner; first += TILE) {
        a_tile[y][x] = row < rows && first + x < inner ? a[row * a_row + (first + x) * a_inner] : 0;
        b_tile[y][x] = column < columns && first + y < inner ? b[(first + y) * b_inner + column * b_column] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += a_tile[y][k] * b_tile[k][x];
        __syncthreads();
    }
    if (row >= rows || column >= columns) return;
    float* at = out + (blockIdx.z * rows + row) * columns + column;
    *at = scale * sum + (add ? *at : 0);
}

// A token's row is that of its word, and that of its place in the sequence.
__global__ void embed(int length, int width, const int* ids, const float* words, const float* places, float* out) {
    int token = blockIdx.x;
    for (int k = threadIdx.x; k < width; k += ROW)
        out[token * width + k] = words[ids[token] * width + k] + places[token % length * width + k];
}
// One thread for each element of both tables sums the gradients of its tokens, in their order: no atomics.
__global__ void embed_back(int tokens, int length, int vocabulary, int width, const int* ids, const float* grad,
                           float* words_grad, float* places_grad) {
    int i = blockIdx.x * ROW + threadIdx.x, row = i / width, k = i % width;
    if (row >= vocabulary + length) return;
    float sum = 0;
    for (int token = 0; token < tokens; token++) {
        bool mine = row < vocabulary ? ids[token] == row : token % length == row - vocabulary;
        if (mine) sum += grad[token * width + k];
    }
    if (row < vocabulary) words_grad[i] = sum;
    else places_grad[i - vocabulary * width] = sum;
}

// Layer norm: each row with mean 0 and variance 1, times a gain. `stats` keeps mean and 1 / deviation for the way back.
__global__ void norm(int width, const float* x, const float* gain, float* out, float* stats) {
    int row = blockIdx.x;
    x += row * width;
    float sum = 0, squares = 0;
    for (int k = threadIdx.x; k < width; k += ROW) sum += x[k];
    float mean = reduced<Sum>(sum) / width;
    for (int k = threadIdx.x; k < width; k += ROW) squares += (x[k] - mean) * (x[k] - mean);
    float inverse = rsqrtf(reduced<Sum>(squares) / width + 1e-5f);
    for (int k = threadIdx.x; k < width; k += ROW) out[row * width + k] = (x[k] - mean) * inverse * gain[k];
    if (threadIdx.x == 0) { stats[2 * row] = mean; stats[2 * row + 1] = inverse; }
}
// Adds to the gradient of x, which also goes around the layer.
__global__ void norm_back(int width, const float* x, const float* gain, const float* stats, const float* grad,
                          float* x_grad) {
    int row = blockIdx.x;
    float mean = stats[2 * row], inverse = stats[2 * row + 1], sum = 0, with_x = 0;
    for (int k = threadIdx.x, i = row * width + k; k < width; k += ROW, i += ROW) {
        sum += gain[k] * grad[i];
        with_x += gain[k] * grad[i] * (x[i] - mean) * inverse;
    }
    sum = reduced<Sum>(sum) / width;
    with_x = reduced<Sum>(with_x) / width;
    for (int k = threadIdx.x, i = row * width + k; k < width; k += ROW, i += ROW)
        x_grad[i] += inverse * (gain[k] * grad[i] - sum - (x[i] - mean) * inverse * with_x);
}
__global__ void gain_back(int tokens, int width, const float* x, const float* stats, const float* grad, float* gain_grad) {
    int k = blockIdx.x * ROW + threadIdx.x;
    if (k >= width) return;
    float sum = 0;
    for (int t = 0; t < tokens; t++) sum += grad[t * width + k] * (x[t * width + k] - stats[2 * t]) * stats[2 * t + 1];
    gain_grad[k] = sum;
}

// Softmax of a row of attention. A token attends to itself and to the tokens before it.
__global__ void softmax(int length, float* scores) {
    int last = blockIdx.x % length;
    float *row = scores + blockIdx.x * length, most = -INFINITY, sum = 0;
    for (int k = threadIdx.x; k <= last; k += ROW) most = fmaxf(most, row[k]);
    most = reduced<Largest>(most);
    for (int k = threadIdx.x; k <= last; k += ROW) sum += row[k] = expf(row[k] - most);
    sum = reduced<Sum>(sum);
    for (int k = threadIdx.x; k < length; k += ROW) row[k] = k <= last ? row[k] / sum : 0;
}
__global__ void softmax_back(int length, const float* parts, float* grad) {
    const float* part = parts + blockIdx.x * length;
    float *row = grad + blockIdx.x * length, sum = 0;
    for (int k = threadIdx.x; k < length; k += ROW) sum += part[k] * row[k];
    sum = reduced<Sum>(sum);
    for (int k = threadIdx.x; k < length; k += ROW) row[k] = part[k] * (row[k] - sum);
}

__global__ void relu(int n, float* x) {
    int i = blockIdx.x * ROW + threadIdx.x;
    if (i < n) x[i] = fmaxf(x[i], 0.0f);
}
__global__ void relu_back(int n, const float* x, float* grad) {
    int i = blockIdx.x * ROW + threadIdx.x;
    if (i < n && x[i] <= 0) grad[i] = 0;
}

// Cross entropy of a row of scores, and its gradient. A target of -1 is not counted.
__global__ void cross_entropy(int vocabulary, int counted, const int* targets, const float* scores, float* losses,
                              float* grad) {
    int token = blockIdx.x, target = targets[token];
    const float* row = scores + token * vocabulary;
    float most = -INFINITY, sum = 0, part = target >= 0 ? 1.0f / counted : 0;
    for (int k = threadIdx.x; k < vocabulary; k += ROW) most = fmaxf(most, row[k]);
    most = reduced<Largest>(most);
    for (int k = threadIdx.x; k < vocabulary; k += ROW) sum += expf(row[k] - most);
    sum = reduced<Sum>(sum);
    for (int k = threadIdx.x; k < vocabulary; k += ROW)
        grad[token * vocabulary + k] = part * (expf(row[k] - most) / sum - (k == target));
    if (threadIdx.x == 0) losses[token] = target >= 0 ? part * (most + logf(sum) - row[target]) : 0;
}

// AdamW for all parameters at once. `first_part` and `second_part` are 1 - beta^step.
__global__ void adamw(int n, float rate, float decay, float beta1, float beta2, float first_part, float second_part,
                      const float* grad, float* first, float* second, float* parameter) {
    int i = blockIdx.x * ROW + threadIdx.x;
    if (i >= n) return;
    float m = first[i] = beta1 * first[i] + (1 - beta1) * grad[i];
    float v = second[i] = beta2 * second[i] + (1 - beta2) * grad[i] * grad[i];
    parameter[i] -= rate * (m / first_part / (sqrtf(v / second_part) + 1e-8f) + decay * parameter[i]);
}
