/* NVTX: ranges and marks that a program makes by NVIDIA's annotation library come into the trace.
 *
 * NVTX consists of headers: at its first call in a process it loads the library that NVTX_INJECTION64_PATH names, and calls
 * InitializeInjectionNvtx2 there, which takes the place of its functions. Here that is this extension itself. Layouts and
 * numbers are those of NVTX version 3. */
#ifndef LAUNCHPATH_NVTX_H
#define LAUNCHPATH_NVTX_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

typedef struct {
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type, padding;
    const void *message;
} lp_nvtx_attributes;

enum { LP_NVTX_ASCII = 1, LP_NVTX_WIDE = 2, LP_NVTX_REGISTERED = 3, LP_NVTX_COLOR_ARGB = 1 };

typedef struct { /* a domain, or a registered string: kept for ever */
    char text[1];
} lp_nvtx_text;

typedef struct {
    const char *name, *domain;
    uint32_t color, category;
    uint64_t payload;
} lp_nvtx_event;

/* What the core does; NULL until it is there. */
static struct {
    void (*mark)(const lp_nvtx_event *);
    int (*push)(const lp_nvtx_event *);
    int (*pop)(const char *domain);
    uint64_t (*start)(const lp_nvtx_event *);
    void (*end)(uint64_t);
} lp_nvtx;

/* UTF-8 of a wide string, in memory of its own. */
static char *lp_nvtx_narrow(const wchar_t *wide) {
    size_t n = wide ? wcslen(wide) : 0, i;
    char *text = (char *)malloc(4 * n + 1), *at = text;
    if (text == 0) return 0;
    for (i = 0; i < n; i++) {
        uint32_t c = (uint32_t)wide[i];
        if (c < 0x80) *at++ = (char)c;
        else if (c < 0x800) *at++ = (char)(0xC0 | c >> 6), *at++ = (char)(0x80 | (c & 63));
        else if (c < 0x10000) *at++ = (char)(0xE0 | c >> 12), *at++ = (char)(0x80 | (c >> 6 & 63)), *at++ = (char)(0x80 | (c & 63));
        else *at++ = (char)(0xF0 | c >> 18), *at++ = (char)(0x80 | (c >> 12 & 63)), *at++ = (char)(0x80 | (c >> 6 & 63)), *at++ = (char)(0x80 | (c & 63));
    }
    *at = 0;
    return text;
}
/* What attributes say; gives memory to free, or NULL. */
static char *lp_nvtx_read(const void *domain, const lp_nvtx_attributes *attributes, lp_nvtx_event *event) {
    char *own = 0;
    memset(event, 0, sizeof(*event));
    event->domain = domain ? ((const lp_nvtx_text *)domain)->text : 0;
    event->name = "";
    if (attributes == 0) return 0;
    event->category = attributes->category;
    if (attributes->color_type == LP_NVTX_COLOR_ARGB) event->color = attributes->color;
    if (attributes->payload_type) event->payload = attributes->payload;
    if (attributes->message == 0) return 0;
    if (attributes->message_type == LP_NVTX_ASCII) event->name = (const char *)attributes->message;
    if (attributes->message_type == LP_NVTX_REGISTERED) event->name = ((const lp_nvtx_text *)attributes->message)->text;
    if (attributes->message_type == LP_NVTX_WIDE && (own = lp_nvtx_narrow((const wchar_t *)attributes->message)) != 0) event->name = own;
    return own;
}
static void *lp_nvtx_keep(const char *text) {
    size_t size = text ? strlen(text) : 0;
    lp_nvtx_text *kept = (lp_nvtx_text *)malloc(size + 1);
    if (kept) memcpy(kept->text, text ? text : "", size), kept->text[size] = 0;
    return kept;
}
static void *lp_nvtx_keep_wide(const wchar_t *wide) {
    char *text = lp_nvtx_narrow(wide);
    void *kept = lp_nvtx_keep(text);
    free(text);
    return kept;
}
static void lp_nvtx_named(const char *name, lp_nvtx_event *event) {
    memset(event, 0, sizeof(*event));
    event->name = name ? name : "";
}
#define LP_NVTX_EVENT(call)                                                                                            \
    lp_nvtx_event event;                                                                                               \
    char *own = lp_nvtx_read(domain, attributes, &event);                                                              \
    call;                                                                                                              \
    free(own)

static void lp_nvtxDomainMarkEx(void *domain, const lp_nvtx_attributes *attributes) {
    LP_NVTX_EVENT(if (lp_nvtx.mark) lp_nvtx.mark(&event));
}
static uint64_t lp_nvtxDomainRangeStartEx(void *domain, const lp_nvtx_attributes *attributes) {
    uint64_t id = 0;
    LP_NVTX_EVENT(if (lp_nvtx.start) id = lp_nvtx.start(&event));
    return id;
}
static void lp_nvtxDomainRangeEnd(void *domain, uint64_t id) {
    (void)domain;
    if (lp_nvtx.end) lp_nvtx.end(id);
}
static int lp_nvtxDomainRangePushEx(void *domain, const lp_nvtx_attributes *attributes) {
    int depth = -2;
    LP_NVTX_EVENT(if (lp_nvtx.push) depth = lp_nvtx.push(&event));
    return depth;
}
static int lp_nvtxDomainRangePop(void *domain) {
    return lp_nvtx.pop ? lp_nvtx.pop(domain ? ((lp_nvtx_text *)domain)->text : 0) : -2;
}
static void *lp_nvtxDomainRegisterStringA(void *domain, const char *text) { (void)domain; return lp_nvtx_keep(text); }
static void *lp_nvtxDomainRegisterStringW(void *domain, const wchar_t *text) { (void)domain; return lp_nvtx_keep_wide(text); }
static void *lp_nvtxDomainCreateA(const char *name) { return lp_nvtx_keep(name); }
static void *lp_nvtxDomainCreateW(const wchar_t *name) { return lp_nvtx_keep_wide(name); }
static void lp_nvtxMarkEx(const lp_nvtx_attributes *attributes) { lp_nvtxDomainMarkEx(0, attributes); }
static uint64_t lp_nvtxRangeStartEx(const lp_nvtx_attributes *attributes) { return lp_nvtxDomainRangeStartEx(0, attributes); }
static void lp_nvtxRangeEnd(uint64_t id) { lp_nvtxDomainRangeEnd(0, id); }
static int lp_nvtxRangePushEx(const lp_nvtx_attributes *attributes) { return lp_nvtxDomainRangePushEx(0, attributes); }
static int lp_nvtxRangePop(void) { return lp_nvtxDomainRangePop(0); }
static void lp_nvtxMarkA(const char *name) {
    lp_nvtx_event event;
    lp_nvtx_named(name, &event);
    if (lp_nvtx.mark) lp_nvtx.mark(&event);
}
static uint64_t lp_nvtxRangeStartA(const char *name) {
    lp_nvtx_event event;
    lp_nvtx_named(name, &event);
    return lp_nvtx.start ? lp_nvtx.start(&event) : 0;
}
static int lp_nvtxRangePushA(const char *name) {
    lp_nvtx_event event;
    lp_nvtx_named(name, &event);
    return lp_nvtx.push ? lp_nvtx.push(&event) : -2;
}
static void lp_nvtxMarkW(const wchar_t *wide) {
    char *name = lp_nvtx_narrow(wide);
    lp_nvtxMarkA(name);
    free(name);
}
static uint64_t lp_nvtxRangeStartW(const wchar_t *wide) {
    char *name = lp_nvtx_narrow(wide);
    uint64_t id = lp_nvtxRangeStartA(name);
    free(name);
    return id;
}
static int lp_nvtxRangePushW(const wchar_t *wide) {
    char *name = lp_nvtx_narrow(wide);
    int depth = lp_nvtxRangePushA(name);
    free(name);
    return depth;
}

typedef void (*lp_nvtx_function)(void);
typedef struct {
    size_t struct_size;
    int (*module_table)(int module, lp_nvtx_function ***table, unsigned int *size);
} lp_nvtx_callbacks;

#if defined(__GNUC__)
/* Take the places of NVTX's functions; 1: done. */
__attribute__((visibility("default"))) int InitializeInjectionNvtx2(const void *(*export_table)(uint32_t)) {
    const lp_nvtx_callbacks *callbacks = (const lp_nvtx_callbacks *)export_table(1);
    lp_nvtx_function **table = 0;
    unsigned int size = 0;
    if (callbacks == 0 || callbacks->module_table == 0) return 0;
#define LP_NVTX_PLACE(number, function)                                                                                \
    if (size > number && table[number]) *table[number] = (lp_nvtx_function)(function)
    if (callbacks->module_table(1, &table, &size)) { /* functions without a domain */
        LP_NVTX_PLACE(1, lp_nvtxMarkEx);
        LP_NVTX_PLACE(2, lp_nvtxMarkA);
        LP_NVTX_PLACE(3, lp_nvtxMarkW);
        LP_NVTX_PLACE(4, lp_nvtxRangeStartEx);
        LP_NVTX_PLACE(5, lp_nvtxRangeStartA);
        LP_NVTX_PLACE(6, lp_nvtxRangeStartW);
        LP_NVTX_PLACE(7, lp_nvtxRangeEnd);
        LP_NVTX_PLACE(8, lp_nvtxRangePushEx);
        LP_NVTX_PLACE(9, lp_nvtxRangePushA);
        LP_NVTX_PLACE(10, lp_nvtxRangePushW);
        LP_NVTX_PLACE(11, lp_nvtxRangePop);
    }
    if (callbacks->module_table(5, &table, &size)) { /* those with one */
        LP_NVTX_PLACE(1, lp_nvtxDomainMarkEx);
        LP_NVTX_PLACE(2, lp_nvtxDomainRangeStartEx);
        LP_NVTX_PLACE(3, lp_nvtxDomainRangeEnd);
        LP_NVTX_PLACE(4, lp_nvtxDomainRangePushEx);
        LP_NVTX_PLACE(5, lp_nvtxDomainRangePop);
        LP_NVTX_PLACE(10, lp_nvtxDomainRegisterStringA);
        LP_NVTX_PLACE(11, lp_nvtxDomainRegisterStringW);
        LP_NVTX_PLACE(12, lp_nvtxDomainCreateA);
        LP_NVTX_PLACE(13, lp_nvtxDomainCreateW);
    }
    return 1;
}
#endif

#endif
