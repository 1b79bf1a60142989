# Values that JSON lacks: refused where the snippet can catch it (arguments, save_result), written as something that
# JSON has where they are the result of a run. dumps calls the hooks below for them, with the path of the value.

import base64
import dataclasses
import datetime
import decimal
import fractions
import pathlib
import uuid

_TIMES = (datetime.date, datetime.time)  # datetime.datetime is a date
_BYTES = (bytes, bytearray, memoryview)
_TEXTUAL = (decimal.Decimal, fractions.Fraction, uuid.UUID, pathlib.PurePath, complex, datetime.timedelta)
_LISTLIKE = (
    range,
    collections.deque,
    collections.UserList,
    type({}.keys()),
    type({}.values()),
    type({}.items()),
    type(collections.OrderedDict().keys()),
    type(collections.OrderedDict().values()),
    type(collections.OrderedDict().items()),
)
_MAPPINGS = (types.MappingProxyType, collections.UserDict, collections.ChainMap)
_SURROGATES = re.compile("[\ud800-\udfff]")
_REPR_SHOWN = 200


_qualified_name_of = type.__dict__["__qualname__"].__get__


def _type_name(o):
    """The name of o's class, whatever its metaclass makes of that."""
    return _qualified_name_of(type(o))


def _article(word):
    return ("an " if word[:1] in "aeiouAEIO" else "a ") + word


def _is_dataclass(o):
    return hasattr(type(o), "__dataclass_fields__")


def _safe_repr(o):
    """repr(o), shortened; what can be said of o if its repr fails."""
    try:
        text = "".join((repr(o),))  # an exact str, which has no methods of the author's
    except _Interrupted:
        raise
    except BaseException:
        text = f"<{_type_name(o)} object, whose repr fails>"
    text = _SURROGATES.sub("\ufffd", text)
    return text if len(text) <= _REPR_SHOWN else text[: _REPR_SHOWN - 1] + "…"


# ---- strict ----

_WAYS_OUT = (
    (_BYTES, "keep bytes with save_artifact(data), or pass them as text: base64.b64encode(data).decode()"),
    ((set, frozenset), "use a list: sorted(…) or list(…)"),
    ((decimal.Decimal, fractions.Fraction), "use str(…) or float(…)"),
    (enum.Enum, "use its .value"),
    (_TEXTUAL, "use str(…)"),
    (_MAPPINGS, "use dict(…)"),
    (_LISTLIKE, "use list(…)"),
    (types.CoroutineType, "await it first"),
)


def _way_out(o):
    for kinds, advice in _WAYS_OUT:
        if isinstance(o, kinds):
            return advice
    if _is_dataclass(o) and not isinstance(o, type):
        return "use dataclasses.asdict(…)"
    if hasattr(type(o), "__next__"):
        return "use list(…)"
    return "use None, bool, int, float, str, list, tuple or dict"


def _strict(kind, o, path):
    """The hook for what must be JSON as it is: dates become ISO text, the rest is refused."""
    if kind == "type":
        if isinstance(o, _TIMES):
            return o.isoformat()
        if isinstance(o, _Call):
            raise o._misuse()
        raise _refusal("json.type", f"{path} is of type {_type_name(o)}, which JSON does not have: {_way_out(o)}")
    if kind == "float":
        name = _nonfinite(o)
        raise _refusal("json.nonfinite", f"{path} is {name}, which JSON does not have: use None or text instead")
    if kind == "key":
        key = f"the key {_safe_repr(o)} of type {_type_name(o)}"
        raise _refusal("json.key", f"{path} has {key}, and keys in JSON are text: use str(key)")
    if kind == "surrogate":
        found = _SURROGATES.search(o).group()
        raise _refusal(
            "json.surrogate",
            f"{path} has text with a lone surrogate (U+{ord(found):04X}), which is no character: replace it, as in"
            " text.encode('utf-8', 'replace').decode()",
        )
    if kind == "int":
        raise _refusal("json.number", f"{path} is an int of more than 4300 digits: use hex(…)")
    if kind == "cycle":
        raise _refusal("json.depth", f"{path} contains itself ({_type_name(o)}): JSON has no cycles")
    raise _refusal("json.depth", f"{path} is nested deeper than 512 levels: use a flatter value")


def _nonfinite(x):
    return "NaN" if x != x else "Infinity" if x > 0 else "-Infinity"


def _encode(value):
    return _dumps(value, _strict)


# ---- lenient ----

_NOTES_SHOWN = 50


class _Notes:
    """What the client is told besides the value: sent at the end of the run, each kind of thing once a path."""

    def __init__(self):
        self.clear()

    def clear(self):
        self.seen = {}
        self.more = 0

    def add(self, path, text, kind=None):
        """Adds a note; of several with one path and kind (the text, unless it is given) the first one counts."""
        key = path, kind or text
        if key in self.seen:
            return
        if len(self.seen) < _NOTES_SHOWN:
            self.seen[key] = text
        else:
            self.more += 1

    def send(self):
        for (path, _kind), text in self.seen.items():
            _send(_NOTE, _dumps({"path": path, "text": text}, _lenient_text))
        if self.more:
            _send(_NOTE, _dumps({"path": "", "text": f"and {self.more} more notes of this kind"}, None))
        self.clear()


_notes = _Notes()


def _lenient_text(kind, o, path):
    return _SURROGATES.sub("\ufffd", o) if kind == "surrogate" else _safe_repr(o)


def _key_text(o):
    """The JSON text of a key that is not a str."""
    if o is None or o is True or o is False:
        return {None: "null", True: "true", False: "false"}[o]
    if isinstance(o, enum.Enum):
        o = o.value
    if isinstance(o, int):
        return int.__repr__(o)
    if isinstance(o, float):
        return float.__repr__(o) if o - o == 0 else _nonfinite(o)
    if isinstance(o, _TIMES):
        return o.isoformat()
    return o[:] if type(o) is str else str(o)


def _plain(o):
    """(what JSON has for o, what to say of it), or None if there is nothing but its repr."""
    name = _type_name(o)
    if isinstance(o, _TIMES):
        return o.isoformat(), None
    if isinstance(o, enum.Enum):
        return o.value, f"{_article(name)} became its value"
    if isinstance(o, (set, frozenset)):
        try:
            return sorted(o), f"{_article(name)} became a list"
        except Exception:
            return list(o), f"{_article(name)} became a list"
    if isinstance(o, _BYTES):
        return base64.b64encode(o).decode(), f"{name} became base64 text; save_artifact(data) keeps bytes as they are"
    if isinstance(o, _TEXTUAL):
        return str(o), f"{_article(name)} became text"
    if isinstance(o, _MAPPINGS):
        return dict(o), f"{_article(name)} became an object"
    if isinstance(o, _LISTLIKE):
        return list(o), f"{_article(name)} became a list"
    if isinstance(o, collections.UserString):
        return str(o), f"{_article(name)} became text"
    if _is_dataclass(o) and not isinstance(o, type):
        fields = {f.name: getattr(o, f.name) for f in dataclasses.fields(o)}
        return fields, f"the dataclass {name} became an object"
    return None


def _hint(o):
    """How to get at the values behind an object that is shown by its repr."""
    if isinstance(o, _Call):
        return "; what `await` gave is its value"
    if hasattr(type(o), "__next__"):
        return "; list(…) makes a value of it"
    if hasattr(type(o), "__anext__"):
        return "; [x async for x in …] makes a value of it"
    return "; `await` gives its value" if issubclass(type(o), (asyncio.Future, types.CoroutineType)) else ""


def _lenient(kind, o, path):
    """The hook for the result of a run: finished work is never lost; a note tells of each case."""
    if kind == "type":
        hint = ""
        try:
            found = _plain(o)
            if found is None:
                hint = _hint(o)
        except _Interrupted:
            raise
        except BaseException:
            found = None  # code of the snippet's own objects
        if found is None:
            found = _safe_repr(o), f"{_article(_type_name(o))} is not JSON: its repr is shown{hint}"
        if found[1]:
            _notes.add(path, found[1])
        return found[0]
    if kind == "key":
        try:
            text = "".join((_key_text(o),))
        except _Interrupted:
            raise
        except BaseException:
            text = _safe_repr(o)
        text = _SURROGATES.sub("\ufffd", text)
        _notes.add(path, f"the key {_safe_repr(o)} ({_type_name(o)}) became text: {_safe_repr(text)}", kind="key")
        return text
    if kind == "surrogate":
        _notes.add(path, "lone surrogates, which are no characters, became U+FFFD")
        return _SURROGATES.sub("\ufffd", o)
    if kind == "float":
        _notes.add(path, f"{_nonfinite(o)} is not JSON and became text")
        return _nonfinite(o)
    if kind == "int":
        _notes.add(path, "an int of more than 4300 digits became hexadecimal text")
        return hex(o)
    if kind == "cycle":
        _notes.add(path, f"{_article(_type_name(o))} contains itself: the inner one is shown as <cycle>")
        return "<cycle>"
    _notes.add(path, "nested deeper than 512 levels: what is below is left out")
    return "<nested too deeply>"


def _send_value(value):
    """Sends the value of the run."""
    if issubclass(type(value), str) and (str.isascii(value) or not _SURROGATES.search(value)):
        _send(_VALUE_TEXT, value)
    else:
        try:
            encoded = _dumps(value, _lenient)
        except MemoryError:
            raise MemoryError(
                "no memory is left to write the value as JSON: return less, or keep parts of it with save_result"
            ) from None
        except Exception as e:  # a container that changes while it is read, or whose own code fails
            _notes.add("$", f"the value could not be written as JSON ({_safe_repr(e)}): its repr is shown")
            encoded = _dumps(_safe_repr(value), None)
        _send(_VALUE_JSON, encoded)
