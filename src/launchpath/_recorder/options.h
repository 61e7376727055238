/* What `launchpath trace` asks for, by the environment. Without LAUNCHPATH_RECORDER the library records nothing. */
#ifndef LAUNCHPATH_RECORDER_OPTIONS_H
#define LAUNCHPATH_RECORDER_OPTIONS_H

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "trace/records/ring.h"

enum { PATTERNS_MOST = 32 };

typedef struct {
    regex_t patterns[PATTERNS_MOST];
    int n;
} name_patterns;

static struct {
    int on;
    const char *path; /* LAUNCHPATH_TRACE: the file's name, with patterns */
    int timed;        /* mode "device": with times of devices */
    int drop;         /* records that find no room, or their thread waits */
    unsigned capacity; /* of rings, in slots */
    uint64_t begun;   /* files of that name that were written later are those of other processes: nanoseconds since 1970 */
    uint64_t delay, duration, repeat; /* when to record: nanoseconds, and how often; 0: until the end */
    int periodic, aligned; /* aligned: it records from multiples of delay + duration since 1970 */
    char period[64];       /* as it was asked for */
    int leave_cupti;        /* to launchpath's own trace, where its core uses CUDA */
    uint64_t graph_records; /* of CUPTI's, after which times end; 0: by its version, see `cupti/records.h` */
    int findings;           /* what findings are read from: bits of `trace_findings` */
    unsigned keep;          /* bits of `trace_keep` */
    uint64_t slow, window;  /* nanoseconds: from which on a turn is slow, and of the records around it that are kept */
    int whole; /* launches of launchpath itself are those of any program: its tests of traces run so */
    name_patterns include, exclude;
} options;

/* Compile the regular expressions of a variable, one in each line. What is wrong there `launchpath trace` has refused. */
static void patterns_read(name_patterns *patterns, const char *text) {
    while (text && *text && patterns->n < PATTERNS_MOST) {
        size_t size = strcspn(text, "\n");
        char *line = strndup(text, size);
        if (line && size && regcomp(&patterns->patterns[patterns->n], line, REG_EXTENDED | REG_NOSUB) == 0) patterns->n += 1;
        free(line);
        text += size + (text[size] == '\n');
    }
}

static int patterns_fit(const name_patterns *patterns, const char *name) {
    int i;
    for (i = 0; i < patterns->n; i++)
        if (regexec(&patterns->patterns[i], name, 0, 0, 0) == 0) return 1;
    return 0;
}

/* Whether launches of a kernel are recorded. */
static int options_take(const char *name) {
    if (options.include.n && !patterns_fit(&options.include, name)) return 0;
    return !patterns_fit(&options.exclude, name);
}

static uint64_t option_number(const char *text, const char *key, uint64_t otherwise) {
    const char *at = strstr(text, key);
    return at ? strtoull(at + strlen(key), 0, 10) : otherwise;
}

static void options_read(void) {
    const char *text = getenv("LAUNCHPATH_RECORDER"), *path = getenv("LAUNCHPATH_TRACE"), *at;
    if (text == 0 || *text == 0 || path == 0 || *path == 0) return;
    options.path = strdup(path); /* a program may change its environment */
    options.timed = strstr(text, "mode=device") != 0;
    options.drop = (int)option_number(text, "drop=", 0);
    options.capacity = (unsigned)option_number(text, "ring=", 16384);
    options.leave_cupti = (int)option_number(text, "leave_cupti=", 0);
    options.graph_records = option_number(text, "graph_records=", 0);
    options.begun = option_number(text, "begun=", 0);
    options.whole = strstr(text, "whole=1") != 0;
    options.findings = option_number(text, "findings=", 0) ? FINDINGS_ASKED | (option_number(text, "sites=", 1) ? FINDINGS_SITES : 0) : 0;
    options.keep = (unsigned)option_number(text, "keep=", 0);
    options.slow = option_number(text, "slow=", 0), options.window = option_number(text, "window=", 0);
    options.periodic = strstr(text, "duration=") != 0;
    options.aligned = (int)option_number(text, "aligned=", 0);
    if ((at = strstr(text, "period=")) != 0) snprintf(options.period, sizeof options.period, "%.*s", (int)strcspn(at + 7, ";"), at + 7);
    options.delay = option_number(text, "delay=", 0);
    options.duration = option_number(text, "duration=", 0);
    options.repeat = option_number(text, "repeat=", 1);
    patterns_read(&options.include, getenv("LAUNCHPATH_RECORDER_INCLUDE"));
    patterns_read(&options.exclude, getenv("LAUNCHPATH_RECORDER_EXCLUDE"));
    options.on = options.path != 0 && options.capacity >= RECORDS_LEAST && options.capacity <= RECORDS_MOST &&
                 (options.capacity & (options.capacity - 1)) == 0;
}

#endif
