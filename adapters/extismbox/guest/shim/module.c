/* module.c - the method table of `_toolplane`, the prelude's door to the host and to the fast paths in C. */
#include "toolplane.h"

#define FAST(fn) ((PyCFunction)(void (*)(void))(fn))

static PyMethodDef methods[] = {
    {"call", FAST(tp_py_call), METH_FASTCALL, "call(op, head=None, body=None) -> the host's answer, at once"},
    {"submit", FAST(tp_py_submit), METH_FASTCALL, "submit(op, head=None, body=None) -> (True, answer) or (False, id)"},
    {"send", FAST(tp_py_send), METH_FASTCALL, "send(field, data): one part of the reply"},
    {"compile", FAST(tp_py_compile), METH_FASTCALL, "compile(source, globals, file) -> (function, flags)"},
    {"dumps", FAST(tp_py_dumps), METH_FASTCALL, "dumps(value, hook) -> JSON as bytes"},
    {"loads", tp_py_loads, METH_O, "loads(json) -> value"},
    {"set_error", tp_py_set_error, METH_O, "set_error(fn): fn(object) makes the exception of an error answer"},
    {"set_blobs", tp_py_set_blobs, METH_O, "set_blobs(fn): fn(object) puts the blobs of an answer in place"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_toolplane",
    .m_size = -1,
    .m_methods = methods,
};

PyMODINIT_FUNC PyInit__toolplane(void)
{
    return PyModule_Create(&module);
}
