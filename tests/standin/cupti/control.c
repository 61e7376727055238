/* For tests: options, calls that fail, and the list of all calls. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

#define FAULTS 16
#define KEPT 65536

unsigned long long option_records, option_lose, option_late_us, option_leave, option_version, option_clones;
bool option_reverse, option_at_flush, option_newest_first, option_hold, option_other;

static struct {
    char name[48];
    unsigned int nth;
    int code;
} faults[FAULTS];
static struct {
    const char *name; /* a constant */
    int code;
    char detail[24];
} notes[KEPT];
static size_t count;

static unsigned long long from_environment(const char *variable) {
    const char *text = getenv(variable);
    return text && *text ? strtoull(text, NULL, 0) : 0;
}

void options_read(void) {
    option_records = from_environment("STANDIN_CUPTI_RECORDS");
    option_reverse = from_environment("STANDIN_CUPTI_REVERSE");
    option_at_flush = from_environment("STANDIN_CUPTI_AT_FLUSH");
    option_newest_first = from_environment("STANDIN_CUPTI_NEWEST_FIRST");
    option_hold = from_environment("STANDIN_CUPTI_HOLD");
    option_lose = from_environment("STANDIN_CUPTI_LOSE");
    option_late_us = from_environment("STANDIN_CUPTI_LATE_US");
    option_leave = from_environment("STANDIN_CUPTI_LEAVE");
    option_version = from_environment("STANDIN_CUPTI_VERSION");
    option_other = from_environment("STANDIN_CUPTI_OTHER");
    option_clones = from_environment("STANDIN_CUPTI_CLONES");
}

__attribute__((constructor)) static void loaded(void) { options_read(); }

int call_fault(const char *name) {
    int code = SC_SUCCESS;
    pthread_mutex_lock(&cupti_lock);
    for (int i = 0; i < FAULTS && !code; i++) {
        if (!faults[i].code || strcmp(faults[i].name, name)) continue;
        if (faults[i].nth > 1) {
            faults[i].nth--;
            continue;
        }
        code = faults[i].code;
        if (faults[i].nth) faults[i].code = 0;
    }
    pthread_mutex_unlock(&cupti_lock);
    return code;
}

int call_note(const char *name, int code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&cupti_lock);
    if (count < KEPT) {
        notes[count].name = name;
        notes[count].code = code;
        vsnprintf(notes[count].detail, sizeof notes[count].detail, format, arguments);
        count++;
    }
    pthread_mutex_unlock(&cupti_lock);
    va_end(arguments);
    return code;
}

/* The nth next call of that name does nothing and returns the code, or each if nth is 0. */
EXPORT int standin_cupti_fail(const char *name, unsigned int nth, int code) {
    int wrong = -1;
    pthread_mutex_lock(&cupti_lock);
    for (int i = 0; i < FAULTS && wrong; i++) {
        if (faults[i].code) continue;
        snprintf(faults[i].name, sizeof faults[i].name, "%s", name);
        faults[i].nth = nth;
        faults[i].code = code;
        wrong = 0;
    }
    pthread_mutex_unlock(&cupti_lock);
    return wrong;
}

/* "records", "reverse", "at_flush", "newest_first", "hold", "lose", "late_us", "leave", "version", "other",
 * "clones": see core.h. Not 0: no such option. */
EXPORT int standin_cupti_option(const char *name, long long value) {
    int code = 0;
    pthread_mutex_lock(&cupti_lock);
    if (!strcmp(name, "records"))
        option_records = (unsigned long long)value;
    else if (!strcmp(name, "reverse"))
        option_reverse = value != 0;
    else if (!strcmp(name, "at_flush"))
        option_at_flush = value != 0;
    else if (!strcmp(name, "newest_first"))
        option_newest_first = value != 0;
    else if (!strcmp(name, "hold"))
        option_hold = value != 0;
    else if (!strcmp(name, "lose"))
        option_lose = (unsigned long long)value;
    else if (!strcmp(name, "late_us"))
        option_late_us = (unsigned long long)value;
    else if (!strcmp(name, "leave"))
        option_leave = (unsigned long long)value;
    else if (!strcmp(name, "version"))
        option_version = (unsigned long long)value;
    else if (!strcmp(name, "other"))
        option_other = value != 0;
    else if (!strcmp(name, "clones"))
        option_clones = (unsigned long long)value;
    else
        code = -1;
    buffers_release();
    pthread_mutex_unlock(&cupti_lock);
    return code;
}

/* Calls since the last time, one a line: name, code and detail, separated by tabs. */
EXPORT size_t standin_cupti_calls(char *text, size_t size, int clear) {
    pthread_mutex_lock(&cupti_lock);
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        size_t room = length < size ? size - length : 0;
        length += (size_t)snprintf(room ? text + length : NULL, room, "%s\t%d\t%s\n", notes[i].name, notes[i].code,
                                   notes[i].detail);
    }
    if (!length && size) text[0] = 0;
    if (clear && length < size) count = 0;
    pthread_mutex_unlock(&cupti_lock);
    return length + 1;
}

/* "subscribers"; "buffers" of the client's that it has not got back; "kinds" that are enabled, "watched" calls. */
EXPORT long long standin_cupti_live(const char *name) {
    long long live = -1;
    pthread_mutex_lock(&cupti_lock);
    if (!strcmp(name, "subscribers"))
        live = client.subscribed;
    else if (!strcmp(name, "buffers"))
        live = buffers_count();
    else if (!strcmp(name, "kinds")) {
        live = 0;
        for (int i = 0; i < SC_KINDS; i++) live += client.kinds[i];
    } else if (!strcmp(name, "watched")) {
        live = 0;
        for (int i = 0; i < CALLS_MOST; i++) live += client.watched[i];
    }
    pthread_mutex_unlock(&cupti_lock);
    return live;
}

/* Forgets options, faults, calls and records; a client stays attached. */
EXPORT void standin_cupti_reset(void) {
    pthread_mutex_lock(&cupti_lock);
    memset(faults, 0, sizeof faults);
    option_records = option_lose = option_late_us = option_leave = option_version = option_clones = 0;
    option_reverse = option_at_flush = option_newest_first = option_hold = option_other = false;
    count = 0;
    buffers_release();
    pthread_mutex_unlock(&cupti_lock);
}
