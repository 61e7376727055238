// The helpers of CUDA's samples for images: PGM and PPM, with one, three or four channels in memory.
#pragma once
#include <launchpath/helpers/compare.h>
#include <launchpath/helpers/string.h>

#ifndef MIN_EPSILON_ERROR
#define MIN_EPSILON_ERROR 1e-3f
#endif

// The bytes of a file's channels, which the caller frees; null if it cannot be read.
inline unsigned char *__lp_read_image(const char *name, unsigned int *width, unsigned int *height,
                                      unsigned int *channels) {
  FILE *file = fopen(name, "rb");
  if (!file) return nullptr;
  char kind[3] = "";
  unsigned int numbers[3] = {};
  bool known = fscanf(file, "%2s", kind) == 1 && (!strcmp(kind, "P5") || !strcmp(kind, "P6"));
  for (int i = 0; known && i < 3; ++i) {
    int c;
    while ((c = fgetc(file)) == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '#')
      while (c == '#' && (c = fgetc(file)) != '\n' && c != EOF) c = '#';
    ungetc(c, file);
    known = fscanf(file, "%u", &numbers[i]) == 1;
  }
  unsigned char *bytes = nullptr;
  if (known) {
    fgetc(file);
    *width = numbers[0], *height = numbers[1], *channels = kind[1] == '5' ? 1 : 3;
    size_t size = (size_t)*width * *height * *channels;
    bytes = (unsigned char *)malloc(size);
    if (bytes && fread(bytes, 1, size, file) != size) free(bytes), bytes = nullptr;
  }
  fclose(file);
  if (!bytes) fprintf(stderr, "%s: expected an image as PGM or PPM\n", name);
  return bytes;
}
inline bool __loadPPM(const char *name, unsigned char **data, unsigned int *width, unsigned int *height,
                      unsigned int *channels) {
  unsigned int size[3];
  unsigned char *bytes = __lp_read_image(name, &size[0], &size[1], &size[2]);
  if (!bytes) return false;
  *width = size[0], *height = size[1], *channels = size[2];
  if (!*data) {
    *data = bytes;
    return true;
  }
  memcpy(*data, bytes, (size_t)size[0] * size[1] * size[2]);
  free(bytes);
  return true;
}
inline bool __savePPM(const char *name, unsigned char *data, unsigned int width, unsigned int height,
                      unsigned int channels) {
  FILE *file = fopen(name, "wb");
  if (!file) return false;
  fprintf(file, "%s\n%u\n%u\n255\n", channels == 1 ? "P5" : "P6", width, height);
  size_t size = (size_t)width * height * channels;
  bool whole = fwrite(data, 1, size, file) == size;
  return fclose(file) == 0 && whole;
}

// As bytes, or as floats from 0 to 1.
inline unsigned char __lp_to_byte(unsigned char byte) { return byte; }
inline unsigned char __lp_to_byte(float value) { return (unsigned char)(value * 255.0f); }
template <class _T> inline _T __lp_from_byte(unsigned char byte) {
  return (_T)0.5f == (_T)0 ? (_T)byte : (_T)(byte / 255.0f);
}
template <class _T>
inline bool __lp_load_image(const char *name, _T **data, unsigned int *width, unsigned int *height,
                            unsigned int expected, unsigned int given) {
  unsigned char *bytes = nullptr;
  unsigned int channels = 0;
  if (!__loadPPM(name, &bytes, width, height, &channels)) return false;
  size_t n = (size_t)*width * *height;
  if (channels == expected) {
    if (!*data) *data = (_T *)malloc(n * given * sizeof(_T));
    for (size_t i = 0; i < n; ++i)
      for (unsigned int c = 0; c < given; ++c)
        (*data)[i * given + c] = c < channels ? __lp_from_byte<_T>(bytes[i * channels + c]) : (_T)0;
  } else {
    fprintf(stderr, "%s: expected %u channels, got %u\n", name, expected, channels);
  }
  free(bytes);
  return channels == expected;
}
template <class _T>
inline bool __lp_save_image(const char *name, const _T *data, unsigned int width, unsigned int height,
                            unsigned int given, unsigned int written) {
  std::vector<unsigned char> bytes((size_t)width * height * written);
  for (size_t i = 0; i < (size_t)width * height; ++i)
    for (unsigned int c = 0; c < written; ++c) bytes[i * written + c] = __lp_to_byte(data[i * given + c]);
  return __savePPM(name, bytes.data(), width, height, written);
}
template <class _T> inline bool sdkLoadPGM(const char *name, _T **data, unsigned int *width, unsigned int *height) {
  return __lp_load_image(name, data, width, height, 1, 1);
}
template <class _T> inline bool sdkLoadPPM4(const char *name, _T **data, unsigned int *width, unsigned int *height) {
  return __lp_load_image(name, data, width, height, 3, 4);
}
inline bool sdkLoadPPM4ub(const char *name, unsigned char **data, unsigned int *width, unsigned int *height) {
  return __lp_load_image(name, data, width, height, 3, 4);
}
inline bool sdkLoadPPMub(const char *name, unsigned char **data, unsigned int *width, unsigned int *height) {
  return __lp_load_image(name, data, width, height, 3, 3);
}
template <class _T> inline bool sdkSavePGM(const char *name, _T *data, unsigned int width, unsigned int height) {
  return __lp_save_image(name, data, width, height, 1, 1);
}
inline bool sdkSavePPMub(const char *name, unsigned char *data, unsigned int width, unsigned int height) {
  return __lp_save_image(name, data, width, height, 3, 3);
}
inline bool sdkSavePPM4ub(const char *name, unsigned char *data, unsigned int width, unsigned int height) {
  return __lp_save_image(name, data, width, height, 4, 3);
}
inline bool __lp_compare_images(const char *name, const char *reference, float epsilon, float threshold) {
  unsigned char *both[2] = {};
  unsigned int width[2], height[2], channels[2];
  const char *names[] = {name, reference};
  bool equal = true;
  for (int i = 0; i < 2 && equal; ++i) equal = __loadPPM(names[i], &both[i], &width[i], &height[i], &channels[i]);
  equal = equal && width[0] == width[1] && height[0] == height[1] && channels[0] == channels[1];
  if (equal) equal = compareData(both[1], both[0], width[0] * height[0] * channels[0], epsilon, threshold);
  free(both[0]), free(both[1]);
  return equal;
}
inline bool sdkComparePPM(const char *name, const char *reference, const float epsilon, const float threshold, bool) {
  return __lp_compare_images(name, reference, epsilon, threshold);
}
inline bool sdkComparePGM(const char *name, const char *reference, const float epsilon, const float threshold, bool) {
  return __lp_compare_images(name, reference, epsilon, threshold);
}
