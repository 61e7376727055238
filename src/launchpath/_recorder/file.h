/* The file of a process's trace: its name, and that no two processes write to it. */
#ifndef LAUNCHPATH_RECORDER_FILE_H
#define LAUNCHPATH_RECORDER_FILE_H

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "options.h"

enum { FILE_NAME_MOST = 4096, FILE_TRIES = 1000 };

static long rank_number(const char *name) {
    const char *text = getenv(name);
    return text && *text && strspn(text, "0123456789") == strlen(text) ? strtol(text, 0, 10) : -1;
}

/* The rank of this process, as the program that starts parallel ones tells it; -1: it does not. `_tracing/file_name.py` has
   the same list. */
static long process_rank(void) {
    static const char *const names[] = {
        "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK", "PALS_RANKID", "JSM_NAMESPACE_RANK", "FLUX_TASK_RANK",
        "SLURM_PROCID", "RANK", "MPI_RANK",
    };
    size_t i;
    if (rank_number("WORLD_SIZE") >= 0 && rank_number("RANK") >= 0) return rank_number("RANK"); /* torchrun, started by others */
    for (i = 0; i < sizeof names / sizeof *names; i++)
        if (rank_number(names[i]) >= 0) return rank_number(names[i]);
    return -1;
}

/* Replace %pid%, %rank%, %hostname%, %env{NAME}% and %% in a name; 0: it does not fit. `launchpath trace` has checked it. */
static int file_name_expand(const char *pattern, char *into, size_t room) {
    size_t n = 0;
    while (*pattern) {
        char value[256] = "", name[128];
        const char *put = value;
        size_t size;
        if (strncmp(pattern, "%pid%", 5) == 0) {
            snprintf(value, sizeof value, "%ld", (long)getpid());
            pattern += 5;
        } else if (strncmp(pattern, "%rank%", 6) == 0) {
            snprintf(value, sizeof value, "%ld", process_rank() < 0 ? 0 : process_rank());
            pattern += 6;
        } else if (strncmp(pattern, "%hostname%", 10) == 0) {
            gethostname(value, sizeof value - 1);
            pattern += 10;
        } else if (strncmp(pattern, "%env{", 5) == 0 && (size = strcspn(pattern + 5, "}")) < sizeof name) {
            memcpy(name, pattern + 5, size), name[size] = 0;
            put = getenv(name) ? getenv(name) : "";
            pattern += 5 + size + (pattern[5 + size] == '}');
            pattern += *pattern == '%';
        } else {
            value[0] = *pattern;
            pattern += pattern[0] == '%' && pattern[1] == '%' ? 2 : 1;
        }
        size = strlen(put);
        if (n + size >= room) return 0;
        memcpy(into + n, put, size);
        n += size;
    }
    into[n] = 0;
    return 1;
}

/* Open a file that is this process's alone: locked, and not that of another process since `options.begun`. -1: it is taken,
   or errno tells. */
static int file_take(const char *name) {
    struct stat facts;
    int file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0) return -1;
    if (fstat(file, &facts) == 0 && !S_ISREG(facts.st_mode)) {
        close(file);
        errno = EINVAL;
        return -1;
    }
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &facts) == 0 &&
        (facts.st_size == 0 || options.begun == 0 ||
         (uint64_t)facts.st_mtim.tv_sec * 1000000000u + (uint64_t)facts.st_mtim.tv_nsec < options.begun) &&
        ftruncate(file, 0) == 0)
        return file;
    close(file);
    errno = EEXIST;
    return -1;
}

/* Open the trace's file, empty: `run.lptrace`, else `run.PID.lptrace`, else `run.PID-2.lptrace` and so on, because a program
   that calls exec keeps its number. -1: none can be written. */
static int file_open(char *name, size_t room) {
    char root[FILE_NAME_MOST], ending[64] = "";
    char *dot, *slash;
    int file, i;
    if (!file_name_expand(options.path, root, sizeof root)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    snprintf(name, room, "%s", root);
    file = file_take(name);
    dot = strrchr(root, '.'), slash = strrchr(root, '/');
    if (dot && dot > root && (slash == 0 || dot > slash + 1) && strlen(dot) < sizeof ending) {
        strcpy(ending, dot);
        *dot = 0;
    }
    for (i = 1; file < 0 && errno == EEXIST && i < FILE_TRIES; i++) {
        if (i == 1) snprintf(name, room, "%s.%ld%s", root, (long)getpid(), ending);
        else snprintf(name, room, "%s.%ld-%d%s", root, (long)getpid(), i, ending);
        file = file_take(name);
    }
    return file;
}

#endif
