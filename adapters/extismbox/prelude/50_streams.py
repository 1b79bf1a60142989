# The standard streams: what is printed goes to the host at once, write by write; there is nothing to read.


_unfinished = set()  # binary sides of streams that end within a character


class _Stream(io.TextIOBase):
    """sys.stdout or sys.stderr. It cannot be closed."""

    encoding = "utf-8"
    errors = "replace"
    newlines = None
    mode = "w"
    line_buffering = write_through = True
    closed = False

    def __init__(self, name, field):
        self.name = name
        self._field = field
        self.buffer = _Buffer(self)

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {_type_name(text)}")
        if text:
            if _unfinished:
                self.buffer.finish_character()
            _send(self._field, text)
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def writable(self):
        return True

    def isatty(self):
        return False

    def flush(self):
        pass

    def close(self):
        pass

    def reconfigure(self, **_options):
        pass

    def __repr__(self):
        return f"<stream {self.name}>"


class _Buffer(io.BufferedIOBase):
    """The binary side of a stream: UTF-8, as everywhere; what is not becomes U+FFFD."""

    mode = "wb"
    closed = False

    def __init__(self, stream):
        self.raw = self
        self.name = stream.name
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def write(self, data):
        data = memoryview(data).tobytes()
        text = self._decoder.decode(data)
        if self._decoder.getstate()[0]:
            _unfinished.add(self)
        else:
            _unfinished.discard(self)
        if text:
            _send(self._stream._field, text)
        return len(data)

    def finish_character(self):
        """Something else comes where the rest of a character was to come, or nothing any more."""
        if self in _unfinished:
            _unfinished.remove(self)
            _send(self._stream._field, self._decoder.decode(b"", True))

    def writable(self):
        return True

    def flush(self):
        pass

    def close(self):
        pass


class _NoInput(io.TextIOBase):
    """sys.stdin."""

    name = "<stdin>"
    encoding = "utf-8"
    errors = "replace"
    mode = "r"

    def read(self, _size=-1):
        raise EOFError("a snippet has no standard input: give it data as inputs, which are global variables of the run")

    readline = readlines = __next__ = read

    def readable(self):
        return True

    def isatty(self):
        return False

    def __repr__(self):
        return "<no standard input>"


_stdout, _stderr, _stdin = _Stream("<stdout>", _STDOUT), _Stream("<stderr>", _STDERR), _NoInput()


def _finish_characters():
    for stream in _stdout, _stderr:
        stream.buffer.finish_character()


def _set_streams():
    """Puts the streams where they belong, whatever an earlier run of a session left there."""
    sys.stdout = sys.__stdout__ = _stdout
    sys.stderr = sys.__stderr__ = _stderr
    sys.stdin = sys.__stdin__ = _stdin
