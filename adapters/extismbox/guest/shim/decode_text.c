/* decode_text.c - strings, member names and numbers of JSON. */
#include "decode.h"
#include "words.h"

PyObject *decode_fail(struct decoder *d, const char *reason)
{
    return PyErr_Format(PyExc_ValueError, "invalid JSON at byte %zd: %s", (Py_ssize_t)(d->p - d->start), reason);
}

/* ---- strings ---- */

/* The first byte from p on that is not plain ASCII inside a string, or end. */
static const char *plain_end(const char *p, const char *end)
{
    for (; end - p >= 8; p += 8) {
        uint64_t stops = word_stops(word_load(p));
        if (stops)
            return p + word_first(stops);
    }
    while (p < end && !byte_stops((unsigned char)*p))
        p++;
    return p;
}

static PyObject *ascii_string(const char *p, Py_ssize_t n)
{
    if (n <= 1)
        return n ? PyUnicode_FromOrdinal(*p) : PyUnicode_New(0, 0);
    PyObject *s = PyUnicode_New(n, 127);
    if (s)
        copy_short((char *)PyUnicode_1BYTE_DATA(s), p, (size_t)n);
    return s;
}

static int hex4(const char *p)
{
    int v = 0;
    for (int i = 0; i < 4; i++) {
        int c = p[i], digit = c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
        if (digit < 0)
            return -1;
        v = v << 4 | digit;
    }
    return v;
}

/* Code point of the \u escape whose hexadecimal digits start at *at; moves *at behind it (and a pair's second half). */
static int unescape_point(struct decoder *d, const char **at, const char *end)
{
    const char *p = *at;
    int c = end - p >= 4 ? hex4(p) : -1;
    if (c < 0)
        return decode_fail(d, "a \\u escape needs four hexadecimal digits"), -1;
    p += 4;
    if (c >= 0xD800 && c < 0xE000) {
        int low = c < 0xDC00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u' ? hex4(p + 2) : -1;
        if (low < 0xDC00 || low > 0xDFFF)
            return decode_fail(d, "half of a surrogate pair"), -1;
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        p += 6;
    }
    *at = p;
    return c;
}

static char *put_point(char *to, int c)
{
    if (c < 0x80) {
        *to++ = (char)c;
    } else if (c < 0x800) {
        *to++ = (char)(0xC0 | c >> 6);
        *to++ = (char)(0x80 | (c & 63));
    } else if (c < 0x10000) {
        *to++ = (char)(0xE0 | c >> 12);
        *to++ = (char)(0x80 | (c >> 6 & 63));
        *to++ = (char)(0x80 | (c & 63));
    } else {
        *to++ = (char)(0xF0 | c >> 18);
        *to++ = (char)(0x80 | (c >> 12 & 63));
        *to++ = (char)(0x80 | (c >> 6 & 63));
        *to++ = (char)(0x80 | (c & 63));
    }
    return to;
}

/* Writes [p, end) to `to` with its escapes resolved, as UTF-8; that is never longer. Returns the end, or NULL. */
static char *unescape(struct decoder *d, const char *p, const char *end, char *to)
{
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    while (p < end) {
        const char *stop = memchr(p, '\\', (size_t)(end - p));
        size_t run = (size_t)((stop ? stop : end) - p);
        copy_short(to, p, run);
        to += run;
        if (!stop)
            break;
        p = stop + 2; /* the closing quote was found behind a whole escape */
        const char *known = stop[1] ? strchr(from, stop[1]) : NULL;
        if (known) {
            *to++ = into[known - from];
            continue;
        }
        int c = stop[1] == 'u' ? unescape_point(d, &p, end) : (decode_fail(d, "unknown escape"), -1);
        if (c < 0)
            return NULL;
        to = put_point(to, c);
    }
    return to;
}

/* A string with escapes or other characters than ASCII: [start, p) is plain. */
static PyObject *rich_string(struct decoder *d, const char *start, const char *p)
{
    int escapes = 0;
    for (;; p = plain_end(p, d->end)) {
        unsigned char c = p < d->end ? (unsigned char)*p : 0;
        if (c == '"')
            break;
        if (c < 0x20) {
            d->p = p;
            return decode_fail(d, p < d->end ? "control character in a string" : "the string does not end");
        }
        if (c == '\\') {
            escapes = 1;
            p++;
        }
        p += p < d->end;
    }
    d->p = p + 1;
    if (!escapes)
        return PyUnicode_DecodeUTF8(start, p - start, "strict");
    char *buf = PyMem_Malloc((size_t)(p - start));
    if (!buf)
        return PyErr_NoMemory();
    char *end = unescape(d, start, p, buf);
    PyObject *s = end ? PyUnicode_DecodeUTF8(buf, end - buf, "strict") : NULL;
    PyMem_Free(buf);
    return s;
}

PyObject *decode_string(struct decoder *d)
{
    const char *start = d->p + 1, *p = plain_end(start, d->end);
    if (p == d->end || *p != '"')
        return rich_string(d, start, p);
    d->p = p + 1;
    return ascii_string(start, p - start);
}

/* ---- member names ---- */

/* The first eight bytes, zeros behind the end. */
static uint64_t head_of(const char *p, Py_ssize_t n)
{
    uint64_t w = 0;
    if (n >= 8)
        return word_load(p);
    for (Py_ssize_t i = 0; i < n; i++)
        w |= (uint64_t)(unsigned char)p[i] << (8 * i);
    return w;
}

PyObject *decode_name(struct decoder *d)
{
    const char *start = d->p + 1, *p = plain_end(start, d->end);
    Py_ssize_t n = p - start;
    if (p == d->end || *p != '"' || n > 64 || n == 0)
        return decode_string(d);
    d->p = p + 1;
    if (!d->named) {
        memset(d->names, 0, sizeof d->names);
        d->named = 1;
    }
    uint64_t head = head_of(start, n), tail = n > 8 ? word_load(p - 8) : (uint64_t)n;
    uint64_t hash = (head ^ tail * 0x9E3779B97F4A7C15ULL ^ (uint64_t)n) * 0xD6E8FEB86659FD93ULL;
    struct name *slot = &d->names[hash >> 57];
    if (slot->str && slot->head == head && slot->tail == tail && slot->n == n &&
        (n <= 16 || memcmp(PyUnicode_1BYTE_DATA(slot->str), start, (size_t)n) == 0))
        return Py_NewRef(slot->str);
    PyObject *s = ascii_string(start, n);
    if (!s)
        return NULL;
    if (!slot->str) /* the first names are those that the code spells out: equal by identity */
        PyUnicode_InternInPlace(&s);
    Py_XSETREF(slot->str, Py_NewRef(s));
    slot->head = head;
    slot->tail = tail;
    slot->n = n;
    return s;
}
