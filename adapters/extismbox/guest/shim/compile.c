/* compile.c - a snippet as a module whose top level may await and return.
 *
 * The code object is that of a real module, not of a function around it: names at the top level are globals, `global`,
 * star imports and `from __future__` mean what they mean in a script. No Python AST object is made on the way.
 */
#include "toolplane.h"
#include "internal/pycore_ast.h"
#include "internal/pycore_compile.h"
#include "internal/pycore_parser.h"
#include "internal/pycore_pyarena.h"
#include <marshal.h>

/* Lets `return` stand at the top level of a module. The guest's build adds the flag to Python/compile.c; Python code
 * cannot pass it to compile(), and nested compilations do not inherit it. */
#ifndef PyCF_MODULE_RETURN
#error "Python/compile.c lacks the edit that allows a module to return"
#endif

enum { IS_COROUTINE = 1, ENDS_IN_ASSIGNMENT = 2, ENDS_IN_EXPRESSION = 4 };

/* Makes a last expression statement the value of the module, and says how the module ends. */
static int finish(mod_ty mod, PyArena *arena, int *flags)
{
    asdl_stmt_seq *body = mod->v.Module.body;
    Py_ssize_t n = asdl_seq_LEN(body);
    if (n == 0)
        return 0;
    stmt_ty last = asdl_seq_GET(body, n - 1);
    switch (last->kind) {
    case Assign_kind:
    case AugAssign_kind:
        *flags |= ENDS_IN_ASSIGNMENT;
        return 0;
    case AnnAssign_kind:
        if (last->v.AnnAssign.value)
            *flags |= ENDS_IN_ASSIGNMENT;
        return 0;
    case Expr_kind:
        break;
    default:
        return 0;
    }
    stmt_ty ret = _PyAST_Return(last->v.Expr.value, last->lineno, last->col_offset, last->end_lineno,
                                last->end_col_offset, arena);
    if (!ret)
        return -1;
    asdl_seq_SET(body, n - 1, ret);
    *flags |= ENDS_IN_EXPRESSION;
    return 0;
}

static PyCodeObject *compile_module(const char *source, PyObject *file, int *flags)
{
    PyArena *arena = _PyArena_New();
    if (!arena)
        return NULL;
    PyCompilerFlags cf = _PyCompilerFlags_INIT;
    cf.cf_flags = PyCF_SOURCE_IS_UTF8 | PyCF_IGNORE_COOKIE | PyCF_ALLOW_TOP_LEVEL_AWAIT | PyCF_MODULE_RETURN;
    PyCodeObject *code = NULL;
    mod_ty mod = _PyParser_ASTFromString(source, file, Py_file_input, &cf, arena);
    if (mod && finish(mod, arena, flags) == 0)
        code = _PyAST_Compile(mod, file, &cf, -1, arena);
    _PyArena_Free(arena);
    return code;
}

/* Takes the reference to code. */
static PyObject *function_of(PyObject *code, PyObject *globals, int flags)
{
    PyObject *fn = PyFunction_New(code, globals);
    Py_DECREF(code);
    return fn ? Py_BuildValue("(Ni)", fn, flags) : NULL;
}

/* compile(source, globals, file) -> (function, flags) */
PyObject *tp_py_compile(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    Py_ssize_t size;
    int flags = 0;
    if (n != 3 || !PyUnicode_Check(args[0]) || !PyDict_Check(args[1]) || !PyUnicode_Check(args[2])) {
        PyErr_SetString(PyExc_TypeError, "compile(source, globals, file) takes a str, a dict and a str");
        return NULL;
    }
    const char *source = PyUnicode_AsUTF8AndSize(args[0], &size);
    if (!source)
        return NULL;
    if (strlen(source) != (size_t)size) {
        PyErr_SetString(PyExc_SyntaxError, "source code string cannot contain null bytes");
        return NULL;
    }
    PyCodeObject *code = compile_module(source, args[2], &flags);
    if (!code)
        return NULL;
    if (code->co_flags & CO_COROUTINE)
        flags |= IS_COROUTINE;
    return function_of((PyObject *)code, args[1], flags);
}

/* load(globals) -> (function, flags) of the snippet that runs, if another guest has compiled it; else None.
 * The host's answer is a byte of flags and the code as marshal writes it. */
PyObject *tp_py_load(PyObject *self, PyObject *globals)
{
    enum { CODE = 9 }; /* the host's operation */
    if (!PyDict_Check(globals)) {
        PyErr_Format(PyExc_TypeError, "load(globals) takes a dict, not %.100s", Py_TYPE(globals)->tp_name);
        return NULL;
    }
    PyObject *bytes = NULL;
    if (tp_submit(CODE, NULL, NULL, &bytes) < 0 || bytes == Py_None)
        return bytes;
    if (!PyBytes_Check(bytes) || PyBytes_GET_SIZE(bytes) == 0) {
        Py_DECREF(bytes);
        Py_RETURN_NONE;
    }
    const char *p = PyBytes_AS_STRING(bytes);
    int flags = (unsigned char)p[0];
    PyObject *code = PyMarshal_ReadObjectFromString(p + 1, PyBytes_GET_SIZE(bytes) - 1);
    Py_DECREF(bytes);
    if (code && !PyCode_Check(code)) {
        Py_SETREF(code, NULL);
        PyErr_SetString(PyExc_SystemError, "the host's code is none");
    }
    return code ? function_of(code, globals, flags) : NULL;
}
