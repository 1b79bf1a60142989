### datetime arithmetic
from datetime import datetime, timedelta, date, time, timezone
d = datetime(2026, 1, 31, 10, 30)
result = ((d + timedelta(days=1, hours=2)).isoformat(), (date(2026, 3, 1) - date(2026, 2, 1)).days, d.strftime("%Y-%m-%d %H:%M %j %a %B"), d.weekday(), d.isocalendar()[:], str(timedelta(seconds=3661)), d.replace(day=1).date().isoformat())
### datetime parsing
from datetime import datetime, date
result = (datetime.fromisoformat("2026-01-02T03:04:05.678+02:00").isoformat(), datetime.strptime("02/Jan/2026:03:04", "%d/%b/%Y:%H:%M").isoformat(), date.fromisoformat("2026-W01-1").isoformat(), datetime.fromisoformat("20260102T030405Z").isoformat())
### datetime and time zones
from datetime import datetime, timezone, timedelta
u = datetime(2026, 7, 1, 12, tzinfo=timezone.utc)
result = (u.astimezone(timezone(timedelta(hours=-5))).isoformat(), u.timestamp(), datetime.fromtimestamp(0, timezone.utc).isoformat(), u == datetime(2026, 7, 1, 14, tzinfo=timezone(timedelta(hours=2))))
### zoneinfo daylight saving
from zoneinfo import ZoneInfo
from datetime import datetime, timedelta
p = ZoneInfo("Europe/Paris")
result = (datetime(2026, 1, 1, 12, tzinfo=p).isoformat(), datetime(2026, 7, 1, 12, tzinfo=p).tzname(), (datetime(2026, 3, 28, 12, tzinfo=p) + timedelta(days=1)).isoformat(), str(p), datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=p).utcoffset().seconds)
### zoneinfo far zones
from zoneinfo import ZoneInfo
from datetime import datetime
result = [datetime(2026, 6, 1, tzinfo=ZoneInfo(z)).isoformat() for z in ("America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC", "Pacific/Chatham")]
### zoneinfo unknown key
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError
try:
    ZoneInfo("Mars/Olympus")
except ZoneInfoNotFoundError as e:
    result = type(e).__mro__[1].__name__
### calendar
import calendar
result = (calendar.monthrange(2026, 2), calendar.isleap(2028), calendar.month_name[3], calendar.timegm((2026, 1, 1, 0, 0, 0)), calendar.monthcalendar(2026, 2)[0])
### time functions
import time
t = time.gmtime(86400)
a = time.perf_counter(); time.sleep(0.005); b = time.perf_counter()
result = (t.tm_mday, time.strftime("%H:%M", t), b - a >= 0.004, time.monotonic() > 0, time.time() > 1.7e9)
### collections Counter
from collections import Counter
c = Counter("abracadabra")
result = (c.most_common(2), c["z"], sorted((c - Counter("aaa")).items()), c.total(), sorted(Counter(a=1) + Counter(a=2, b=-1)))
### collections defaultdict and OrderedDict
from collections import defaultdict, OrderedDict
d = defaultdict(list)
for k, v in [("a", 1), ("b", 2), ("a", 3)]: d[k].append(v)
o = OrderedDict(a=1, b=2); o.move_to_end("a")
result = (dict(d), list(o), o.popitem(last=False))
### collections deque
from collections import deque
d = deque([1, 2, 3], maxlen=3); d.append(4); d.appendleft(0); d.rotate(1)
result = (list(d), d.maxlen, d.index(0))
### collections namedtuple and ChainMap
from collections import namedtuple, ChainMap
P = namedtuple("P", "x y", defaults=[5])
p = P(1)
m = ChainMap({"a": 1}, {"a": 2, "b": 3})
result = (p, p._asdict(), p._replace(x=9), m["a"], m["b"], sorted(m))
### itertools selection
from itertools import *
result = (list(chain([1], [2, 3])), list(islice(count(5, 2), 3)), list(takewhile(lambda x: x < 3, [1, 2, 3, 1])), list(dropwhile(lambda x: x < 3, [1, 3, 1])), list(compress("abc", [1, 0, 1])), list(pairwise("abc")), list(batched("abcde", 2)), list(starmap(pow, [(2, 3)])), list(zip_longest("ab", "x", fillvalue="-")))
### itertools combinatorics
from itertools import *
result = (list(permutations("abc", 2)), list(combinations(range(4), 2)), list(product("ab", repeat=2)), list(combinations_with_replacement("ab", 2)))
### itertools groupby and tee
from itertools import groupby, tee, cycle, islice, repeat
a, b = tee([1, 2])
result = ([(k, list(g)) for k, g in groupby("aabba")], list(a), list(b), list(islice(cycle("ab"), 3)), list(repeat(1, 2)))
### functools
from functools import reduce, partial, lru_cache, cmp_to_key, singledispatch, total_ordering, cached_property, wraps
calls = []
@lru_cache
def f(n): calls.append(n); return n
f(1); f(1)
@singledispatch
def g(x): return "any"
@g.register
def _(x: int): return "int"
class K:
    @cached_property
    def v(self): calls.append("v"); return 3
k = K(); k.v; k.v
result = (reduce(lambda a, b: a * b, [1, 2, 3, 4]), partial(pow, 2)(5), calls, sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)), g(1), g("a"), f.cache_info().hits)
### total_ordering and wraps
from functools import total_ordering, wraps
@total_ordering
class V:
    def __init__(self, n): self.n = n
    def __eq__(self, o): return self.n == o.n
    def __lt__(self, o): return self.n < o.n
def d(f):
    @wraps(f)
    def w(): "inner"
    return w
@d
def named(): "doc"
result = (V(1) <= V(2), V(3) > V(2), named.__name__, named.__doc__)
### dataclasses
from dataclasses import dataclass, field, asdict, replace, astuple, fields
@dataclass(order=True, frozen=True)
class P:
    x: int
    y: int = 2
    tags: list = field(default_factory=list, compare=False)
p = P(1)
try:
    p.x = 5
except Exception as e:
    err = type(e).__name__
result = (p, asdict(p), replace(p, y=9), P(1) < P(2), err, astuple(p), [f.name for f in fields(P)])
### dataclass post init and kw_only
from dataclasses import dataclass, field, KW_ONLY
@dataclass(slots=True)
class A:
    a: int
    _: KW_ONLY
    b: int = 0
    c: int = field(init=False)
    def __post_init__(self): self.c = self.a + self.b
result = (A(1, b=2), A(1, b=2) == A(1, b=2))
### enum
from enum import Enum, IntEnum, Flag, auto, StrEnum
class C(Enum):
    RED = 1
    BLUE = auto()
class F(Flag):
    R = auto(); W = auto(); RW = R | W
class S(StrEnum):
    A = auto()
result = (C.RED, C(2).name, C["RED"].value, [c.name for c in C], F.R | F.W, F.R in F.RW, S.A == "a", isinstance(IntEnum("I", "X").X, int))
### typing helpers
import typing as t
class TD(t.TypedDict): a: int
class NT(t.NamedTuple): x: int; y: str = "d"
def f(x: t.Optional[int], y: t.Annotated[str, "m"] = "") -> t.Literal["a"]: ...
result = (str(t.get_type_hints(f)["x"]), t.get_args(t.Union[int, str]), t.get_origin(list[int]).__name__, TD(a=1), NT(1), t.get_type_hints(TD))
### Protocol runtime check
from typing import Protocol, runtime_checkable
@runtime_checkable
class Sized(Protocol):
    def size(self) -> int: ...
class A:
    def size(self): return 1
result = (isinstance(A(), Sized), isinstance(1, Sized))
### heapq and bisect
import heapq, bisect
h = [5, 1, 4]; heapq.heapify(h); heapq.heappush(h, 0)
a = [1, 3, 5]; bisect.insort(a, 4)
result = ([heapq.heappop(h) for _ in range(4)], heapq.nlargest(2, [1, 9, 5]), a, bisect.bisect_left(a, 3), list(heapq.merge([1, 4], [2, 3])))
### array and struct
import array, struct
a = array.array("i", [1, 2]); a.append(3)
result = (a.tolist(), a.itemsize, struct.pack("<IhB", 1, -2, 255), struct.unpack(">H", b"\x01\x02"), struct.calcsize("=Qd"), list(struct.iter_unpack("<H", b"\x01\x00\x02\x00")))
### uuid
import uuid
u = uuid.uuid5(uuid.NAMESPACE_DNS, "example.org")
result = (str(u), uuid.UUID("12345678123456781234567812345678").version, uuid.uuid4().version, str(uuid.uuid3(uuid.NAMESPACE_URL, "x")), u.int % 1000)
### pickle of own classes
import pickle
class P:
    def __init__(self, x): self.x = x
    def __eq__(self, o): return self.x == o.x
result = (pickle.loads(pickle.dumps(P([1, {"a": 2}]))) == P([1, {"a": 2}]), pickle.loads(pickle.dumps({1, 2})), len(pickle.dumps(list(range(1000)))) > 1000)
### pickle of enums and dataclasses
import pickle
from dataclasses import dataclass
from enum import Enum
class E(Enum): A = 1
@dataclass
class D: e: E
result = (pickle.loads(pickle.dumps(D(E.A))) == D(E.A), pickle.loads(pickle.dumps(E.A)) is E.A)
### copy
import copy
a = [[1], {"k": [2]}]
b, c = copy.copy(a), copy.deepcopy(a)
a[0].append(9)
result = (b[0], c[0])
### contextlib helpers
from contextlib import redirect_stdout, closing, nullcontext
import io
o = io.StringIO()
with redirect_stdout(o): print("hidden")
class R:
    closed = False
    def close(self): self.closed = True
r = R()
with closing(r): pass
result = (o.getvalue(), r.closed)
### inspect signature
import inspect
def f(a, b: int = 1, *args, c, **kw): "doc"
s = inspect.signature(f)
result = (str(s), list(s.parameters), inspect.getdoc(f), s.bind(1, c=2).arguments, inspect.isfunction(f))
### types module
import types
ns = types.SimpleNamespace(a=1, b=2)
m = types.MappingProxyType({"x": 1})
try:
    m["y"] = 1
except TypeError as e:
    err = str(e)
result = (ns, m["x"], err, types.new_class("K", (), {}, lambda n: n.update(v=3)).v)
### abc registration
from collections.abc import Mapping, Iterable, Sequence, Hashable
class M(Mapping):
    def __getitem__(self, k): return {"a": 1}[k]
    def __iter__(self): return iter(["a"])
    def __len__(self): return 1
m = M()
result = (dict(m), m.get("z", 0), "a" in m, isinstance([], Sequence), isinstance(5, Iterable), isinstance([], Hashable))
### sqlite basics
import sqlite3
c = sqlite3.connect(":memory:")
c.execute("create table t(id integer primary key, name text, v real)")
c.executemany("insert into t(name, v) values(?, ?)", [("a", 1.5), ("b", 2.5), ("c", None)])
result = (c.execute("select name, v from t where v > ? order by v desc", (1,)).fetchall(), c.execute("select count(*), avg(v), max(name) from t").fetchone(), c.total_changes)
### sqlite window functions and cte
import sqlite3
c = sqlite3.connect(":memory:")
result = c.execute("with recursive n(x) as (select 1 union all select x+1 from n where x<5) select x, sum(x) over (order by x), row_number() over (order by x desc) from n order by x").fetchall()
### sqlite json functions
import sqlite3
c = sqlite3.connect(":memory:")
result = c.execute("""select json_extract('{"a":[1,{"b":"x"}]}', '$.a[1].b'), json_group_array(value) from json_each('[3,4]')""").fetchone()
### sqlite full text search
import sqlite3
c = sqlite3.connect(":memory:")
c.execute("create virtual table d using fts5(body)")
c.executemany("insert into d values(?)", [("the quick brown fox",), ("lazy dogs sleep",)])
result = c.execute("select rowid, highlight(d, 0, '[', ']') from d where d match 'fox OR cat'").fetchall()
### sqlite functions and row factory
import sqlite3
c = sqlite3.connect(":memory:")
c.create_function("twice", 1, lambda x: x * 2)
class Agg:
    def __init__(self): self.n = 0
    def step(self, v): self.n += v
    def finalize(self): return self.n
c.create_aggregate("mysum", 1, Agg)
c.row_factory = sqlite3.Row
r = c.execute("select twice(21) as a, mysum(x) as b from (select 1 as x union all select 2)").fetchone()
result = (r["a"], r["b"], r.keys())
### sqlite transactions and errors
import sqlite3
c = sqlite3.connect(":memory:")
c.execute("create table t(x unique)")
try:
    with c:
        c.execute("insert into t values(1)"); c.execute("insert into t values(1)")
except sqlite3.IntegrityError as e:
    result = (str(e), c.execute("select count(*) from t").fetchone())
### sqlite types and blobs
import sqlite3
c = sqlite3.connect(":memory:")
result = c.execute("select typeof(?), typeof(?), typeof(?), ?, hex(?), 9007199254740993, 1e300", (1, 1.5, b"x", "é", b"\x00\xff")).fetchone()
### sqlite math and dates
import sqlite3
c = sqlite3.connect(":memory:")
result = c.execute("select round(sqrt(2), 6), pow(2, 10), date('2026-01-31', '+1 month'), strftime('%W', '2026-12-01'), 7 % 3, 7 / 2, 'a' || 'b'").fetchone()
### logging to a stream
import logging, io
o = io.StringIO()
l = logging.getLogger("probe"); l.setLevel("INFO"); h = logging.StreamHandler(o); h.setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s")); l.addHandler(h); l.propagate = False
l.debug("no"); l.info("yes %d", 5)
result = o.getvalue()
### argparse
import argparse
p = argparse.ArgumentParser(prog="x", exit_on_error=False); p.add_argument("--n", type=int, default=3); p.add_argument("files", nargs="*")
result = (vars(p.parse_args(["--n", "5", "a", "b"])), p.format_usage())
### secrets and os.urandom
import secrets, os
result = (len(secrets.token_bytes(8)), len(secrets.token_urlsafe(16)) > 16, len(os.urandom(4)), secrets.choice([5]))
### pathlib pure paths
from pathlib import PurePosixPath, PureWindowsPath, Path
p = PurePosixPath("/a/b.tar.gz")
result = (p.name, p.stem, p.suffixes, str(p.parent / "c"), p.with_suffix(".zip").name, PureWindowsPath("C:\\x\\y").parts, p.is_relative_to("/a"), str(Path("x") / "y"))
### os.path
import os.path as op
result = (op.join("a", "b", "/c"), op.splitext("x.tar.gz"), op.normpath("a/../b//c"), op.basename("/x/y"), op.commonpath(["/a/b", "/a/c"]))
### graphlib
from graphlib import TopologicalSorter, CycleError
try:
    list(TopologicalSorter({"a": {"b"}, "b": {"a"}}).static_order())
except CycleError as e:
    err = "cycle"
result = (list(TopologicalSorter({"d": {"b", "c"}, "b": {"a"}, "c": {"a"}}).static_order())[0], err)
### queue and sched
import queue, sched, time
q = queue.PriorityQueue(); q.put((2, "b")); q.put((1, "a"))
log = []; s = sched.scheduler(time.monotonic, time.sleep); s.enter(0.002, 1, log.append, ("x",)); s.run()
result = (q.get(), q.qsize(), log)
### concurrent futures interface
from concurrent.futures import Future
f = Future(); f.set_result(3)
result = (f.result(), f.done())
### string io as file and fileinput of csv
import io
with io.StringIO() as f:
    f.write("abc"); f.seek(1); result = (f.read(), f.tell(), f.seekable())
### weak dictionaries
import weakref
class K: pass
k = K(); d = weakref.WeakValueDictionary(a=k); n = len(d); del k
result = (n, len(d))
### gc collects cycles
import gc, weakref
class N: pass
a = N(); a.me = a; r = weakref.ref(a); del a
gc.collect()
result = r() is None
### sys facts
import sys
result = (sys.version_info[:2], sys.byteorder, sys.getrecursionlimit(), sys.implementation.name, sys.maxunicode)
### platform independence of hash of ints
result = (hash(1), hash(-1), hash(1.5) == hash(3 / 2), hash((1, 2)) == hash((1, 2)))
### mimetypes
import mimetypes
result = (mimetypes.guess_type("a.json")[0], mimetypes.guess_type("x.png")[0])
### colorsys and secrets of bits
import colorsys
result = colorsys.rgb_to_hsv(1.0, 0.5, 0.0)
### numbers in csv quoting
import csv, io
o = io.StringIO(); csv.writer(o, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n").writerow(["a", 1, 2.5])
result = (o.getvalue(), next(csv.reader(io.StringIO('"a",1\n'), quoting=csv.QUOTE_NONNUMERIC)))
### http status and cookies
from http import HTTPStatus
from http.cookies import SimpleCookie
c = SimpleCookie("a=1; b=2")
result = (HTTPStatus(404).phrase, c["b"].value)
### plistlib
import plistlib
result = plistlib.loads(plistlib.dumps({"a": [1, b"x", True]}))
### stat of text wrap of tables
rows = [("name", "n"), ("a", 10), ("bcd", 2)]
w = [max(len(str(r[i])) for r in rows) for i in range(2)]
result = "\n".join("  ".join(str(c).ljust(w[i]) for i, c in enumerate(r)).rstrip() for r in rows)
### codeop and code compile modes
import codeop
result = (codeop.compile_command("x = (") is None, codeop.compile_command("1 + 1", symbol="eval") is not None)
### unittest assertions work outside a runner
import unittest
t = unittest.TestCase()
try:
    t.assertEqual({"a": 1}, {"a": 2})
except AssertionError as e:
    result = str(e).split("\n")[0]
### unittest mock
from unittest.mock import Mock
m = Mock(return_value=3)
result = (m(1, k=2), m.call_args.args, m.called, m.x.y() is m.x.y())
### group rows by key
from itertools import groupby
from operator import itemgetter
rows = [{"k": "b", "v": 1}, {"k": "a", "v": 2}, {"k": "b", "v": 3}]
result = {k: sum(r["v"] for r in g) for k, g in groupby(sorted(rows, key=itemgetter("k")), key=itemgetter("k"))}
### memo with dict and recursion
from functools import cache
@cache
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
result = fib(300)
### matrix transpose
m = [[1, 2, 3], [4, 5, 6]]
result = ([list(r) for r in zip(*m)], list(map(sum, m)))
### run length encoding
from itertools import groupby
result = [(k, len(list(g))) for k, g in groupby("aaabccd")]
### sieve of primes
s = bytearray([1]) * 100
for i in range(2, 10):
    if s[i]: s[i * i::i] = bytes(len(s[i * i::i]))
result = [i for i in range(2, 100) if s[i]]
### word count of text
import re
from collections import Counter
result = Counter(re.findall(r"[a-z]+", "The cat. the dog, THE end".lower())).most_common(1)
### flatten nested lists
def flat(x):
    for y in x:
        if isinstance(y, list): yield from flat(y)
        else: yield y
result = list(flat([1, [2, [3, []]], 4]))
### merge of sorted records
import heapq
result = list(heapq.merge([(1, "a"), (4, "d")], [(2, "b")], key=lambda r: r[0]))
### json lines
import json
result = [json.loads(l)["v"] for l in '{"v": 1}\n{"v": 2}\n'.splitlines()]
### percentiles of latencies
import statistics
xs = list(range(1, 101))
q = statistics.quantiles(xs, n=100, method="inclusive")
result = (q[49], q[94], q[98])
### moving average
from collections import deque
def avg(xs, n):
    w = deque(maxlen=n)
    for x in xs:
        w.append(x)
        if len(w) == n: yield sum(w) / n
result = list(avg([1, 2, 3, 4, 5], 3))
### date bucketing
from datetime import date, timedelta
from collections import Counter
start = date(2026, 1, 30)
result = Counter((start + timedelta(days=i)).strftime("%Y-%m") for i in range(5))
### tuple comparison and multi key sort
rows = [("x", 3, 1.0), ("x", 3, 0.5), ("a", 9, 2.0)]
result = sorted(rows, key=lambda r: (-r[1], r[2]))
### bit tricks
result = (bin(0b1010 & -0b1010), (0b1011).bit_count(), f"{0b101:08b}", int("ff", 16) ^ 0x0F)
### threads cannot start
import threading
try:
    threading.Thread(target=print).start()
    result = "RuntimeError"
except RuntimeError as e:
    result = type(e).__name__
### thread local data exists
import threading
l = threading.local(); l.x = 1
with threading.Lock():
    result = (l.x, threading.current_thread() is threading.main_thread())
