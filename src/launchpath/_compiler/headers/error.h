// glibc's errors of the command line, for the device side of sources: only their host code calls them.
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
void error(int status, int number, const char *format, ...);
void error_at_line(int status, int number, const char *file, unsigned int line, const char *format, ...);
extern unsigned int error_message_count;
extern int error_one_per_line;
extern void (*error_print_progname)(void);
#ifdef __cplusplus
}
#endif
