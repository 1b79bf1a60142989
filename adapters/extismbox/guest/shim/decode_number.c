/* decode_number.c - numbers of JSON: integers exactly, floats to the nearest double. */
#include "decode.h"

#include <math.h>

/* What the grammar says of a number. */
struct number {
    const char *start, *end;
    uint64_t digits; /* the first digits as an integer */
    int kept;        /* how many of them, leading zeros not counted */
    int dropped;     /* digits that did not fit */
    int negative, is_float;
    int exponent; /* of ten, for digits */
};

/* Nineteen digits fit into 64 bits. */
enum { KEPT_MAX = 19 };

static int is_digit(const struct decoder *d, const char *p)
{
    return p < d->end && *p >= '0' && *p <= '9';
}

static const char *take_digits(struct decoder *d, struct number *x, const char *p)
{
    for (; is_digit(d, p); p++) {
        if (x->kept == KEPT_MAX) {
            x->dropped = 1;
            continue;
        }
        x->digits = x->digits * 10 + (uint64_t)(*p - '0');
        x->kept += x->digits != 0;
    }
    return p;
}

static const char *take_exponent(struct decoder *d, struct number *x, const char *p)
{
    int e = 0, negative = p < d->end && *p == '-';
    p += negative || (p < d->end && *p == '+');
    if (!is_digit(d, p))
        return NULL;
    for (; is_digit(d, p); p++)
        if (e < 100000)
            e = e * 10 + (*p - '0');
    x->exponent += negative ? -e : e;
    return p;
}

static int scan(struct decoder *d, struct number *x)
{
    const char *p = d->p;
    memset(x, 0, sizeof *x);
    x->start = p;
    x->negative = *p == '-';
    p += x->negative;
    if (!is_digit(d, p))
        goto bad;
    if (*p == '0' && is_digit(d, p + 1))
        goto bad;
    p = take_digits(d, x, p);
    if (p < d->end && *p == '.') {
        const char *fraction = p + 1;
        x->is_float = 1;
        if (!is_digit(d, fraction))
            goto bad;
        p = take_digits(d, x, fraction);
        x->exponent -= p - fraction < 100000 ? (int)(p - fraction) : 100000;
    }
    if (p < d->end && (*p | 32) == 'e') {
        x->is_float = 1;
        p = take_exponent(d, x, p + 1);
        if (!p)
            goto bad;
    }
    x->end = d->p = p;
    return 0;
bad:
    decode_fail(d, "malformed number");
    return -1;
}

/* The text of the number in a buffer of its own, NUL-terminated; the caller frees it unless it is `small`. */
static char *text_of(const struct number *x, char *small, size_t room)
{
    size_t n = (size_t)(x->end - x->start);
    char *buf = n < room ? small : PyMem_Malloc(n + 1);
    if (!buf)
        return (char *)PyErr_NoMemory();
    memcpy(buf, x->start, n);
    buf[n] = 0;
    return buf;
}

static PyObject *slow_number(struct decoder *d, const struct number *x)
{
    char small[64], *text = text_of(x, small, sizeof small);
    PyObject *o = NULL;
    if (!text)
        return NULL;
    if (!x->is_float) {
        o = PyLong_FromString(text, NULL, 10);
    } else {
        double v = PyOS_string_to_double(text, NULL, NULL);
        if (v == -1.0 && PyErr_Occurred())
            o = NULL;
        else if (isinf(v))
            o = decode_fail(d, "the number is too large for a float");
        else
            o = PyFloat_FromDouble(v);
    }
    if (text != small)
        PyMem_Free(text);
    return o;
}

PyObject *decode_number(struct decoder *d)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    struct number x;
    if (scan(d, &x) < 0)
        return NULL;
    if (x.dropped || x.kept == KEPT_MAX)
        return slow_number(d, &x);
    if (!x.is_float)
        return PyLong_FromLongLong(x.negative ? -(long long)x.digits : (long long)x.digits);
    /* Both operands are exact doubles, so one division or multiplication rounds correctly (Clinger's fast path). */
    if (x.digits > 1ULL << 53 || x.exponent < -22 || x.exponent > 22)
        return slow_number(d, &x);
    double v = x.exponent < 0 ? (double)x.digits / powers[-x.exponent] : (double)x.digits * powers[x.exponent];
    return PyFloat_FromDouble(x.negative ? -v : v);
}
