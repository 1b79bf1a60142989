/* words.h - eight bytes of JSON text at a time (the guest is little-endian). */
#ifndef TOOLPLANE_WORDS_H
#define TOOLPLANE_WORDS_H

#include <stdint.h>
#include <string.h>

#define WORD_ONES 0x0101010101010101ULL
#define WORD_HIGH 0x8080808080808080ULL

static inline uint64_t word_load(const void *p)
{
    uint64_t w;
    memcpy(&w, p, 8);
    return w;
}

static inline void word_store(void *p, uint64_t w)
{
    memcpy(p, &w, 8);
}

/* Non-zero if one of the bytes is a quote, a backslash, a control character or not ASCII. The lowest bit that is set
 * belongs to the first such byte; higher bits may be wrong. */
static inline uint64_t word_stops(uint64_t w)
{
    uint64_t quote = w ^ (WORD_ONES * '"'), slash = w ^ (WORD_ONES * '\\');
    return (((quote - WORD_ONES) & ~quote) | ((slash - WORD_ONES) & ~slash) | (w - WORD_ONES * 0x20) | w) & WORD_HIGH;
}

/* The place of the first stop, given a non-zero word_stops. */
static inline unsigned word_first(uint64_t stops)
{
    return (unsigned)__builtin_ctzll(stops) >> 3;
}

/* Whether one byte is such a stop. */
static inline int byte_stops(unsigned char c)
{
    return c == '"' || c == '\\' || c < 0x20 || c >= 0x80;
}

/* memcpy for short runs: the engine pays more for a bulk copy than a few words cost. */
static inline void copy_short(char *dst, const char *src, size_t n)
{
    if (n >= 128) {
        memcpy(dst, src, n);
        return;
    }
    if (n < 8) {
        for (; n; n--)
            *dst++ = *src++;
        return;
    }
    for (size_t at = 0; at + 8 <= n; at += 8)
        word_store(dst + at, word_load(src + at));
    word_store(dst + n - 8, word_load(src + n - 8));
}

#endif
