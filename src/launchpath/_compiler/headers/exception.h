// The exceptions of CUDA's samples, with the place that throws.
#pragma once
#ifdef __LP_HOST__
extern "C++" {  // programs include it within extern "C", too
#include <stdlib.h>

#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

template <class _Base> class Exception : public _Base {
 public:
  static void throw_it(const char *file, const int line, const char *detailed = "-") {
    throw Exception(std::string("Exception in file '") + file + "' in line " + std::to_string(line) + "\n" +
                    "Detailed description: " + detailed + "\n");
  }
  static void throw_it(const char *file, const int line, const std::string &detailed) {
    throw_it(file, line, detailed.c_str());
  }
  virtual ~Exception() throw() {}

 private:
  explicit Exception(const std::string &text) : _Base(text) {}
};
template <class _Thrown> inline void handleException(const _Thrown &thrown) {
  std::cerr << thrown.what() << std::endl;
  exit(EXIT_FAILURE);
}
#define RUNTIME_EXCEPTION(text) Exception<std::runtime_error>::throw_it(__FILE__, __LINE__, text)
#define LOGIC_EXCEPTION(text) Exception<std::logic_error>::throw_it(__FILE__, __LINE__, text)
#define RANGE_EXCEPTION(text) Exception<std::range_error>::throw_it(__FILE__, __LINE__, text)
}
#endif
