/* answer.c - what the host sends becomes a Python object, or the exception that the prelude makes of it. */
#include "toolplane.h"

static PyObject *error_fn, *blobs_fn;

/* Fetches the pending message of n bytes into dst, which has room for it. */
static int fetch(void *dst, uint32_t n)
{
    if (tp_recv(dst, n) == n)
        return 0;
    PyErr_SetString(PyExc_SystemError, "the host's message has not the size it announced");
    return -1;
}

static PyObject *fetch_bytes(const char *small, uint32_t n)
{
    if (n > PY_SSIZE_T_MAX)
        return PyErr_NoMemory();
    if (n <= TP_SMALL)
        return PyBytes_FromStringAndSize(small, (Py_ssize_t)n);
    PyObject *b = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)n);
    if (b && fetch(PyBytes_AS_STRING(b), n) < 0)
        Py_CLEAR(b);
    return b;
}

/* ASCII arrives in the str object itself, without a copy or a check. */
static PyObject *fetch_ascii(const char *small, uint32_t n)
{
    if (n > PY_SSIZE_T_MAX)
        return PyErr_NoMemory();
    PyObject *s = PyUnicode_New((Py_ssize_t)n, 127);
    if (!s || !n)
        return s;
    if (n <= TP_SMALL)
        memcpy(PyUnicode_1BYTE_DATA(s), small, n);
    else if (fetch(PyUnicode_1BYTE_DATA(s), n) < 0)
        Py_CLEAR(s);
    return s;
}

/* Text and JSON are decoded from a buffer that lives only for it. */
static PyObject *fetch_decoded(const char *small, uint32_t n, PyObject *(*decode)(const char *, Py_ssize_t))
{
    if (n <= TP_SMALL)
        return decode(small, (Py_ssize_t)n);
    char *buf = n > PY_SSIZE_T_MAX ? NULL : PyMem_RawMalloc(n);
    if (!buf)
        return PyErr_NoMemory();
    PyObject *o = fetch(buf, n) < 0 ? NULL : decode(buf, (Py_ssize_t)n);
    PyMem_RawFree(buf);
    return o;
}

static PyObject *decode_text(const char *s, Py_ssize_t n)
{
    return PyUnicode_DecodeUTF8(s, n, "replace");
}

static PyObject *decode_blobs(const char *s, Py_ssize_t n)
{
    PyObject *o = tp_decode(s, n);
    if (!o || !blobs_fn)
        return o;
    PyObject *placed = PyObject_CallOneArg(blobs_fn, o);
    Py_DECREF(o);
    return placed;
}

/* The answer of a call as a Python object: taken from small if it came with the call, else fetched. */
PyObject *tp_answer(const char *small, uint64_t result)
{
    uint32_t n = (uint32_t)result, kind = (uint32_t)(result >> 40) & 255;
    switch (kind) {
    case TP_NONE:
        Py_RETURN_NONE;
    case TP_TEXT:
        return fetch_decoded(small, n, decode_text);
    case TP_TEXT_ASCII:
        return fetch_ascii(small, n);
    case TP_BYTES:
        return fetch_bytes(small, n);
    case TP_JSON:
    case TP_JSON_ASCII:
        return fetch_decoded(small, n, tp_decode);
    case TP_JSON_BLOBS:
        return fetch_decoded(small, n, decode_blobs);
    }
    return PyErr_Format(PyExc_SystemError, "the host answered with the unknown kind %u", kind);
}

PyObject *tp_recv_text(void)
{
    char small[TP_SMALL];
    uint32_t n = tp_recv(small, sizeof small);
    return fetch_decoded(small, n, decode_text);
}

/* Raises what the prelude makes of an error answer. */
PyObject *tp_raise(PyObject *answer)
{
    if (!answer)
        return NULL;
    PyObject *e = error_fn ? PyObject_CallOneArg(error_fn, answer) : PyObject_CallOneArg(PyExc_RuntimeError, answer);
    Py_DECREF(answer);
    if (e && PyExceptionInstance_Check(e))
        PyErr_SetObject((PyObject *)Py_TYPE(e), e);
    else if (e)
        PyErr_SetString(PyExc_SystemError, "the error function did not return an exception");
    Py_XDECREF(e);
    return NULL;
}

static PyObject *set_function(PyObject **slot, PyObject *fn)
{
    if (!PyCallable_Check(fn)) {
        PyErr_Format(PyExc_TypeError, "a function is needed, not %.100s", Py_TYPE(fn)->tp_name);
        return NULL;
    }
    Py_XSETREF(*slot, Py_NewRef(fn));
    Py_RETURN_NONE;
}

/* set_error(fn): fn(error object) returns the exception to raise for it */
PyObject *tp_py_set_error(PyObject *self, PyObject *fn)
{
    return set_function(&error_fn, fn);
}

/* set_blobs(fn): fn(answer) returns the answer with its blobs in place */
PyObject *tp_py_set_blobs(PyObject *self, PyObject *fn)
{
    return set_function(&blobs_fn, fn);
}
