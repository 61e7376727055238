// Before glibc 2.33 these are in its static part.
struct stat;
struct stat64;
typedef unsigned int mode_t;
typedef unsigned long dev_t;

extern int __xstat(int, const char *, struct stat *);
extern int __fxstat(int, int, struct stat *);
extern int __lxstat(int, const char *, struct stat *);
extern int __fxstatat(int, int, const char *, struct stat *, int);
extern int __xmknod(int, const char *, mode_t, dev_t *);
extern int __xmknodat(int, int, const char *, mode_t, dev_t *);

enum { VERSION = 1, MKNOD_VERSION = 0 };

int stat(const char *path, struct stat *to) { return __xstat(VERSION, path, to); }
int fstat(int file, struct stat *to) { return __fxstat(VERSION, file, to); }
int lstat(const char *path, struct stat *to) { return __lxstat(VERSION, path, to); }
int fstatat(int folder, const char *path, struct stat *to, int flags) {
  return __fxstatat(VERSION, folder, path, to, flags);
}
// On x86-64 the two structures are the same.
int stat64(const char *path, struct stat64 *to) { return __xstat(VERSION, path, (struct stat *)to); }
int fstat64(int file, struct stat64 *to) { return __fxstat(VERSION, file, (struct stat *)to); }
int lstat64(const char *path, struct stat64 *to) { return __lxstat(VERSION, path, (struct stat *)to); }
int fstatat64(int folder, const char *path, struct stat64 *to, int flags) {
  return __fxstatat(VERSION, folder, path, (struct stat *)to, flags);
}
int mknod(const char *path, mode_t mode, dev_t device) { return __xmknod(MKNOD_VERSION, path, mode, &device); }
int mknodat(int folder, const char *path, mode_t mode, dev_t device) {
  return __xmknodat(MKNOD_VERSION, folder, path, mode, &device);
}
