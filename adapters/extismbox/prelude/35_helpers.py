# The functions that every snippet sees.


def call_tool(id, args=None, /, **kwargs):
    """call_tool("kind:namespace/name", {...}) or with keyword arguments: calls a capability by its id. Await it."""
    if isinstance(id, _Call):
        raise id._misuse()
    if not isinstance(id, str):
        raise TypeError(f"call_tool takes an id such as 'mcp:files/read_file' first, not {_type_name(id)}")
    if args is not None:
        kwargs = _arguments("call_tool(id, …)", (args,), kwargs)
    return _start(f'call_tool("{id}", …)', _CALL, id, kwargs, None, True)


def _options(function, **given):
    """The options that are given, as JSON; they are all text."""
    for name, value in given.items():
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{function}: {name} must be a str, not {_type_name(value)}")
    return _encode({name: value for name, value in given.items() if value is not None})


def save_result(value, label=None):
    """Keeps a JSON-shaped value on the host. Await it: the answer is a handle, "res_…", for load_result later on."""
    return _start("save_result(…)", _SAVE_RESULT, _options("save_result", label=label), value, _kept, False)


def _kept(value):
    try:
        return _encode(value)
    except MemoryError:
        raise _refusal(
            "result.too_large", "this value does not fit into the sandbox's memory as JSON: save a smaller projection"
        ) from None


def load_result(handle):
    """The value kept under a handle. Await it. ValueError if there is none (any more)."""
    return _load("load_result", "toolplane:results/load", handle)


def save_artifact(data, filename=None, label=None, media_type=None):
    """Keeps bytes on the host. Await it: the answer is a handle, "art_…", for load_artifact later on."""
    options = _options("save_artifact", filename=filename, label=label, media_type=media_type)
    return _start("save_artifact(…)", _SAVE_ARTIFACT, options, data, _bytes_of, False)


def load_artifact(handle):
    """The bytes kept under a handle. Await it. ValueError if there are none (any more)."""
    return _load("load_artifact", "toolplane:artifacts/load", handle)


def _load(function, capability, handle):
    if isinstance(handle, _Call):
        raise handle._misuse()
    if not isinstance(handle, str):
        raise TypeError(f"{function} takes a handle, which is a str, not {_type_name(handle)}")
    return _start(f"{function}(…)", _CALL, capability, {"handle": handle}, None, False)


def _bytes_of(data):
    """A view of bytes-like data; ValueError with the way out for all else."""
    try:
        view = memoryview(data)
        return view if view.c_contiguous else view.tobytes()
    except TypeError:
        pass
    if isinstance(data, _Call):
        raise data._misuse()
    if isinstance(data, str):
        advice = "encode text first: save_artifact(text.encode(), …), or keep it with save_result(text)"
    elif isinstance(data, io.BytesIO):
        advice = "use data.getvalue()"
    else:
        advice = "keep JSON-shaped values with save_result(value)"
    raise _refusal("args.invalid", f"save_artifact keeps bytes, not {_type_name(data)}: {advice}")


def cli_run(binary, args=(), stdin=None, cwd=None, timeout=None):
    """Runs an allowed binary without a shell. Await it: the answer has stdout, stderr, exit_code and ok."""
    given = {"binary": binary, "args": list(args), "stdin": stdin, "cwd": cwd, "timeout": timeout}
    arguments = {name: value for name, value in given.items() if value is not None}
    return _start("cli_run(…)", _CALL, "toolplane:cli/run", arguments, None, False)


def reset_session():
    """Starts the session anew after this run; results and artifacts stay. Await it."""
    return _start("reset_session()", _CALL, "toolplane:session/reset", {}, None, False)


# Names of every run, and those that the host lists where they exist.
_HELPERS = (call_tool, save_result, load_result, save_artifact, load_artifact)
_OPTIONAL_HELPERS = {"cli_run": cli_run, "reset_session": reset_session}

for _helper in (*_HELPERS, *_OPTIONAL_HELPERS.values()):
    _helper.__module__ = "toolplane"
