// The helpers of CUDA's samples for command lines (-name, --name, -name=value) and for files beside the program.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <string>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
// Not as macros, which would replace the words in all of a program.
static constexpr auto &STRCASECMP = strcasecmp;
static constexpr auto &STRNCASECMP = strncasecmp;
static constexpr auto &SSCANF = sscanf;
static constexpr auto &SPRINTF = sprintf;
inline char *STRCPY(char *to, size_t, const char *from) { return strcpy(to, from); }
inline FILE *FOPEN(FILE *&file, const char *name, const char *mode) { return file = fopen(name, mode); }
inline bool FOPEN_FAIL(const FILE *file) { return !file; }

inline int stringRemoveDelimiter(char delimiter, const char *text) {
  int start = 0;
  while (text[start] == delimiter) ++start;
  return start >= (int)strlen(text) - 1 ? 0 : start;
}
inline int getFileExtension(char *name, char **extension) {
  char *dot = strrchr(name, '.');
  *extension = dot ? dot + 1 : nullptr;
  return dot ? (int)(dot - name) : 0;
}

// What follows an option's name in the arguments: "" where nothing does, null where there is no such option.
inline const char *__lp_option(int argc, const char **argv, const char *name) {
  size_t length = strlen(name);
  if (length && name[length - 1] == '=') --length;
  const char *found = nullptr;
  for (int i = 1; i < argc; ++i) {
    const char *text = argv[i] + stringRemoveDelimiter('-', argv[i]);
    if (strncasecmp(text, name, length)) continue;
    if (!text[length]) found = text + length;
    else if (text[length] == '=') found = text + length + 1;
  }
  return found;
}
inline bool checkCmdLineFlag(int argc, const char **argv, const char *name) {
  return __lp_option(argc, argv, name) != nullptr;
}
template <class _T>
inline bool getCmdLineArgumentValue(int argc, const char **argv, const char *name, _T *value) {
  const char *text = __lp_option(argc, argv, name);
  if (text && *text) *value = (_T)atoi(text);
  return text != nullptr;
}
inline int getCmdLineArgumentInt(int argc, const char **argv, const char *name) {
  const char *text = __lp_option(argc, argv, name);
  return text ? atoi(text) : 0;
}
inline float getCmdLineArgumentFloat(int argc, const char **argv, const char *name) {
  const char *text = __lp_option(argc, argv, name);
  return text ? (float)atof(text) : 0;
}
inline bool getCmdLineArgumentString(int argc, const char **argv, const char *name, char **value) {
  const char *text = __lp_option(argc, argv, name);
  *value = (char *)text;
  return text != nullptr;
}

// A file's path, which the caller frees: here, beside the program, or in a folder for data of these.
inline char *sdkFindFilePath(const char *name, const char *program) {
  std::string beside, own;
  if (program) {
    beside = program;
    size_t slash = beside.rfind('/');
    own = slash == std::string::npos ? beside : beside.substr(slash + 1);
    beside = slash == std::string::npos ? "./" : beside.substr(0, slash + 1);
  }
  const std::string folders[] = {"./", "./data/", beside, beside + "data/", "./" + own + "/", "./" + own + "/data/",
                                 "../", "../data/", "../" + own + "/", "../" + own + "/data/", "../Common/",
                                 "../Common/data/", ""};
  for (const std::string &folder : folders) {
    std::string path = folder + name;
    if (FILE *file = fopen(path.c_str(), "rb")) {
      fclose(file);
      return strdup(path.c_str());
    }
  }
  return nullptr;
}
