/* module.c - the method table of `_toolplane`, the prelude's door to the host and to the fast paths in C. */
#include "toolplane.h"

#define FAST(fn) ((PyCFunction)(void (*)(void))(fn))

static PyMethodDef methods[] = {
    {"call", FAST(tp_py_call), METH_FASTCALL, "call(op, head=None, body=None) -> the host's answer, at once"},
    {"start", FAST(tp_py_start), METH_FASTCALL, "start(shown, op, head, payload, encode, text) -> call"},
    {"send", FAST(tp_py_send), METH_FASTCALL, "send(field, data): one part of the reply"},
    {"compile", FAST(tp_py_compile), METH_FASTCALL, "compile(source, globals, file) -> (function, flags)"},
    {"load", tp_py_load, METH_O, "load(globals) -> (function, flags) if the snippet was compiled before, else None"},
    {"dumps", FAST(tp_py_dumps), METH_FASTCALL, "dumps(value, hook) -> JSON as bytes"},
    {"loads", tp_py_loads, METH_O, "loads(json) -> value"},
    {"share", tp_py_share, METH_VARARGS, "share(call, unawaited, pending, strict, arguments, text): for the types here"},
    {"set_file", tp_py_set_file, METH_O, "set_file(name): how the code of the coming snippet is called"},
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
    PyObject *m = PyModule_Create(&module);
    if (m && (tp_add_call(m) < 0 || tp_add_tool(m) < 0))
        Py_CLEAR(m);
    return m;
}
