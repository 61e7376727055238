/* A copy to memory that a device reads next: stores that go past the processor's caches.

   Ordinary stores first read each line of the destination into the cache, and the device then reads it out of the cache
   of whatever processor has it. On processors without such stores it is memcpy. `to` is a multiple of 16. */
#ifndef LAUNCHPATH_STREAMING_H
#define LAUNCHPATH_STREAMING_H

#include <stddef.h>
#include <string.h>

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>

#define LP_LINE 64

static inline void lp_copy_streaming(char *to, const char *source, size_t size) {
    for (; size >= LP_LINE; to += LP_LINE, source += LP_LINE, size -= LP_LINE) {
        __m128i first = _mm_loadu_si128((const __m128i *)source);
        __m128i second = _mm_loadu_si128((const __m128i *)(source + 16));
        __m128i third = _mm_loadu_si128((const __m128i *)(source + 32));
        __m128i fourth = _mm_loadu_si128((const __m128i *)(source + 48));
        _mm_stream_si128((__m128i *)to, first);
        _mm_stream_si128((__m128i *)(to + 16), second);
        _mm_stream_si128((__m128i *)(to + 32), third);
        _mm_stream_si128((__m128i *)(to + 48), fourth);
    }
    memcpy(to, source, size);
    _mm_sfence(); /* these stores are not ordered with others: the copy counts as done when they are */
}
#else
static inline void lp_copy_streaming(char *to, const char *source, size_t size) { memcpy(to, source, size); }
#endif

#endif
