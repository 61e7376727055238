// The helpers of CUDA's samples that compare results.
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <launchpath/helpers/string.h>

#include <vector>

// Whether all are within epsilon; with a threshold, whether the part of those that are not is no more than it.
template <class _T, class _S>
inline bool compareData(const _T *reference, const _T *data, const unsigned int n, const _S epsilon,
                        const float threshold) {
  size_t wrong = 0;
  for (unsigned int i = 0; i < n; ++i) {
    float difference = (float)reference[i] - (float)data[i];
    wrong += !(difference <= (float)epsilon && difference >= -(float)epsilon);
  }
  if (threshold == 0.0f) return !wrong;
  if (wrong) printf("%4.2f(%%) of bytes mismatched (count=%zu)\n", 100.0f * wrong / n, wrong);
  return n * threshold >= wrong;
}
template <class _T, class _S>
inline bool compareDataAsFloatThreshold(const _T *reference, const _T *data, const unsigned int n, const _S epsilon,
                                        const float threshold) {
  size_t wrong = 0;
  for (unsigned int i = 0; i < n; ++i) wrong += fabs((float)reference[i] - (float)data[i]) >= (float)epsilon;
  if (threshold == 0.0f) {
    if (wrong) printf("total # of errors = %zu\n", wrong);
    return !wrong;
  }
  if (wrong) printf("%4.2f(%%) of bytes mismatched (count=%zu)\n", 100.0f * wrong / n, wrong);
  return n * threshold > wrong;
}
template <class _T, class _S>
inline bool compareDataAsFloat(const _T *reference, const _T *data, const unsigned int n, const _S epsilon) {
  return compareDataAsFloatThreshold(reference, data, n, epsilon, 0.0f);
}
inline bool sdkCompareL2fe(const float *reference, const float *data, const unsigned int n, const float epsilon) {
  float error = 0, sum = 0;
  for (unsigned int i = 0; i < n; ++i) {
    float difference = reference[i] - data[i];
    error += difference * difference, sum += reference[i] * reference[i];
  }
  float norm = sqrtf(sum);
  if (fabs(sum) < 1e-7) {
    fprintf(stderr, "ERROR, reference l2-norm is 0\n");
    return false;
  }
  return sqrtf(error) / norm < epsilon;
}

// Numbers in files: as text, and as bytes.
template <class _T> inline bool sdkReadFile(const char *name, _T **data, unsigned int *n, bool) {
  FILE *file = fopen(name, "r");
  if (!file) return false;
  std::vector<_T> read;
  for (double number; fscanf(file, "%lf", &number) == 1;) read.push_back((_T)number);
  fclose(file);
  if (*data && *n != read.size()) fprintf(stderr, "sdkReadFile: expected %u numbers, got %zu\n", *n, read.size());
  if (!*data) *data = (_T *)malloc(read.size() * sizeof(_T)), *n = read.size();
  memcpy(*data, read.data(), (*n < read.size() ? *n : read.size()) * sizeof(_T));
  return true;
}
template <class _T, class _S>
inline bool sdkWriteFile(const char *name, const _T *data, unsigned int n, const _S, bool, bool append = false) {
  FILE *file = fopen(name, append ? "a" : "w");
  if (!file) return false;
  for (unsigned int i = 0; i < n; ++i) fprintf(file, "%g ", (double)data[i]);
  fprintf(file, "\n");
  return fclose(file) == 0;
}
inline bool sdkDumpBin(void *data, unsigned int size, const char *name) {
  FILE *file = fopen(name, "wb");
  if (!file) return false;
  bool whole = fwrite(data, 1, size, file) == size;
  return fclose(file) == 0 && whole;
}
template <class _T> inline bool __lp_read_both(const char *name, const char *other, const char *program, unsigned int n,
                                               std::vector<_T> *both) {
  const char *names[] = {name, other};
  for (int i = 0; i < 2; ++i) {
    char *path = sdkFindFilePath(names[i], program);
    FILE *file = fopen(path ? path : names[i], "rb");
    free(path);
    both[i].assign(n, _T());
    if (!file) return false;
    size_t read = fread(both[i].data(), sizeof(_T), n, file);
    fclose(file);
    if (read != n) return false;
  }
  return true;
}
inline bool sdkCompareBin2BinUint(const char *name, const char *reference, unsigned int n, const float epsilon,
                                  const float threshold, char *program) {
  std::vector<unsigned int> both[2];
  return __lp_read_both(name, reference, program, n, both) &&
         compareData(both[1].data(), both[0].data(), n, epsilon, threshold);
}
inline bool sdkCompareBin2BinFloat(const char *name, const char *reference, unsigned int n, const float epsilon,
                                   const float threshold, char *program) {
  std::vector<float> both[2];
  return __lp_read_both(name, reference, program, n, both) &&
         compareDataAsFloatThreshold(both[1].data(), both[0].data(), n, epsilon, threshold);
}
