# The image: what is imported, run and forgotten once, so that a fresh run starts with it.

_STANDARD = """
abc argparse array ast base64 binascii bisect calendar cmath collections.abc colorsys configparser contextlib
contextvars copy csv dataclasses datetime decimal difflib email.message email.utils enum fnmatch fractions functools
glob graphlib hashlib heapq hmac html html.parser importlib inspect io itertools json keyword logging math mimetypes
numbers operator os.path pathlib pickle platform pprint queue random re reprlib secrets shlex sqlite3 stat statistics
string struct tempfile textwrap threading time timeit tomllib traceback types typing unicodedata urllib.parse uuid
warnings weakref xml.etree.ElementTree zlib zoneinfo
""".split()

# Each goes through a path that runs take, so that what these need is in the image.
_REHEARSAL = (
    "return 1 + 1",
    "x = [i * i for i in range(50)]\nprint('hello', x[3])\n"
    "return {'a': x, 'b': 'text', 'c': None, 'd': 1.5, 'e': 'é'}",
    "def f(x):\n    return 1 / x\nprint('before')\nf(0)",
    "class A:\n    def __init__(self, x): self.x = x\n    def f(self): return f'{self.x:>5}'\n"
    "return [A(i).f() for i in range(20)]",
    "import re\nd = json.loads(json.dumps({'k%d' % i: [i, i / 2, 'v'] for i in range(20)}))\n"
    "return re.findall('[0-9]+', str(d))[:5]",
    "async def g(i):\n    await asyncio.sleep(0)\n    return await call_tool('mcp:up/warm', i=i)\n"
    "r = await asyncio.gather(*[g(i) for i in range(3)])\nreturn r, await call_tool('mcp:up/warm', {'x': 1})",
    "async with asyncio.timeout(5), asyncio.TaskGroup() as t:\n    t.create_task(call_tool('mcp:up/warm'))",
    "try:\n    await call_tool('mcp:up/fail')\nexcept ToolError as e:\n    return str(e)",
    "h = await save_result({'rows': [1, 2.5, 'x']}, label='l')\nreturn await load_result(str(h))",
    "try:\n    await save_result({'x': {1}})\nexcept ValueError as e:\n    return str(e)",
    "import decimal, datetime, dataclasses\n@dataclasses.dataclass\nclass P:\n    x: int\n"
    "return {1: decimal.Decimal('1'), 't': datetime.datetime(2026, 1, 2), 'p': P(1), 's': {1}, 'n': float('nan')}",
    "import nosuchmodule",
    "return (",
    "raise ExceptionGroup('g', [ValueError(1)])",
    "try:\n    {}['k']\nexcept KeyError as e:\n    raise ValueError('v') from e",
    "raise SystemExit(2)",
    "call_tool('mcp:up/warm')",
    "async def m(): return 1\nasyncio.run(m())",
    "import signal\nasync def w(): await asyncio.sleep(0.001)\n"
    "asyncio.get_running_loop().call_soon(signal.raise_signal, signal.SIGINT)\nawait w()",
    "return sorted([3, 1, 2]), sum(range(10)), ','.join(['a', 'b']), {1, 2}, (1, 2), max(1, 2), undefined",
    "s = 0\nfor i in range(300):\n    s += i",
)


def _forget():
    """Leaves nothing of a rehearsal behind but what it taught the interpreter."""
    _clean_up()
    _run_state.file, _run_state.left, _run_state.has_coroutines = "<snippet>", None, False
    _make_loop()
    linecache.clearcache()
    _make_main()
    _set_streams()


# When the collector looks at everything that has survived: about each million of containers instead of each 200,000,
# which takes a third off a run that builds a million objects and keeps them. Young garbage it finds as early as ever:
# in a memory with a limit that is what counts.
_COLLECT_AFTER = 2000, 25, 20


def _warm():
    """Called by the shim at the end of guest_init, after which the memory becomes the image of every run."""
    for name in _STANDARD:
        __import__(name)
    stay = set(sys.modules)
    _make_main()
    for _ in range(3):
        for source in _REHEARSAL:
            _run(source)
    for name in set(sys.modules) - stay:
        del sys.modules[name]
    _forget()
    gc.set_threshold(*_COLLECT_AFTER)
    gc.collect()
    gc.freeze()
    for source in _REHEARSAL:  # the collection emptied the free lists
        _run(source)
    for _ in range(20):
        _run(_REHEARSAL[0])
    _forget()
    _reseed()
    gc.freeze()
