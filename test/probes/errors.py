### hierarchy of builtin errors
result = [issubclass(a, b) for a, b in [(KeyError, LookupError), (IndexError, LookupError), (ZeroDivisionError, ArithmeticError), (FileNotFoundError, OSError), (UnicodeDecodeError, ValueError), (KeyboardInterrupt, Exception), (TimeoutError, OSError), (RecursionError, RuntimeError), (ModuleNotFoundError, ImportError)]]
### messages of common errors
out = []
for f in (lambda: 1 / 0, lambda: [][1], lambda: {}["k"], lambda: int("x"), lambda: None.x, lambda: "a" + 1, lambda: len(5), lambda: undefined_name, lambda: (1).foo, lambda: [1].remove(2), lambda: "abc".index("z"), lambda: next(iter([]))):
    try:
        f()
    except Exception as e:
        out.append((type(e).__name__, str(e)))
result = out
### exception chaining
try:
    try:
        raise KeyError("a")
    except KeyError as e:
        raise ValueError("b") from e
except ValueError as e:
    result = (repr(e), repr(e.__cause__), e.__suppress_context__)
### implicit context
try:
    try:
        1 / 0
    except ZeroDivisionError:
        undefined
except NameError as e:
    result = (type(e.__context__).__name__, e.__cause__)
### raise from None
try:
    try:
        1 / 0
    except ZeroDivisionError:
        raise ValueError("clean") from None
except ValueError as e:
    result = (e.__suppress_context__, e.__cause__)
### exception groups
try:
    raise ExceptionGroup("many", [ValueError(1), TypeError(2), ValueError(3)])
except* ValueError as g:
    a = [repr(e) for e in g.exceptions]
except* TypeError as g:
    b = [repr(e) for e in g.exceptions]
result = (a, b)
### split an exception group
g = ExceptionGroup("g", [ValueError(1), ExceptionGroup("h", [TypeError(2), ValueError(3)])])
m, r = g.split(ValueError)
result = (repr(m), repr(r))
### add_note
try:
    e = ValueError("x"); e.add_note("hint"); raise e
except ValueError as e:
    result = e.__notes__
### custom exception with fields
class AppError(Exception):
    def __init__(self, code, **kw): super().__init__(f"code {code}"); self.code = code; self.kw = kw
try:
    raise AppError(7, a=1)
except AppError as e:
    result = (str(e), e.code, e.kw, e.args)
### exception variable is deleted
try:
    raise ValueError
except ValueError as e:
    pass
try:
    e
except NameError as n:
    result = str(n)
### traceback module
import traceback
def inner(): raise ValueError("deep")
try:
    inner()
except ValueError as e:
    result = (traceback.format_exception_only(e), [f.name for f in traceback.extract_tb(e.__traceback__)])
### line numbers
import sys
def f():
    return sys._getframe().f_lineno
result = f() - f.__code__.co_firstlineno
### recursion error is catchable
def f(): return f()
try:
    f()
except RecursionError as e:
    result = str(e)
### syntax error fields
try:
    compile("x = (1,\ny = 2", "<s>", "exec")
except SyntaxError as e:
    result = (e.lineno, e.msg)
### indentation error
try:
    compile("if 1:\nx", "<s>", "exec")
except IndentationError as e:
    result = e.msg
### stop iteration inside a generator
def g():
    raise StopIteration
    yield
try:
    list(g())
except RuntimeError as e:
    result = str(e)
### finally runs on the way out
log = []
def f():
    try:
        raise KeyError("k")
    finally:
        log.append("f")
try:
    f()
except KeyError as e:
    result = (log, str(e))
### bare except catches BaseException
try:
    raise KeyboardInterrupt("k")
except:
    result = "caught"
### error in __repr__ is the author's
class K:
    def __repr__(self): raise ValueError("no repr")
try:
    repr(K())
except ValueError as e:
    result = str(e)
### files that are not there
try:
    open("/nonexistent/file")
except OSError as e:
    result = (isinstance(e, OSError), e.filename)
### unicode errors
try:
    b"\xff".decode()
except UnicodeDecodeError as e:
    result = (e.reason, e.start, e.object)
### suppress and ExitStack
from contextlib import suppress, ExitStack, contextmanager
log = []
@contextmanager
def cm(n):
    log.append(n)
    try:
        yield n
    finally:
        log.append(-n)
with ExitStack() as s:
    s.enter_context(cm(1)); s.enter_context(cm(2))
with suppress(KeyError):
    {}["x"]
result = log
### warnings can be caught
import warnings
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("always")
    warnings.warn("careful", UserWarning)
result = [(str(x.message), x.category.__name__) for x in w]
### did you mean
class K:
    colour = 1
try:
    K().color
except AttributeError as e:
    import traceback
    result = "".join(traceback.format_exception_only(e)).strip()
