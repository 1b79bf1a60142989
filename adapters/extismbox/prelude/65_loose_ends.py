# What a snippet leaves behind: coroutines that nobody awaited, which are an error, and errors that nobody has seen, of
# which a note tells.

import itertools

_unawaited_coroutines = []  # (name, place) of those that never ran

_Coroutine, _Future = types.CoroutineType, asyncio.Future


def _on_unawaited_coroutine(coro):
    """Called by the interpreter when a coroutine dies that never ran."""
    for file, line, function in coro.cr_origin or ():
        if file == _run_state.file:
            _unawaited_coroutines.append((coro.__qualname__, (line, function)))


warnings._warn_unawaited_coroutine = _on_unawaited_coroutine
sys.set_coroutine_origin_tracking_depth(1)


def _examine(coro):
    if coro.cr_frame is not None and not (coro.cr_running or coro.cr_suspended):
        _on_unawaited_coroutine(coro)
        coro.close()


def _examine_future(future):
    if future._log_traceback:
        _lost_errors.append((_FUTURE_FAILED, future.exception()))


# How deep globals and the value are searched, and how many objects at most.
_LEVELS_SEARCHED, _OBJECTS_SEARCHED = 6, 3000

_ELEMENTS = (
    (dict, dict.values),
    (list, list.__iter__),
    (tuple, tuple.__iter__),
    (set, set.__iter__),
    (frozenset, frozenset.__iter__),
    (collections.deque, collections.deque.__iter__),
)
_attributes_of_class = type.__dict__["__dict__"].__get__


def _inside(o):
    """What a container holds, or an object or a class of the snippet's own. No code of the snippet's runs."""
    kind = type(o)
    for base, elements in _ELEMENTS:
        if issubclass(kind, base):
            return elements(o)
    made_by = _attributes_of_class(o if issubclass(kind, type) else kind).get("__module__")
    return gc.get_referents(o) if made_by == "__main__" or kind is types.SimpleNamespace else ()


def _search(level):
    """Looks for coroutines and futures in what objects hold. What is met again is looked at again: both bounds hold."""
    left = _OBJECTS_SEARCHED
    for _ in range(_LEVELS_SEARCHED):
        below = []
        for o in level:
            kind = type(o)
            if kind is str or kind is int or kind is float or kind is bool or o is None:
                continue
            found = o if kind is list or kind is tuple else dict.values(o) if kind is dict else _inside(o)
            below += itertools.islice(found, left - len(below))
        for o in below:
            if type(o) is _Coroutine:
                _examine(o)
            elif type(o) is _Future:
                _examine_future(o)
        level, left = below, left - len(below)


def _forgotten(namespace, value):
    """The error for a call or coroutine that nobody awaited, or None."""
    for v in (value, *namespace.values()):
        if type(v) is _Coroutine:
            _examine(v)
        elif type(v) is _Future:
            _examine_future(v)
    if _run_state.has_coroutines:
        _search((value, *namespace.values()))
    if _unawaited:
        call = next(iter(_unawaited.values()))
        error, place = call._misuse(), call._place()
    elif _unawaited_coroutines:
        name, place = _unawaited_coroutines[0]
        error = UnawaitedCallError(
            f"the coroutine {name}(…) was made at line {place[0]} but not awaited: write `await {name}(…)`"
            " to run it"
        )
    else:
        return None
    more = len(_unawaited) + len(_unawaited_coroutines) - 1
    if more:
        error = UnawaitedCallError(f"{error} (and {more} more)")
    error.__toolplane_place__ = place
    return error


# ---- errors that nobody has seen ----

_TASK_FAILED = "a task failed and nobody awaited it"
_FUTURE_FAILED = "a future failed and nobody awaited it"
_CALLBACK_FAILED = "a callback of the event loop failed"
_CLOSING_FAILED = "an asynchronous generator failed as it was closed"


def _how_lost(context):
    """What failed, by the context of an event loop's exception handler."""
    if "handle" in context:
        return _CALLBACK_FAILED
    if "asyncgen" in context:
        return _CLOSING_FAILED
    return _FUTURE_FAILED if type(context.get("future")) is _Future else _TASK_FAILED


def _find_failed_tasks():
    for task in list(asyncio.tasks._scheduled_tasks):
        if task.done() and not task.cancelled() and task._log_traceback:
            _lost_errors.append((_TASK_FAILED, task.exception()))


def _tell_lost_errors():
    for what, e in _lost_errors:
        line = _error_line(e)
        where = f" (line {line})" if line else ""
        error = _safe_text(f"{_class_name_of(type(e))}: {_message(e)}")
        _notes.add("", f"{what}: {error}{where}")
    _lost_errors.clear()


def _safe_text(text):
    text = _SURROGATES.sub("\ufffd", text)
    return text if len(text) <= 1000 else text[:999] + "…"
