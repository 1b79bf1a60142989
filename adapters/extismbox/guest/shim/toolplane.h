/* toolplane.h - the seam between CPython and the host, shared by the files of the shim.
 *
 * The guest talks to its host through three imported functions that take (pointer, length) in this module's own memory:
 * recv, send and call. The host checks every range against the memory it owns; this side checks every length that it is
 * given before it allocates. The module `_toolplane` offers them to the prelude, the Python half of the guest.
 */
#ifndef TOOLPLANE_H
#define TOOLPLANE_H

#define PY_SSIZE_T_CLEAN
#ifndef Py_BUILD_CORE
#define Py_BUILD_CORE 1
#endif
#include <Python.h>
#include <stdint.h>
#include <string.h>

#define TP_EXPORT(name) __attribute__((export_name(name), visibility("default")))
#define TP_USER(name) __attribute__((import_module("extism:host/user"), import_name(name)))
#define TP_ENV(name) __attribute__((import_module("extism:host/env"), import_name(name)))

/* Fields of send: the parts of a reply. */
enum tp_field {
    TP_VALUE_JSON = 1,
    TP_VALUE_TEXT = 2,
    TP_STDOUT = 3,
    TP_STDERR = 4,
    TP_ERROR_TYPE = 5,
    TP_ERROR_MESSAGE = 6,
    TP_ERROR_TRACEBACK = 7,
    TP_ERROR_LINE = 8,
    TP_NOTE = 9,
    TP_SHIELD = 10,
    TP_FATAL = 11,
    TP_BLOCK = 12,
    TP_ERROR_CODE = 13,
    TP_CODE = 14,
};

/* Status and kind of an answer to call. */
enum tp_status { TP_OK = 0, TP_ERR = 1, TP_PENDING = 2 };
enum tp_kind {
    TP_NONE = 0,
    TP_TEXT = 1,
    TP_TEXT_ASCII = 2,
    TP_BYTES = 3,
    TP_JSON = 4,
    TP_JSON_ASCII = 5,
    TP_JSON_BLOBS = 6,
};

/* Answers up to this size come with the call itself. */
enum { TP_SMALL = 1024 };

/* Host functions, wrapped once in transport.c. */
void tp_send(uint32_t field, const void *data, size_t n);
uint32_t tp_recv(void *dst, uint32_t cap);

/* The int o as a number of 32 bits: 0, or -1 with an exception that calls it what. */
int tp_u32(PyObject *o, const char *what, uint32_t *out);

/* Makes a call: 1 with its answer, 0 with the id that the host gave it, -1 with an exception. New reference. head and
 * body are str, bytes-like or None. */
int tp_submit(uint32_t op, PyObject *head, PyObject *body, PyObject **answer);

/* The answer of a call that ended with status OK or ERR; small holds it if it has at most TP_SMALL bytes. New reference. */
PyObject *tp_answer(const char *small, uint64_t result);

/* Raises what the prelude makes of an error answer, whose reference it takes (NULL: an exception is set). Returns NULL. */
PyObject *tp_raise(PyObject *answer);

/* The message that the host has pending for this guest, as a str. New reference, NULL with an exception set. */
PyObject *tp_recv_text(void);

/* Raises what a soft stop raises if one is due: -1 then, else 0. For long loops in C; cheap. */
int tp_check_stop(void);

/* Makes every object that exists now immortal. */
void tp_immortalize(void);

/* Methods of `_toolplane`, one group a file. */
PyObject *tp_py_call(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *tp_py_start(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *tp_py_share(PyObject *self, PyObject *args);
PyObject *tp_py_set_file(PyObject *self, PyObject *name);
PyObject *tp_py_send(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *tp_py_set_error(PyObject *self, PyObject *fn);
PyObject *tp_py_set_blobs(PyObject *self, PyObject *fn);
PyObject *tp_py_compile(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *tp_py_load(PyObject *self, PyObject *globals);
PyObject *tp_py_dumps(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *tp_py_loads(PyObject *self, PyObject *source);

/* A call of the host that was sent; encode makes bytes of its payload, JSON if it is NULL. What an Exception ends is a
 * call too, that raises it when it is awaited. New reference. */
PyObject *tp_start(PyObject *shown, uint32_t op, PyObject *head, PyObject *payload, PyObject *encode, int text);

/* What a tool is called with, as a dict. New reference. */
PyObject *tp_arguments(PyObject *shown, PyObject *positional, PyObject *keywords);

/* Add the types Call and Tool to the module: 0, or -1 with an exception. */
int tp_add_call(PyObject *module);
int tp_add_tool(PyObject *module);

/* Decodes n bytes of JSON. New reference, NULL with ValueError (or MemoryError, RecursionError) set. */
PyObject *tp_decode(const char *json, Py_ssize_t n);

PyMODINIT_FUNC PyInit__toolplane(void);

#endif
