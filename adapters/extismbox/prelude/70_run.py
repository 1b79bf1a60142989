# One run, from the source to the value or the error.

import keyword
import unicodedata

_RESERVED = {"previous", *_OPTIONAL_HELPERS, *(helper.__name__ for helper in _HELPERS)}


def _make_main():
    """The module that snippets run in. A session keeps it from run to run."""
    global _main
    _main = types.ModuleType("__main__")
    vars(_main).update({f.__name__: f for f in _HELPERS}, __builtins__=builtins, ToolError=ToolError)
    vars(_main).update(asyncio=asyncio, json=json)
    sys.modules["__main__"] = _main


def _prepare(source):
    """Sets the run up as the host says. Returns the snippet's namespace."""
    setup = _host_call(_SETUP) or {}
    file = _run_state.file = setup.get("file") or "<snippet>"
    _toolplane.set_file(file)
    if "async " in source:
        _run_state.has_coroutines = True
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    linecache.cache[file] = len(source), None, [line + "\n" for line in lines], file
    sys.modules["__main__"] = _main
    if _loop.is_closed():
        _make_loop()
    namespace = vars(_main)
    namespace["previous"] = None
    if setup:
        helpers = setup.get("helpers") or ()
        namespace.update((name, helper) for name, helper in _OPTIONAL_HELPERS.items() if name in helpers)
        _bind(namespace, setup.get("bindings") or ())
        _set_inputs(namespace, setup, setup.get("inputs") or {})
    return namespace


def _set_inputs(namespace, setup, inputs):
    """Binds the inputs, each under the name that source code has for it: Python reads names in their NFKC form."""
    namespace.update(inputs)
    for name, value in inputs.items():
        if name.isascii() or (read := unicodedata.normalize("NFKC", name)) == name:
            continue
        bound = {binding.partition(".")[0] for binding, _ in setup.get("bindings") or ()}
        if read in inputs or read in bound or hasattr(builtins, read) or read in _RESERVED or keyword.iskeyword(read):
            raise _refusal("args.invalid", f"{name!r} cannot be an input: Python reads it as {read}, which is taken")
        del namespace[name]
        namespace[read] = value


def _drive(coro):
    """Runs the snippet's coroutine: eagerly to its first real suspension, and only then by the loop."""
    loop = _loop
    loop._thread_id = threading.get_ident()
    asyncio._set_running_loop(loop)
    try:
        task = asyncio.Task(coro, loop=loop, eager_start=True)
    finally:
        asyncio._set_running_loop(None)
        loop._thread_id = None
    if not task.done():
        loop.spin(task)
    return task.result()


def _type_of_aclose():
    async def generator():
        yield

    closing = generator().aclose()
    closing.close()
    return type(closing)


_GeneratorClose = _type_of_aclose()  # what the loop runs to finish a generator that was dropped


def _settle(tell):
    """Ends what the snippet left running. tell: note it."""
    generators = _loop._asyncgens.data  # a plain set: no code that the snippet may have broken
    if not (_loop.tasks_made or generators or _loop._ready) or _loop.is_closed():
        return
    if _loop._ready:  # what closes the generators that were dropped last begins
        _loop.spin(_loop.create_task(asyncio.sleep(0)))
    pending = {t for t in asyncio.all_tasks(_loop) if not t.done()}
    closing = {t for t in pending if isinstance(t.get_coro(), _GeneratorClose)}
    _wait_for(_loop, closing)
    pending = sorted(pending - closing, key=asyncio.Task.get_name)
    if pending:
        if tell:
            names = ", ".join(getattr(t.get_coro(), "__qualname__", t.get_name()) for t in pending[:_NAMES_SHOWN])
            names += ", …" if len(pending) > _NAMES_SHOWN else ""
            number = "1 task was" if len(pending) == 1 else f"{len(pending)} tasks were"
            _notes.add("", f"{number} still pending when the run ended, and cancelled: {names}; await what must finish")
        _cancel_all(_loop, pending)
    if generators:
        closing = _loop.create_task(_loop.shutdown_asyncgens())
        _wait_for(_loop, {closing})
        closing.cancel()
    if tell:
        _find_failed_tasks()
    _loop.tasks_made = 0
    _loop._ready.clear()
    _loop._scheduled.clear()


def _execute(source):
    """Runs the snippet and sends its value."""
    namespace = _prepare(source)
    function, flags = _load_compiled(namespace) or _compile(source, namespace, _run_state.file)
    try:
        value = _drive(function()) if flags & _IS_COROUTINE else function()
    except SystemExit as e:
        if e.code:
            raise
        value = None  # sys.exit() ends a run well
    _run_state.left = value
    _settle(tell=True)
    forgotten = _forgotten(namespace, value)
    if forgotten is not None:
        raise forgotten
    if _lost_errors:
        _tell_lost_errors()
    if flags & _ENDS_IN_ASSIGNMENT and value is None:
        _notes.add("", "the last statement was an assignment, so the run has no value: end with the name, or return it")
    _send_value(value)
    _notes.send()


def _clean_up():
    """Forgets the run: its calls end, whatever became of them."""
    for number in list(_pending):
        _abandon(number)
    _pending.clear()
    _unawaited.clear()
    _unawaited_coroutines.clear()
    _lost_errors.clear()
    _notes.clear()
    if _unfinished:
        _finish_characters()


def _run(source):
    """Called by the shim for each snippet."""
    _run_state.left = None
    _keep_reserve()
    _set_streams()
    try:
        _execute(source)
    except _Interrupted as e:
        _reserve.clear()
        _report(e)
    except BaseException as e:
        _reserve.clear()
        _end_badly(e)
    _clean_up()


def _end_badly(e):
    try:
        _settle(tell=False)
    except _Interrupted as late:
        e = late
    except BaseException:
        pass  # the first error counts
    _report(e)


def _fail(e):
    """Called by the shim when an exception left _run: a stop that hit the prelude itself, or a full memory."""
    _reserve.clear()
    _report(e)
    _clean_up()


def _has_set(constants):
    """Whether there is a set among them, or in those of nested code. marshal changes the order of its elements."""
    return any(
        len(c) > 1 if type(c) is frozenset else type(c) is types.CodeType and _has_set(c.co_consts) for c in constants
    )


def _precompile(source):
    """Called by the shim: sends the code of a snippet that other guests will run. One that warns, or that marshal does
    not leave as it is, is left to them."""
    file = (_host_call(_SETUP) or {}).get("file") or "<snippet>"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        function, flags = _compile(source, {}, file)
    if not _has_set((function.__code__,)):
        _send(_CODE, bytes([flags]) + marshal.dumps(function.__code__))


def _reseed():
    random._inst.seed(int.from_bytes(os.urandom(32)))


def _prime():
    """Called by the shim before a guest is handed out: no two runs share random numbers."""
    _reseed()


builtins.exit = builtins.quit = sys.exit
