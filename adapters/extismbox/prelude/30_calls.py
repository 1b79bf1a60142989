# Calls: a call is sent when it is made and collected by `await`, so calls overlap on the host. A call that nobody
# awaits is an error with its line, never an empty success.

_pending = {}  # number that the host gave -> call that it has not answered
_unawaited = {}  # id() -> call that nobody has awaited yet, in the order of their making

# Of the run that goes on: its file, and its value or error, which is not taken apart before the next run. After most
# runs there is none: the whole memory is reset at once.
_run_state = types.SimpleNamespace(file="<snippet>", left=None)


class _Call:
    """A call that was sent to the host. Awaiting it gives the answer, each time the same; all else is a mistake.

    It has the methods of a coroutine, so that asyncio takes it for one: gather, create_task and wait_for work.
    """

    __slots__ = ("_shown", "_at", "_text", "_number", "_done", "_answer", "_error", "_waiters", "_steps", "_awaited")

    def __init__(self, shown, text):
        self._shown = shown
        self._text = text
        self._done = self._awaited = False
        self._number = self._answer = self._error = self._steps = self._waiters = self._at = None
        _unawaited[id(self)] = self
        # Where the snippet's own code is, innermost. Ours are this frame, that of _start and that of who called it;
        # looking at those would cost an object each.
        frame, file = sys._getframe(3), _run_state.file
        while frame is not None:
            code = frame.f_code
            if code.co_filename == file:
                self._at = code, frame.f_lasti
                break
            frame = frame.f_back

    def _place(self):
        """(line, qualified name of the function) of the snippet's own code that made the call; (0, "") if none did."""
        if self._at is None:
            return 0, ""
        code, offset = self._at
        line = next((line for start, end, line in code.co_lines() if start <= offset < end), None)
        return line or 0, code.co_qualname

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

    def __await__(self):
        self._awaited = True
        _unawaited.pop(id(self), None)
        if not self._done:
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
        if self._error is not None:
            raise self._error.with_traceback(None)
        return self._answer

    def send(self, value):
        if self._steps is None:
            self._steps = self.__await__()
        return self._steps.send(value)

    def throw(self, *error):
        if self._steps is None:
            self._steps = self.__await__()
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
    " and rand or ror xor rxor neg pos abs int float index round"
).split():
    setattr(_Call, f"__{_name}__", _Call._misused)


def _abandon(number):
    try:
        _host_call(_CANCEL, str(number))
    except ValueError:
        pass  # the host has ended it already


def _start(shown, op, head, payload, encode=_encode, text=False):
    """Makes a call. What goes wrong at once is raised where the call is awaited, like all else that goes wrong."""
    call = _Call(shown, text)
    try:
        done, answer = _submit(op, head, encode(payload))
    except Exception as e:
        call._finish(None, e)
        return call
    if done:
        call._answer, call._done = ToolText(answer) if text and type(answer) is str else answer, True
    else:
        call._number = answer
        _pending[answer] = call
    return call


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
    if isinstance(args, dict) or isinstance(args, collections.abc.Mapping):
        return {**args, **kwargs}
    raise TypeError(f"{shown} takes its arguments by name, or all of them as one dict, not as {_type_name(args)}")


class _Tool:
    """A capability under a friendly name."""

    __slots__ = ("__name__", "_id", "_shown")

    def __init__(self, name, capability):
        self.__name__ = name
        self._id = capability
        self._shown = f"{name}(…)"

    def __call__(self, args=None, /, *more, **kwargs):
        if more:
            raise TypeError(f"{self._shown} takes its arguments by name, or all of them as one dict")
        if args is not None:
            kwargs = _arguments(self._shown, args, kwargs)
        return _start(self._shown, _CALL, self._id, kwargs, text=True)

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
            namespace[name] = _Tool(name, capability)
            continue
        if scope not in scopes:
            scopes[scope] = namespace[scope] = _Scope(scope)
        setattr(scopes[scope], member, _Tool(name, capability))
