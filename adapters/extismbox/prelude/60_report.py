# The report of a failed run: type, message, the author's line, and a traceback that shows the author's frames only.
#
# The exception may be of a class that answers with more exceptions when it is looked at, so it is read past its class
# where that is possible: issubclass(type(e), …) instead of isinstance(e, …), and the slots of BaseException below.

_TEXT_SHOWN = 64 << 10  # bytes of a message and of a traceback
_FRAMES_SHOWN = 20  # at each end of a long traceback
_LINKS_SHOWN = 10  # exceptions of a chain
_REPEATS_SHOWN = 3

_LIBRARY = "/lib/"  # where the frozen standard library says it is

_class_name_of = type.__dict__["__name__"].__get__
_module_of = type.__dict__["__module__"].__get__
_attributes_of = BaseException.__dict__["__dict__"].__get__
_traceback_of = BaseException.__dict__["__traceback__"].__get__
_cause_of = BaseException.__dict__["__cause__"].__get__
_context_of = BaseException.__dict__["__context__"].__get__
_hides_context = BaseException.__dict__["__suppress_context__"].__get__

# Python's own formatter knows more of these: parts of their text, near names.
_SPECIAL = (SyntaxError, NameError, AttributeError, ImportError)


def _is_authors(filename):
    if filename == "<toolplane>" or filename.startswith("<frozen "):
        return False
    return not filename.startswith(_LIBRARY) or filename == _run_state.file


def _frames(tb):
    """(file, line, function) of the author's frames of a traceback, outermost first."""
    found = []
    while tb is not None:
        code = tb.tb_frame.f_code
        if _is_authors(code.co_filename):
            found.append((code.co_filename, tb.tb_lineno, code.co_name))
        tb = tb.tb_next
    return found


def _source_line(filename, line):
    lines = linecache.cache.get(filename, ((), (), ()))[2]
    return lines[line - 1].strip() if 0 < (line or 0) <= len(lines) else ""


def _frame_text(frame):
    filename, line, function = frame
    source = _source_line(filename, line)
    return f'  File "{filename}", line {line}, in {function}\n' + (f"    {source}\n" if source else "")


def _stack_text(frames):
    """The frames as Python shows them: repeated ones once, the middle of many left out."""
    parts, at = [], 0
    while at < len(frames):
        end = at
        while end < len(frames) and frames[end] == frames[at]:
            end += 1
        shown = min(end - at, _REPEATS_SHOWN)
        parts += [_frame_text(frames[at])] * shown
        if end - at > shown:
            more = end - at - shown
            parts.append(f"  [Previous line repeated {more} more time{'s' if more > 1 else ''}]\n")
        at = end
    if len(parts) > 2 * _FRAMES_SHOWN:
        left_out = len(parts) - 2 * _FRAMES_SHOWN
        parts[_FRAMES_SHOWN:-_FRAMES_SHOWN] = [f"  [{left_out} more frames]\n"]
    return "Traceback (most recent call last):\n" + "".join(parts) if parts else ""


def _message(e):
    """str(e) as an exact str, which has no methods of the author's."""
    try:
        plain = issubclass(type(e), SyntaxError) and type(e).__str__ is SyntaxError.__str__
        return "".join((str(e.msg if plain else e),))
    except _Interrupted:
        raise
    except BaseException:
        return "<exception str() failed>"


def _last_lines(e):
    """What stands below the frames: type and message, and notes."""
    if issubclass(type(e), _SPECIAL):
        shown = traceback.TracebackException(type(e), e, e.__traceback__, limit=0, compact=True)
        return "".join(shown.format_exception_only())
    name, module = _type_name(e), _module_of(type(e))
    if type(module) is str and module not in ("builtins", "__main__"):
        name = f"{module}.{name}"
    message = _message(e)
    notes = dict.get(_attributes_of(e), "__notes__")
    notes = "".join(f"{note}\n" for note in notes) if isinstance(notes, list) else ""
    return (f"{name}: {message}\n" if message else f"{name}\n") + notes


def _chain(e):
    """The exceptions that lead to e, the last one first, with how each came of the next."""
    links, seen = [], set()
    while e is not None and id(e) not in seen and len(links) < _LINKS_SHOWN:
        seen.add(id(e))
        if _cause_of(e) is not None:
            before, how = _cause_of(e), traceback._cause_message
        elif _hides_context(e):
            before, how = None, ""
        else:
            before, how = _context_of(e), traceback._context_message
        links.append((e, how if before is not None and id(before) not in seen else ""))
        e = before
    if links[-1][1]:
        links[-1] = links[-1][0], "[earlier exceptions left out]\n" + links[-1][1]
    return links


def _group_text(e):
    """A chain with exception groups in it, by Python's formatter, which draws their boxes."""

    def keep_authors(shown, e):
        if shown is None or e is None:
            return
        frames = [
            traceback.FrameSummary(file, line, function, lookup_line=False, line=_source_line(file, line))
            for file, line, function in _frames(e.__traceback__)[-_FRAMES_SHOWN:]
        ]
        shown.stack = traceback.StackSummary.from_list(frames)
        keep_authors(shown.__cause__, e.__cause__)
        keep_authors(shown.__context__, e.__context__)
        for inner, inner_e in zip(shown.exceptions or (), getattr(e, "exceptions", ())):
            keep_authors(inner, inner_e)

    shown = traceback.TracebackException(type(e), e, e.__traceback__, limit=0, compact=True)
    keep_authors(shown, e)
    return "".join(shown.format())


def _traceback_text(e):
    links = _chain(e)
    if any(issubclass(type(link), BaseExceptionGroup) for link, _ in links):
        return _group_text(e)
    text = ""
    for link, how in reversed(links):
        text += how + _stack_text(_frames(_traceback_of(link))) + _last_lines(link)
    return text


def _cut(text):
    """At most _TEXT_SHOWN bytes of UTF-8, the middle left out: the end of a traceback says most."""
    if len(text) * 4 <= _TEXT_SHOWN:
        return text
    data = text.encode("utf-8", "replace")
    if len(data) <= _TEXT_SHOWN:
        return text
    half = _TEXT_SHOWN // 2 - 8
    return data[:half].decode("utf-8", "ignore") + "\n[…]\n" + data[-half:].decode("utf-8", "ignore")


def _error_line(e):
    """The author's line that an error is about: of the source for a SyntaxError, else of the innermost frame."""
    if issubclass(type(e), SyntaxError) and e.filename == _run_state.file:
        return e.lineno
    frames = [f for f in _frames(_traceback_of(e)) if f[0] == _run_state.file]
    return frames[-1][1] if frames else None


def _complete(e):
    """The compiler's later stages look for the text of a bad line in a file, and there is none."""
    if issubclass(type(e), SyntaxError) and e.filename == _run_state.file and e.text is None and e.lineno:
        lines = linecache.cache.get(e.filename, ((), (), ()))[2]
        e.text = lines[e.lineno - 1] if e.lineno <= len(lines) else None


# Freed when a run fails: with it there is room for the report in a memory that the snippet has filled.
_RESERVE_BYTES = 1 << 19
_reserve = []


def _keep_reserve():
    try:
        if not _reserve:
            _reserve.append(bytearray(_RESERVE_BYTES))
    except MemoryError:
        pass  # a session that has filled its memory may still free some


_keep_reserve()


def _report(e):
    """Sends why the run failed. From here on only the hard stop can end the run."""
    _send(_SHIELD, b"")
    stopped = type(e) is _Interrupted
    _send(_ERROR_TYPE, "TimeoutError" if stopped else _class_name_of(type(e)))
    try:
        _send(_ERROR_MESSAGE, _cut(_message(e)))
        ours = _attributes_of(e)
        place, code = dict.get(ours, "__toolplane_place__"), dict.get(ours, "code")
        if stopped:
            _send(_ERROR_CODE, "run.timeout")
        elif dict.get(ours, "__toolplane__") is True and isinstance(code, str):
            _send(_ERROR_CODE, code)
        _complete(e)
        line = place[0] if place else _error_line(e)
        if line:
            _send(_ERROR_LINE, str(line))
        if place:
            frame = _frame_text((_run_state.file, place[0], place[1] or "<module>")) if line else ""
            text = ("Traceback (most recent call last):\n" + frame if frame else "") + _last_lines(e)
        elif stopped:
            text = _stack_text(_frames(_traceback_of(e)))
        else:
            text = _traceback_text(e)
        _send(_ERROR_TRACEBACK, _cut(text))
    except BaseException as broken:  # an exception that fails when it is looked at, or no memory left
        names = _class_name_of(type(e)), _class_name_of(type(broken))
        _send(_ERROR_TRACEBACK, "%s: its traceback cannot be shown (%s)\n" % names)
    _run_state.left = e
