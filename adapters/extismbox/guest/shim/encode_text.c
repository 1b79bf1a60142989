/* encode_text.c - strings and numbers as JSON, and the buffer they go to. */
#include "encode.h"
#include "words.h"

#include <math.h>

/* ---- buffer ---- */

int out_grow(struct out *o, Py_ssize_t n)
{
    size_t need = (size_t)o->n + (size_t)n, room = (size_t)o->room + (size_t)o->room / 2;
    if (room < need)
        room = need;
    if (room < 512)
        room = 512;
    if (n < 0 || room > PY_SSIZE_T_MAX - 64) {
        PyErr_NoMemory();
        return -1;
    }
    if (o->bytes ? _PyBytes_Resize(&o->bytes, (Py_ssize_t)room) < 0
                 : !(o->bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)room))) {
        *o = (struct out){0};
        return -1;
    }
    o->p = PyBytes_AS_STRING(o->bytes);
    o->room = (Py_ssize_t)room;
    return 0;
}

PyObject *out_take(struct out *o)
{
    PyObject *b = o->bytes;
    if (!b)
        b = PyBytes_FromStringAndSize(NULL, 0);
    else
        _PyBytes_Resize(&b, o->n);
    *o = (struct out){0};
    return b;
}

int out_put(struct out *o, const char *s, Py_ssize_t n)
{
    if (out_need(o, n) < 0)
        return -1;
    copy_short(o->p + o->n, s, (size_t)n);
    o->n += n;
    return 0;
}

/* ---- strings ---- */

static const char hex[] = "0123456789abcdef";

/* A character that JSON escapes; at most six bytes. */
static char *put_escape(char *to, unsigned c)
{
    static const char from[] = "\"\\\b\f\n\r\t", into[] = "\"\\bfnrt";
    const char *known = c && c < 0x80 ? strchr(from, (int)c) : NULL;
    *to++ = '\\';
    if (known) {
        *to++ = into[known - from];
        return to;
    }
    *to++ = 'u';
    for (int shift = 12; shift >= 0; shift -= 4)
        *to++ = hex[c >> shift & 15];
    return to;
}

/* An ASCII string: copied by words up to the next character to escape. */
static int put_ascii(struct out *o, const char *s, Py_ssize_t n)
{
    const char *end = s + n;
    while (s < end) {
        if (out_need(o, (end - s) + 16) < 0)
            return -1;
        char *to = o->p + o->n;
        for (; end - s >= 8; s += 8, to += 8) {
            uint64_t w = word_load(s), stops = word_stops(w);
            word_store(to, w);
            if (stops) {
                s += word_first(stops);
                to += word_first(stops);
                goto stop;
            }
        }
        while (s < end && !byte_stops((unsigned char)*s))
            *to++ = *s++;
    stop:
        if (s < end)
            to = put_escape(to, (unsigned char)*s++);
        o->n = to - o->p;
    }
    return 0;
}

/* One code point as UTF-8, escaped where JSON wants it; at most six bytes. */
static char *put_char(char *to, Py_UCS4 c)
{
    if (c < 0x80) {
        if (c == '"' || c == '\\' || c < 0x20)
            return put_escape(to, c);
        *to++ = (char)c;
        return to;
    }
    if (c < 0x800) {
        *to++ = (char)(0xC0 | c >> 6);
    } else {
        if (c < 0x10000) {
            *to++ = (char)(0xE0 | c >> 12);
        } else {
            *to++ = (char)(0xF0 | c >> 18);
            *to++ = (char)(0x80 | (c >> 12 & 63));
        }
        *to++ = (char)(0x80 | (c >> 6 & 63));
    }
    *to++ = (char)(0x80 | (c & 63));
    return to;
}

/* Any string, a piece at a time so that the room for the worst case stays small. Returns as out_string. */
static int put_unicode(struct out *o, PyObject *s, enum surrogates mode)
{
    enum { PIECE = 512 };
    int kind = PyUnicode_KIND(s);
    const void *data = PyUnicode_DATA(s);
    Py_ssize_t n = PyUnicode_GET_LENGTH(s);
    for (Py_ssize_t at = 0; at < n;) {
        Py_ssize_t piece_end = Py_MIN(n, at + PIECE);
        if (out_need(o, 6 * PIECE) < 0)
            return -1;
        char *to = o->p + o->n;
        for (; at < piece_end; at++) {
            Py_UCS4 c = PyUnicode_READ(kind, data, at);
            if (!Py_UNICODE_IS_SURROGATE(c))
                to = put_char(to, c);
            else if (mode == SURROGATES_SHOWN)
                to = put_escape(to, c);
            else
                return 1;
        }
        o->n = to - o->p;
    }
    return 0;
}

int out_string(struct out *o, PyObject *s, enum surrogates mode)
{
    Py_ssize_t start = o->n;
    if (PyUnicode_GET_LENGTH(s) > PY_SSIZE_T_MAX - 64) {
        PyErr_NoMemory();
        return -1;
    }
    if (out_put(o, "\"", 1) < 0)
        return -1;
    int rc = PyUnicode_IS_ASCII(s) ? put_ascii(o, PyUnicode_DATA(s), PyUnicode_GET_LENGTH(s)) : put_unicode(o, s, mode);
    if (rc == 0)
        return out_put(o, "\"", 1);
    o->n = start;
    return rc;
}

/* ---- numbers ---- */

/* Decimal digits of v, at most 20, right-aligned before end; returns their start. */
static char *digits(char *end, uint64_t v)
{
    while (v >= 10) {
        uint64_t q = v / 10;
        *--end = (char)('0' + (v - q * 10));
        v = q;
    }
    *--end = (char)('0' + v);
    return end;
}

int out_int(struct out *o, PyObject *v)
{
    char text[24], *end = text + sizeof text;
    int overflow;
    long long x = PyLong_AsLongLongAndOverflow(v, &overflow);
    if (!overflow) {
        if (x == -1 && PyErr_Occurred())
            return -1;
        char *p = digits(end, x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
        if (x < 0)
            *--p = '-';
        return out_put(o, p, end - p);
    }
    PyObject *s = PyLong_Type.tp_repr(v);
    if (!s) {
        if (!PyErr_ExceptionMatches(PyExc_ValueError))
            return -1;
        PyErr_Clear();
        return 1;
    }
    int rc = out_put(o, PyUnicode_DATA(s), PyUnicode_GET_LENGTH(s));
    Py_DECREF(s);
    return rc;
}

/* Floats of few digits, such as 12.5 and 3.0, without the general algorithm: if v times a power of ten is an integer of
 * at most 15 digits that divides back to v, no other decimal of that size reads as v. Returns 0 if v is not one. */
static int short_float(double v, char *text)
{
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
    double a = fabs(v);
    if (!(a < 1e15) || (a < 1e-3 && a != 0))
        return 0;
    for (int k = 0; k < (int)Py_ARRAY_LENGTH(powers); k++) {
        double scaled = a * powers[k];
        if (!(scaled < 1e15))
            return 0;
        uint64_t whole = (uint64_t)scaled;
        if ((double)whole != scaled || (double)whole / powers[k] != a)
            continue;
        for (; k > 1 && whole % 10 == 0; k--) /* the product was rounded up to an integer too late */
            whole /= 10;
        char buf[24], *end = buf + sizeof buf, *p = digits(end, whole), *to = text;
        while (end - p < k + 1) /* 0.05 has digits 5 */
            *--p = '0';
        if (signbit(v))
            *to++ = '-';
        while (p < end - k)
            *to++ = *p++;
        *to++ = '.';
        if (k == 0)
            *to++ = '0';
        while (p < end)
            *to++ = *p++;
        return (int)(to - text);
    }
    return 0;
}

int out_float(struct out *o, double v)
{
    char text[40];
    int n = short_float(v, text);
    if (n)
        return out_put(o, text, n);
    char *s = PyOS_double_to_string(v, 'r', 0, Py_DTSF_ADD_DOT_0, NULL);
    if (!s)
        return -1;
    int rc = out_put(o, s, (Py_ssize_t)strlen(s));
    PyMem_Free(s);
    return rc;
}
