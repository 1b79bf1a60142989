### closures keep their cells
def counter():
    n = 0
    def step():
        nonlocal n
        n += 1
        return n
    return step
c = counter()
result = (c(), c(), c())
### global statement reaches module names
total = 1
def bump():
    global total
    total += 41
bump()
result = total
### default arguments are evaluated once
def f(x, seen=[]):
    seen.append(x)
    return len(seen)
result = (f(1), f(2), f(3))
### keyword-only and positional-only parameters
def f(a, /, b, *, c=3):
    return a, b, c
result = (f(1, 2), f(1, b=2, c=4))
### positional-only by keyword is a TypeError
def f(a, /): return a
try:
    f(a=1)
except TypeError as e:
    result = str(e)
### star arguments and unpacking
def f(*args, **kw): return args, sorted(kw.items())
result = f(*[1, 2], *(3,), **{"a": 1}, b=2)
### extended unpacking
first, *middle, last = range(6)
result = (first, middle, last)
### nested unpacking in a loop
result = [a + b + c for a, (b, c) in [(1, (2, 3)), (4, (5, 6))]]
### walrus in a comprehension
result = [y for x in range(6) if (y := x * x) > 5]
### chained comparison
result = (1 < 2 < 3, 1 < 3 < 2, 3 > 2 == 2)
### conditional expression and short circuit
log = []
def t(x): log.append(x); return x
result = (t(0) or t(2), t(1) and t(3), "a" if t(0) else "b", log)
### list comprehension scope
x = "outer"
ys = [x for x in range(3)]
result = (x, ys)
### nested comprehension
result = [[i * j for j in range(3)] for i in range(3)]
### dict and set comprehension
result = ({k: v for v, k in enumerate("abc")}, sorted({c.upper() for c in "abca"}))
### generator expression is lazy
log = []
g = (log.append(i) or i for i in range(3))
before = list(log)
next(g)
result = (before, log)
### generator send
def acc():
    total = 0
    while True:
        total += yield total
g = acc(); next(g)
result = (g.send(5), g.send(10))
### generator throw and close
events = []
def g():
    try:
        yield 1
        yield 2
    except ValueError as e:
        events.append(str(e)); yield 99
    finally:
        events.append("closed")
i = g(); next(i)
v = i.throw(ValueError("boom")); i.close()
result = (v, events)
### yield from returns a value
def inner():
    yield 1
    return "done"
def outer():
    r = yield from inner()
    yield r
result = list(outer())
### generator return in StopIteration
def g():
    return 7
    yield
try:
    next(g())
except StopIteration as e:
    result = e.value
### decorators with arguments
def times(n):
    def deco(f):
        def w(*a): return [f(*a)] * n
        return w
    return deco
@times(3)
def hi(name): return "hi " + name
result = hi("x")
### class inheritance and super
class A:
    def who(self): return "A"
class B(A):
    def who(self): return "B" + super().who()
class C(A):
    def who(self): return "C" + super().who()
class D(B, C): pass
result = (D().who(), [k.__name__ for k in D.__mro__])
### properties with setter and deleter
class P:
    def __init__(self): self._x = 1
    @property
    def x(self): return self._x
    @x.setter
    def x(self, v): self._x = v * 2
    @x.deleter
    def x(self): self._x = None
p = P(); p.x = 5; a = p.x; del p.x
result = (a, p.x)
### descriptors
class D:
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, o, t): return (self.name, o is None)
class K: f = D()
result = (K.f, K().f)
### slots
class S:
    __slots__ = ("a",)
s = S(); s.a = 1
try:
    s.b = 2
except AttributeError as e:
    result = str(e)
### classmethod and staticmethod
class K:
    @classmethod
    def c(cls): return cls.__name__
    @staticmethod
    def s(): return "s"
result = (K.c(), K().c(), K.s())
### operator overloading
class V:
    def __init__(self, x): self.x = x
    def __add__(self, o): return V(self.x + o.x)
    def __radd__(self, o): return V(self.x + o)
    def __eq__(self, o): return self.x == o.x
    def __hash__(self): return hash(self.x)
    def __repr__(self): return f"V({self.x})"
result = repr(sum([V(1), V(2)]) + V(3)), V(1) == V(1), len({V(1), V(1)})
### __bool__ and __len__ decide truth
class T:
    def __bool__(self): return False
class L:
    def __len__(self): return 0
result = (bool(T()), bool(L()), bool(object()))
### __getattr__ and __getattribute__
class G:
    def __getattr__(self, n): return "missing " + n
g = G(); g.here = 1
result = (g.here, g.gone)
### __call__ and callable
class F:
    def __call__(self, x): return x + 1
result = (F()(1), callable(F()), callable(1))
### container protocol
class Box:
    def __init__(self): self.d = {}
    def __getitem__(self, k): return self.d[k]
    def __setitem__(self, k, v): self.d[k] = v
    def __delitem__(self, k): del self.d[k]
    def __contains__(self, k): return k in self.d
    def __iter__(self): return iter(self.d)
b = Box(); b["a"] = 1; b["b"] = 2; del b["a"]
result = (list(b), "b" in b, "a" in b)
### slices reach __getitem__
class S:
    def __getitem__(self, k): return k
result = (S()[1:2], S()[::3, ...])
### metaclass
class M(type):
    def __new__(m, name, bases, ns): return super().__new__(m, name, bases, {**ns, "tag": name.lower()})
class Thing(metaclass=M): pass
result = Thing.tag
### __init_subclass__
seen = []
class Base:
    def __init_subclass__(cls, /, kind, **kw): super().__init_subclass__(**kw); seen.append((cls.__name__, kind))
class One(Base, kind="x"): pass
result = seen
### __class_getitem__ and generics
class Stack[T]:
    def __init__(self) -> None: self.items: list[T] = []
    def push(self, x: T) -> None: self.items.append(x)
s = Stack[int](); s.push(1)
result = (s.items, str(Stack.__type_params__))
### type alias statement
type Pair[T] = tuple[T, T]
result = (str(Pair), str(Pair.__value__))
### abstract base classes
from abc import ABC, abstractmethod
class A(ABC):
    @abstractmethod
    def f(self): ...
try:
    A()
except TypeError as e:
    result = str(e)
### multiple inheritance conflict
class X: pass
class Y(X): pass
try:
    class Z(X, Y): pass
except TypeError as e:
    result = str(e).split(":")[0].split("\n")[0]
### match literals and guards
def f(x):
    match x:
        case 0: return "zero"
        case int(n) if n < 0: return "neg"
        case int() | float(): return "num"
        case str(s): return "str " + s
        case _: return "other"
result = [f(v) for v in (0, -1, 2.5, "a", None)]
### match sequences
def f(x):
    match x:
        case []: return "empty"
        case [a]: return ("one", a)
        case [a, *rest]: return ("many", a, rest)
result = [f([]), f([1]), f((1, 2, 3))]
### match mappings and classes
class P:
    __match_args__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
def f(v):
    match v:
        case {"kind": "a", **rest}: return sorted(rest)
        case P(0, y): return ("on axis", y)
        case P(x=x): return x
result = [f({"kind": "a", "z": 1}), f(P(0, 3)), f(P(2, 3))]
### match does not match str as sequence
match "ab":
    case [a, b]: result = "sequence"
    case _: result = "text"
### with statement calls enter and exit
log = []
class C:
    def __enter__(self): log.append("in"); return 5
    def __exit__(self, t, v, tb): log.append(t.__name__ if t else None); return True
with C() as v:
    log.append(v)
    raise KeyError("x")
result = log
### parenthesised with items
from contextlib import nullcontext
with (nullcontext(1) as a, nullcontext(2) as b):
    result = a + b
### try else finally order
log = []
def f(fail):
    try:
        log.append("try")
        if fail: raise ValueError
    except ValueError:
        log.append("except")
    else:
        log.append("else")
    finally:
        log.append("finally")
f(False); f(True)
result = log
### return in finally wins
def f():
    try:
        return 1
    finally:
        log = 2
result = f()
### for else and while else
r = []
for i in range(3):
    if i == 5: break
else:
    r.append("no break")
while True:
    break
else:
    r.append("never")
result = r
### del removes names and items
x = [1, 2, 3]; del x[1]
d = {"a": 1}; del d["a"]
y = 1; del y
try:
    y
except NameError as e:
    result = (x, d, str(e))
### unbound local
def f():
    try:
        return a
    except UnboundLocalError as e:
        return str(e)
    a = 1
result = f()
### augmented assignment calls in-place operators
a = b = [1]
a += [2]
c = d = (1,)
c += (2,)
result = (a is b, b, c is d, d)
### lambda late binding
fs = [lambda: i for i in range(3)]
gs = [lambda i=i: i for i in range(3)]
result = ([f() for f in fs], [g() for g in gs])
### f-string formats
x, w = 3.14159, 10
result = (f"{x:.2f}", f"{x:>{w}.1f}", f"{x!r:.4}", f"{'a':*^5}", f"{x=:.1f}", f"{1000000:,}", f"{255:#x}", f"{0.25:%}")
### nested f-string quotes
d = {"a": {"b": 1}}
result = f"{d["a"]["b"]} {f"{'x'}"}"
### format specification of own class
class M:
    def __format__(self, spec): return f"<{spec}>"
result = (f"{M():abc}", format(M(), ""))
### percent and str.format
result = ("%05.1f|%-5s|%x" % (3.14159, "ab", 255), "{0}{1[0]}{k.real}".format(1, [2], k=3))
### bytes and bytearray
b = bytearray(b"abc"); b[0] = 65; b += b"!"
result = (bytes(b), b"a" in b, b.hex(), bytes.fromhex("00ff"), b"%d" % 5)
### memoryview
m = memoryview(bytearray(b"abcdef"))
m[1:3] = b"XY"
result = (m.tobytes(), m[::2].tolist(), m.nbytes)
### big integers
result = (2**200, -7 // 2, -7 % 3, divmod(-7, 2), (123456789**5) % 1000007, pow(3, 10**6, 97))
### integer conversions
result = (int("0x1f", 16), int("1_000"), bin(10), oct(8), (255).to_bytes(2, "big"), int.from_bytes(b"\x01\x00", "little"), (10).bit_length(), (7).bit_count())
### float text
result = (repr(0.1 + 0.2), repr(1e16), repr(1e-5), repr(float("inf")), float("1e3"), (0.5).as_integer_ratio(), (0.1).hex())
### rounding
result = (round(2.5), round(3.5), round(2.675, 2), round(1234, -2), -7 // 2.0)
### complex numbers
z = complex(3, 4)
result = (abs(z), z * 1j, z.conjugate(), z ** 2)
### truthiness of containers
result = [bool(x) for x in ([], [0], {}, {0: 0}, "", " ", 0, 0.0, None, set(), ())]
### identity and equality of small things
result = (None is None, () is (), 1 == 1.0, True == 1, [] == [], "a" "b" == "ab")
### dict order and merge
d = {"b": 1, "a": 2}
d["c"] = 3; d["b"] = 9
result = (list(d), d | {"a": 5}, list(reversed(d)), dict.fromkeys("xy", 0))
### dict views are live sets
d = {"a": 1, "b": 2}
k = d.keys()
d["c"] = 3
result = (sorted(k & {"a", "c", "z"}), sorted(k - {"a"}), len(k))
### changing a dict while iterating
d = {"a": 1}
try:
    for k in d: d[k + "x"] = 1
except RuntimeError as e:
    result = str(e)
### set algebra
a, b = {1, 2, 3}, {3, 4}
result = (sorted(a | b), a & b, sorted(a - b), sorted(a ^ b), {3} <= a, frozenset([1]) in {frozenset([1])})
### slice assignment and deletion
a = list(range(8)); a[1:3] = ["x"]; del a[-2:]; a[::2] = [0] * len(a[::2])
result = a
### sort stability and keys
rows = [("b", 2), ("a", 2), ("c", 1)]
result = (sorted(rows, key=lambda r: r[1]), sorted(rows, reverse=True), min(rows, key=lambda r: r[1]))
### iterators and sentinels
it = iter([1, 2, 3])
vals = iter(lambda c=[0]: c.append(0) or len(c), 5)
result = (next(it), next(it), next(it), next(it, "end"), list(vals))
### zip strict and enumerate start
try:
    list(zip([1], [1, 2], strict=True))
except ValueError as e:
    result = (str(e), list(enumerate("ab", 1)))
### any all sum min max
result = (any([]), all([]), sum([[1], [2]], []), max("abc"), min([3, 1], default=0), max([], default=None))
### map filter reversed
result = (list(map(lambda a, b: a + b, [1, 2], [3, 4])), list(filter(None, [0, 1, "", "a"])), list(reversed("abc")))
### eval exec compile
ns = {}
exec("def f(x): return x * 2\ny = f(21)", ns)
result = (ns["y"], eval("a + b", {"a": 1, "b": 2}), eval(compile("1 + 1", "<x>", "eval")))
### globals and locals at module level
marker = 5
result = (globals()["marker"], locals()["marker"], globals() is locals())
### locals in a function
def f(a):
    b = 2
    return dict(sorted(locals().items()))
result = f(1)
### vars dir getattr setattr
class K: a = 1
k = K(); setattr(k, "b", 2)
result = (vars(k), getattr(k, "zz", "dflt"), hasattr(k, "a"), [n for n in dir(k) if not n.startswith("_")])
### isinstance with unions
result = (isinstance(1, int | str), isinstance("a", (int, str)), issubclass(bool, int), isinstance(1, bool))
### annotations
def f(a: int, b: "str" = "x") -> list[int]: ...
result = (f.__annotations__["a"] is int, f.__annotations__["b"], str(f.__annotations__["return"]))
### future annotations
from __future__ import annotations
def f(a: Undefined) -> 3: ...
result = f.__annotations__
### import star
from math import *
result = (floor(2.7), ceil(2.1))
### if name is main
result = "main" if __name__ == "__main__" else __name__
### recursion limit is real
def deep(n): return 0 if n == 0 else 1 + deep(n - 1)
result = deep(900)
### string interning and methods chain
result = " a,b , c ".strip().split(","), "-".join(["x", "y"]), "abc"[::-1], "abcabc".replace("b", "_", 1)
### exec sees and changes module names
x = 1
exec("x += 1")
result = x
### class body scope
n = 5
class K:
    n = 1
    xs = [n for _ in range(1)]
    def f(self): return n
result = (K.n, K.xs, K().f())
### star expression in index and return
def f(): 
    t = (1, 2)
    return *t, 3
result = f()
### async generators exist as types
async def ag():
    yield 1
import inspect
result = (inspect.isasyncgenfunction(ag), inspect.iscoroutinefunction(ag))
### ellipsis and NotImplemented
class A:
    def __eq__(self, o): return NotImplemented
result = (..., A() == A(), type(NotImplemented).__name__)
### assert
try:
    assert 1 == 2, "math"
except AssertionError as e:
    result = str(e)
### weak references
import weakref
class K: pass
k = K(); r = weakref.ref(k); before = r() is k
del k
result = (before, r() is None)
### finalisers run
log = []
class K:
    def __del__(self): log.append("gone")
k = K(); del k
result = log
### copy on cyclic structures
import copy
a = [1]; a.append(a)
b = copy.deepcopy(a)
result = (b[0], b[1] is b, b is not a)
