/* transport.c - send and call: bytes between Python objects and the host. */
#include "toolplane.h"

TP_USER("recv") extern uint32_t host_recv(void *dst, uint32_t cap);
TP_USER("send") extern void host_send(uint32_t field, const void *data, uint32_t n);
TP_USER("call") extern uint64_t host_call(uint32_t op, const void *head, uint32_t nhead, const void *body, uint32_t nbody,
                                          void *out, uint32_t cap);
TP_USER("tick") extern void host_tick(void);

/* A str that goes to a stream is sent in pieces of this many characters: its UTF-8 form never exists as a whole. */
enum { STREAM_PIECE = 1 << 18 };

/* Only instrumented code calls tick; this reference keeps the import. */
__attribute__((used, visibility("default"))) void tp_keep_tick(void)
{
    host_tick();
}

void tp_send(uint32_t field, const void *data, size_t n)
{
    host_send(field, data, (uint32_t)n);
}

uint32_t tp_recv(void *dst, uint32_t cap)
{
    return host_recv(dst, cap);
}

/* ---- arguments ---- */

int tp_u32(PyObject *o, const char *what, uint32_t *out)
{
    if (!PyLong_Check(o)) {
        PyErr_Format(PyExc_TypeError, "%s must be an int, not %.100s", what, Py_TYPE(o)->tp_name);
        return -1;
    }
    long long v = PyLong_AsLongLong(o);
    if (v == -1 && PyErr_Occurred())
        return -1;
    if (v < 0 || v > UINT32_MAX) {
        PyErr_Format(PyExc_OverflowError, "%s must be between 0 and 2**32-1", what);
        return -1;
    }
    *out = (uint32_t)v;
    return 0;
}

/* A borrowed view of a str, a bytes-like object or None; part_release ends it. */
struct part {
    const void *p;
    Py_ssize_t n;
    Py_buffer view;
};

static int part_get(PyObject *o, const char *what, struct part *part)
{
    memset(part, 0, sizeof *part);
    if (o == NULL || o == Py_None)
        return 0;
    if (PyUnicode_Check(o)) {
        part->p = PyUnicode_AsUTF8AndSize(o, &part->n);
        return part->p ? 0 : -1;
    }
    if (!PyObject_CheckBuffer(o)) {
        PyErr_Format(PyExc_TypeError, "%s must be str, bytes-like or None, not %.100s", what, Py_TYPE(o)->tp_name);
        return -1;
    }
    if (PyObject_GetBuffer(o, &part->view, PyBUF_SIMPLE) < 0)
        return -1;
    part->p = part->view.buf;
    part->n = part->view.len;
    return 0;
}

static void part_release(struct part *part)
{
    if (part->view.obj)
        PyBuffer_Release(&part->view);
}

/* One host call. Returns 0 with *result set, -1 with an exception. */
static int host(uint32_t op, PyObject *head, PyObject *body, char *small, uint64_t *result)
{
    struct part h, b;
    if (part_get(head, "head", &h) < 0)
        return -1;
    if (part_get(body, "body", &b) < 0) {
        part_release(&h);
        return -1;
    }
    *result = host_call(op, h.p, (uint32_t)h.n, b.p, (uint32_t)b.n, small, TP_SMALL);
    part_release(&h);
    part_release(&b);
    return 0;
}

static PyObject *unknown_status(uint32_t status)
{
    return PyErr_Format(PyExc_SystemError, "the host answered with the unexpected status %u", status);
}

/* call(op, head=None, body=None) -> the answer */
PyObject *tp_py_call(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    char small[TP_SMALL];
    uint64_t r;
    uint32_t op;
    if (n < 1 || n > 3) {
        PyErr_SetString(PyExc_TypeError, "call(op, head=None, body=None) takes 1 to 3 arguments");
        return NULL;
    }
    if (tp_u32(args[0], "op", &op) < 0 || host(op, n > 1 ? args[1] : NULL, n > 2 ? args[2] : NULL, small, &r) < 0)
        return NULL;
    uint32_t status = (uint32_t)(r >> 32) & 255;
    if (status == TP_OK)
        return tp_answer(small, r);
    return status == TP_ERR ? tp_raise(tp_answer(small, r)) : unknown_status(status);
}

int tp_submit(uint32_t op, PyObject *head, PyObject *body, PyObject **answer)
{
    char small[TP_SMALL];
    uint64_t r;
    if (host(op, head, body, small, &r) < 0)
        return -1;
    uint32_t status = (uint32_t)(r >> 32) & 255;
    switch (status) {
    case TP_OK:
        *answer = tp_answer(small, r);
        break;
    case TP_PENDING:
        *answer = PyLong_FromUnsignedLong((uint32_t)r);
        break;
    case TP_ERR:
        *answer = tp_raise(tp_answer(small, r));
        break;
    default:
        *answer = unknown_status(status);
    }
    return *answer ? status == TP_OK : -1;
}

/* ---- send ---- */

/* UTF-8 with each lone surrogate as U+FFFD: both take three bytes, so they are replaced in place. */
static PyObject *encode_text(PyObject *s)
{
    PyObject *b = PyUnicode_AsEncodedString(s, "utf-8", "surrogatepass");
    if (!b)
        return NULL;
    unsigned char *p = (unsigned char *)PyBytes_AS_STRING(b), *end = p + PyBytes_GET_SIZE(b);
    for (; end - p >= 3 && (p = memchr(p, 0xED, (size_t)(end - p))) != NULL; p++)
        if (end - p >= 3 && p[1] >= 0xA0)
            memcpy(p, "\xEF\xBF\xBD", 3);
    return b;
}

static int send_text(uint32_t field, PyObject *s)
{
    if (PyUnicode_IS_COMPACT_ASCII(s)) {
        tp_send(field, PyUnicode_1BYTE_DATA(s), (size_t)PyUnicode_GET_LENGTH(s));
        return 0;
    }
    int stream = field == TP_STDOUT || field == TP_STDERR;
    Py_ssize_t n = PyUnicode_GET_LENGTH(s), step = stream ? STREAM_PIECE : n;
    for (Py_ssize_t at = 0; at < n; at += step) {
        PyObject *piece = PyUnicode_Substring(s, at, Py_MIN(n, at + step));
        PyObject *b = piece ? encode_text(piece) : NULL;
        Py_XDECREF(piece);
        if (!b)
            return -1;
        tp_send(field, PyBytes_AS_STRING(b), (size_t)PyBytes_GET_SIZE(b));
        Py_DECREF(b);
    }
    return 0;
}

/* send(field, data): one part of the reply */
PyObject *tp_py_send(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    uint32_t field;
    struct part part;
    if (n != 2) {
        PyErr_SetString(PyExc_TypeError, "send(field, data) takes 2 arguments");
        return NULL;
    }
    if (tp_u32(args[0], "field", &field) < 0)
        return NULL;
    if (PyUnicode_Check(args[1])) {
        if (send_text(field, args[1]) < 0)
            return NULL;
        Py_RETURN_NONE;
    }
    if (part_get(args[1], "data", &part) < 0)
        return NULL;
    tp_send(field, part.p, (size_t)part.n);
    part_release(&part);
    Py_RETURN_NONE;
}
