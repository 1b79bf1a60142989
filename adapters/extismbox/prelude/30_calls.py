# Calls: a call is sent when it is made and collected by `await`, so calls overlap on the host. A call that nobody
# awaits is an error with its line, never an empty success.

_pending = {}  # number that the host gave -> call that it has not answered
_unawaited = {}  # id() -> call that nobody has awaited yet, in the order of their making

# Of the run that goes on: its file, and its value or error, which is not taken apart before the next run. After most
# runs there is none: the whole memory is reset at once. And whether this or an earlier run of the session may have
# coroutines of its own: only then is it worth looking for them.
_run_state = types.SimpleNamespace(file="<snippet>", left=None, has_coroutines=False)


class _Call(_toolplane.Call):
    """A call that was sent to the host. Awaiting it gives the answer, each time the same; all else is a mistake.

    It has the methods of a coroutine, so that asyncio takes it for one: gather, create_task and wait_for work.
    """

    __slots__ = ()

    def _place(self):
        """(line, name of the function) of the snippet's own code that made the call; (0, "") if none did."""
        code, offset = self._code, self._offset
        if code is None:
            return 0, ""
        line = next((line for start, end, line in code.co_lines() if start <= offset < end), None)
        return line or 0, code.co_name

    def _claim(self):
        """Somebody takes care of the call."""
        self._awaited = True
        _unawaited.pop(id(self), None)

    def _finish(self, answer, error):
        if self._text and type(answer) is str:
            answer = ToolText(answer)
        self._answer, self._error, self._done = answer, error, True
        for waiter in self._waiters or ():
            if not waiter.done():
                waiter.set_result(None)

    def _give_up(self):
        """Ends the call, on the host too."""
        _pending.pop(self._number, None)
        _abandon(self._number)
        self._finish(None, asyncio.CancelledError(f"{self._shown} was cancelled"))

    def _let_go(self):
        """Somebody who would have waited does not: nobody may be left who does."""
        if not self._done and not self._waiters:
            self._give_up()

    def _wait(self):
        """The steps of an `await` of a call that is not done."""
        waiter = asyncio.get_running_loop().create_future()
        if self._waiters is None:
            self._waiters = []
        self._waiters.append(waiter)
        try:
            yield from waiter
        except asyncio.CancelledError:
            if not self._done and len(self._waiters) == 1:
                self._give_up()
            raise
        finally:
            self._waiters.remove(waiter)
        return (yield from self.__await__())

    def send(self, value):
        if self._steps is None:
            self._steps = _steps_of(self)
        return self._steps.send(value)

    def throw(self, *error):
        if self._steps is None:
            self._claim()
            self._let_go()
            self._steps = _steps_of(self)
        return self._steps.throw(*error)

    def close(self):
        self._claim()
        if not self._done:
            self._give_up()

    def _misuse(self):
        """The error for whatever else one does with an answer."""
        if self._awaited:
            return UnawaitedCallError(f"{self._shown} is a call, not its answer: use what `await` gave")
        line = self._place()[0]
        line = f" at line {line}" if line else ""
        return UnawaitedCallError(
            f"{self._shown} was called{line} but not awaited: write `await {self._shown}` to get its answer"
        )

    def _misused(self, *_args):
        raise self._misuse()

    def __repr__(self):
        if not self._awaited:
            raise self._misuse()
        return f"<call of {self._shown}>"

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        raise self._misuse()

    __hash__ = object.__hash__


for _name in (
    "bool len iter aiter anext reversed contains getitem setitem delitem call enter exit aenter aexit bytes"
    " eq ne lt le gt ge add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod"
    " and rand or ror xor rxor neg pos abs int float index round matmul rmatmul pow rpow divmod rdivmod"
    " lshift rlshift rshift rrshift"
).split():
    setattr(_Call, f"__{_name}__", _Call._misused)


async def _steps_of(call):
    return await call


def _abandon(number):
    try:
        _host_call(_CANCEL, str(number))
    except ValueError:
        pass  # the host has ended it already


_start = _toolplane.start


def _collect(number):
    """Takes the answer of a call that the host says is ready."""
    call = _pending.pop(number, None)
    if call is None:
        return _abandon(number)
    try:
        answer = _host_call(_TAKE, str(number))
    except Exception as e:
        call._finish(None, e)
    else:
        call._finish(answer, None)


# ---- capabilities under their names ----


def _arguments(shown, args, kwargs):
    """The arguments of a tool that was called with positional ones: none, None, or all of them as one mapping."""
    given = args[0]
    if len(args) > 1:
        raise TypeError(f"{shown} takes its arguments by name, or all of them as one dict")
    if isinstance(given, _Call):
        raise given._misuse()
    if given is None:
        return kwargs
    if isinstance(given, dict) or isinstance(given, collections.abc.Mapping):
        return {**given, **kwargs}
    raise TypeError(f"{shown} takes its arguments by name, or all of them as one dict, not as {_type_name(given)}")


_toolplane.share(_Call, _unawaited, _pending, _strict, _arguments, ToolText)


class _Tool(_toolplane.Tool):
    """A capability under a friendly name."""

    __slots__ = ()
    __signature__ = inspect.signature(lambda args=None, /, **kwargs: None)

    def __repr__(self):
        return f"<tool {self._id}>"


class _Scope:
    """The capabilities of one namespace: scope.name(…)."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        import difflib

        near = difflib.get_close_matches(name, dir(self), 3) or dir(self)[:20]
        raise AttributeError(f"{self._name} has no {name}; it has {', '.join(near) or 'nothing'}")

    def __dir__(self):
        return sorted(name for name in vars(self) if name != "_name")

    def __repr__(self):
        return f"<tools of {self._name}>"


def _bind(namespace, bindings):
    """Binds [name, id] pairs: "name" as a function, "scope.name" as an attribute of an object."""
    scopes = {}
    for name, capability in bindings:
        scope, dot, member = name.partition(".")
        if not dot:
            namespace[name] = _Tool(name, capability, f"{name}(…)")
            continue
        if scope not in scopes:
            scopes[scope] = namespace[scope] = _Scope(scope)
        setattr(scopes[scope], member, _Tool(name, capability, f"{name}(…)"))
