# The prelude: the Python half of the guest. The files of this folder, joined in the order of their names, are one
# module, the input of guest_init. Changing one costs a new memory image and nothing else.
#
# It has builtins of its own (see boot.c), so a snippet that patches the builtins does not break what reports on it.
#
# This file: the seam to the host (_toolplane is the C module of the shim), and the errors that come through it.

import asyncio
import builtins
import codecs
import collections
import enum
import gc
import inspect
import io
import json
import linecache
import marshal
import os
import random
import re
import signal
import sys
import threading
import traceback
import types
import warnings

import _toolplane

_send = _toolplane.send
_host_call = _toolplane.call
_dumps = _toolplane.dumps
_loads = _toolplane.loads
_compile = _toolplane.compile
_load_compiled = _toolplane.load

# Fields of send.
_VALUE_JSON, _VALUE_TEXT, _STDOUT, _STDERR = 1, 2, 3, 4
_ERROR_TYPE, _ERROR_MESSAGE, _ERROR_TRACEBACK, _ERROR_LINE, _NOTE, _SHIELD, _ERROR_CODE, _CODE, _DROPPED = 5, 6, 7, 8, 9, 10, 13, 14, 15

# Operations of call.
_SETUP, _CALL, _SAVE_RESULT, _SAVE_ARTIFACT, _WAIT, _TAKE, _BLOB, _CANCEL = 1, 2, 3, 4, 5, 6, 7, 8

# Flags of compile.
_IS_COROUTINE, _ENDS_IN_ASSIGNMENT = 1, 2


class ToolError(RuntimeError):
    """A tool ran and reported a failure, or could not be reached. `content` is what it answered, `code` says which."""

    __module__ = "builtins"
    code = "tool.failed"
    content = None


class UnawaitedCallError(RuntimeError):
    """A call, or a coroutine, was used or dropped without `await`."""

    __module__ = "builtins"


class _Interrupted(KeyboardInterrupt):
    """Raised into the running code when the host stops the run softly. asyncio lets a KeyboardInterrupt through."""

    def __del__(self):
        _send(_DROPPED, b"")  # nobody handles it any more, and the run goes on

_HOST_ERRORS = {
    "ValueError": ValueError,
    "PermissionError": PermissionError,
    "LookupError": LookupError,
    "TimeoutError": TimeoutError,
    "ToolError": ToolError,
    "RuntimeError": RuntimeError,
}


def _host_error(answer):
    """The exception for an error that the host answered with."""
    e = _HOST_ERRORS.get(answer.get("builtin"), RuntimeError)(answer.get("message", ""))
    e.code = answer.get("code", "internal")
    if isinstance(e, ToolError):
        e.content = answer.get("content")
    return _coded(e)


def _coded(e):
    """Marks e as ours: its code is one of toolplane's, not an attribute that some library gives its errors."""
    e.__dict__["__toolplane__"] = True
    return e


def _refusal(code, message):
    e = ValueError(message)
    e.code = code
    return _coded(e)


def _place_blobs(answer):
    """The value of an answer, with its byte strings in their places."""
    value, number = answer["value"], answer["id"]
    for index, path in enumerate(answer["blobs"]):
        data = _host_call(_BLOB, f"{number} {index}")
        if not path:
            return data
        target = value
        for step in path[:-1]:
            target = target[step]
        target[path[-1]] = data
    return value


_toolplane.set_error(_host_error)
_toolplane.set_blobs(_place_blobs)


class ToolText(str):
    """What a tool answered as text. It is a str; json() decodes it."""

    __module__ = "builtins"
    __slots__ = ()

    def json(self):
        """The value that the text holds as JSON. ValueError if it is not JSON."""
        try:
            return _loads(self)
        except ValueError:
            pass  # what Python's own decoder accepts beyond JSON, or says of the fault
        return json.loads(self)
