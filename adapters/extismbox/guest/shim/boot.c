/* boot.c - the exports: guest_init boots the interpreter and the prelude, run serves one snippet, prime reseeds. */
#include "toolplane.h"
#include "internal/pycore_ceval.h"
#include "internal/pycore_pystate.h"
#include "internal/pycore_runtime.h"
#include "internal/pycore_signal.h"

TP_ENV("input_length") extern uint64_t input_length(void);
TP_ENV("input_load_u8") extern uint32_t input_load_u8(uint64_t at);
TP_ENV("input_load_u64") extern uint64_t input_load_u64(uint64_t at);

extern void __wasm_call_ctors(void);

/* The standard library, made by the guest's build. */
extern const struct _frozen toolplane_frozen[];

/* Levels of C recursion that Python code may use. CPython's own 5,000 cost about 72 MB of the engine's stack at worst. */
enum { C_RECURSION = 1500 };

/* The number of the signal that stops a run softly (SIGINT). */
enum { SOFT_STOP = 2 };

/* Where the host writes, from inside tick, to raise KeyboardInterrupt in the running code. */
struct block {
    uint32_t magic, eval_breaker, is_tripped, sigint_tripped, pending_bit;
};
enum { BLOCK_MAGIC = 0x31435054 };

static PyObject *run_fn, *fail_fn, *prime_fn, *precompile_fn;

static int32_t fatal(const char *message)
{
    tp_send(TP_FATAL, message, strlen(message));
    return 1;
}

/* Sends the current exception as the reason why the guest is unusable. */
static int32_t fatal_exception(void)
{
    PyObject *e = PyErr_GetRaisedException();
    PyObject *text = e ? PyObject_Repr(e) : NULL;
    const char *message = text ? PyUnicode_AsUTF8(text) : NULL;
    fatal(message ? message : "an error that cannot be shown");
    Py_XDECREF(text);
    Py_XDECREF(e);
    PyErr_Clear();
    return 1;
}

static PyStatus boot_python(void)
{
    PyPreConfig pre;
    PyPreConfig_InitIsolatedConfig(&pre);
    pre.utf8_mode = 1;
    PyStatus status = Py_PreInitialize(&pre);
    if (PyStatus_Exception(status))
        return status;
    if (PyImport_AppendInittab("_toolplane", PyInit__toolplane) < 0)
        return PyStatus_NoMemory();
    PyImport_FrozenModules = toolplane_frozen;

    PyConfig c;
    PyConfig_InitIsolatedConfig(&c);
    c.install_signal_handlers = 0;
    c.site_import = 0;
    c.write_bytecode = 0;
    c.pathconfig_warnings = 0;
    c.buffered_stdio = 0;
    c.use_frozen_modules = 1;
    c.module_search_paths_set = 1;
    const struct {
        wchar_t **field;
        const wchar_t *value;
    } names[] = {
        {&c.program_name, L"python"}, {&c.executable, L""},       {&c.base_executable, L""},
        {&c.home, L"/"},              {&c.prefix, L"/"},          {&c.base_prefix, L"/"},
        {&c.exec_prefix, L"/"},       {&c.base_exec_prefix, L"/"}, {&c.stdlib_dir, L"/lib"},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(names) && !PyStatus_Exception(status); i++)
        status = PyConfig_SetString(&c, names[i].field, names[i].value);
    if (!PyStatus_Exception(status))
        status = Py_InitializeFromConfig(&c);
    PyConfig_Clear(&c);
    return status;
}

static void send_block(PyThreadState *ts)
{
    const struct block b = {
        BLOCK_MAGIC,
        (uint32_t)(uintptr_t)&ts->eval_breaker,
        (uint32_t)(uintptr_t)&_PyRuntime.signals.is_tripped,
        (uint32_t)(uintptr_t)&_PyRuntime.signals.handlers[SOFT_STOP].tripped,
        _PY_SIGNALS_PENDING_BIT,
    };
    tp_send(TP_BLOCK, &b, sizeof b);
}

/* The prelude's source: the Extism input of guest_init, NUL-terminated. NULL without memory. */
static char *read_input(void)
{
    uint64_t n = input_length(), at = 0;
    char *src = n < PY_SSIZE_T_MAX ? PyMem_RawMalloc((size_t)n + 1) : NULL;
    if (!src)
        return NULL;
    for (; at + 8 <= n; at += 8) {
        uint64_t word = input_load_u64(at);
        memcpy(src + at, &word, 8);
    }
    for (; at < n; at++)
        src[at] = (char)input_load_u8(at);
    src[n] = 0;
    return src;
}

/* Runs the prelude as a module of its own that no import finds, with builtins of its own: what a snippet does to the
 * builtins does not reach the code that reports on it. New reference to its globals. */
static PyObject *load_prelude(void)
{
    char *src = read_input();
    if (!src)
        return PyErr_NoMemory();
    PyObject *code = Py_CompileString(src, "<toolplane>", Py_file_input);
    PyMem_RawFree(src);
    if (!code)
        return NULL;
    PyObject *builtins = PyDict_Copy(PyEval_GetBuiltins());
    PyObject *globals = builtins ? Py_BuildValue("{s:O,s:s}", "__builtins__", builtins, "__name__", "toolplane") : NULL;
    Py_XDECREF(builtins);
    PyObject *r = globals ? PyEval_EvalCode(code, globals, globals) : NULL;
    Py_DECREF(code);
    if (!r)
        Py_CLEAR(globals);
    Py_XDECREF(r);
    return globals;
}

static int32_t call_prelude(PyObject *fn)
{
    PyObject *r = PyObject_CallNoArgs(fn);
    if (!r)
        return fatal_exception();
    Py_DECREF(r);
    return 0;
}

TP_EXPORT("guest_init") int32_t guest_init(void)
{
    if (run_fn)
        return fatal("guest_init was called twice");
    __wasm_call_ctors();
    PyStatus status = boot_python();
    if (PyStatus_Exception(status))
        return fatal(status.err_msg ? status.err_msg : "the interpreter did not start");
    PyThreadState *ts = PyThreadState_Get();
    ts->c_recursion_remaining -= Py_C_RECURSION_LIMIT - C_RECURSION;
    send_block(ts);

    PyObject *globals = load_prelude();
    if (!globals)
        return fatal_exception();
    run_fn = Py_XNewRef(PyDict_GetItemString(globals, "_run"));
    fail_fn = Py_XNewRef(PyDict_GetItemString(globals, "_fail"));
    prime_fn = Py_XNewRef(PyDict_GetItemString(globals, "_prime"));
    precompile_fn = Py_XNewRef(PyDict_GetItemString(globals, "_precompile"));
    PyObject *warm_fn = Py_XNewRef(PyDict_GetItemString(globals, "_warm"));
    Py_DECREF(globals);
    if (!run_fn || !fail_fn || !prime_fn || !precompile_fn || !warm_fn)
        return fatal("the prelude lacks _run, _fail, _prime, _precompile or _warm");
    int32_t rc = call_prelude(warm_fn);
    Py_DECREF(warm_fn);
    tp_immortalize();
    return rc;
}

/* A stop that came too late for the run before (a session's) must not hit this one. */
static void drop_soft_stop(void)
{
    PyThreadState *ts = PyThreadState_Get();
    _PyRuntime.signals.is_tripped = 0;
    _PyRuntime.signals.handlers[SOFT_STOP].tripped = 0;
    _Py_unset_eval_breaker_bit(ts, _PY_SIGNALS_PENDING_BIT);
}

/* Looks at the flag first: PyErr_CheckSignals alone may also run the garbage collector. */
int tp_check_stop(void)
{
    return _PyRuntime.signals.is_tripped ? PyErr_CheckSignals() : 0;
}

TP_EXPORT("run") int32_t run(void)
{
    if (!run_fn)
        return fatal("run was called before guest_init");
    drop_soft_stop();
    PyObject *src = tp_recv_text();
    PyObject *r = src ? PyObject_CallOneArg(run_fn, src) : NULL;
    if (!r) { /* the stop hit the prelude itself: no more of them, and report it */
        PyObject *e = PyErr_GetRaisedException();
        tp_send(TP_SHIELD, NULL, 0);
        drop_soft_stop();
        r = PyObject_CallOneArg(fail_fn, e);
        Py_XDECREF(e);
    }
    Py_XDECREF(src);
    if (!r)
        return fatal_exception();
    Py_DECREF(r);
    return 0;
}

/* Compiles a snippet that another guest will run; without an answer if that cannot be done. No snippet has run here. */
TP_EXPORT("precompile") int32_t precompile(void)
{
    if (!precompile_fn)
        return fatal("precompile was called before guest_init");
    PyObject *src = tp_recv_text();
    PyObject *r = src ? PyObject_CallOneArg(precompile_fn, src) : NULL;
    PyErr_Clear();
    Py_XDECREF(src);
    Py_XDECREF(r);
    return 0;
}

TP_EXPORT("prime") int32_t prime(void)
{
    if (!prime_fn)
        return fatal("prime was called before guest_init");
    return call_prelude(prime_fn);
}
