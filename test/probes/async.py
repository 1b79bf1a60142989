### top-level await
import asyncio
async def f(): return 5
result = await f()
### gather keeps order
import asyncio
async def f(i):
    await asyncio.sleep(0.01 * (3 - i)); return i
result = await asyncio.gather(*[f(i) for i in range(3)])
### gather return_exceptions
import asyncio
async def f(i):
    if i == 1: raise ValueError(i)
    return i
r = await asyncio.gather(f(0), f(1), f(2), return_exceptions=True)
result = [repr(x) for x in r]
### task group
import asyncio
out = []
async def f(i): await asyncio.sleep(0); out.append(i)
async with asyncio.TaskGroup() as tg:
    for i in range(4): tg.create_task(f(i))
result = sorted(out)
### task group failure is a group
import asyncio
async def bad(): raise ValueError("x")
async def slow():
    await asyncio.sleep(10)
try:
    async with asyncio.TaskGroup() as tg:
        tg.create_task(slow()); tg.create_task(bad())
except* ValueError as g:
    result = [repr(e) for e in g.exceptions]
### wait_for times out
import asyncio
try:
    await asyncio.wait_for(asyncio.sleep(5), 0.01)
except TimeoutError as e:
    result = type(e).__name__
### asyncio.timeout
import asyncio
try:
    async with asyncio.timeout(0.01):
        await asyncio.sleep(5)
except TimeoutError:
    result = "timeout"
### cancellation
import asyncio
log = []
async def f():
    try:
        await asyncio.sleep(10)
    except asyncio.CancelledError:
        log.append("cancelled"); raise
t = asyncio.create_task(f()); await asyncio.sleep(0); t.cancel()
try:
    await t
except asyncio.CancelledError:
    log.append("seen")
result = log
### queue producer and consumer
import asyncio
q = asyncio.Queue(2); got = []
async def prod():
    for i in range(5): await q.put(i)
    await q.put(None)
async def cons():
    while (x := await q.get()) is not None: got.append(x)
await asyncio.gather(prod(), cons())
result = got
### semaphore bounds concurrency
import asyncio
s = asyncio.Semaphore(2); now = peak = 0
async def f():
    global now, peak
    async with s:
        now += 1; peak = max(peak, now); await asyncio.sleep(0.001); now -= 1
await asyncio.gather(*[f() for _ in range(6)])
result = peak
### lock and event
import asyncio
e = asyncio.Event(); log = []
async def waiter(): await e.wait(); log.append("go")
t = asyncio.create_task(waiter()); await asyncio.sleep(0); log.append("set"); e.set(); await t
result = log
### async generator and comprehension
import asyncio
async def ag(n):
    for i in range(n): await asyncio.sleep(0); yield i
result = ([x async for x in ag(3)], {x: 1 async for x in ag(2)}, [x async for x in ag(5) if x % 2])
### async for at top level
async def ag():
    yield "a"; yield "b"
result = []
async for x in ag(): result.append(x)
### async context manager
from contextlib import asynccontextmanager
log = []
@asynccontextmanager
async def cm():
    log.append("in")
    try: yield 1
    finally: log.append("out")
async with cm() as v: log.append(v)
result = log
### as_completed
import asyncio
async def f(d): await asyncio.sleep(d); return d
result = [await t for t in asyncio.as_completed([f(0.03), f(0.01), f(0.02)])]
### wait first completed
import asyncio
ts = [asyncio.create_task(asyncio.sleep(d, d)) for d in (0.005, 5)]
done, pending = await asyncio.wait(ts, return_when=asyncio.FIRST_COMPLETED)
for t in pending: t.cancel()
result = (sorted(t.result() for t in done), len(pending))
### shield
import asyncio
async def f(): await asyncio.sleep(0.01); return 3
t = asyncio.create_task(f())
try:
    await asyncio.wait_for(asyncio.shield(t), 0.001)
except TimeoutError:
    pass
result = await t
### contextvars follow tasks
import asyncio, contextvars
v = contextvars.ContextVar("v", default=0)
async def f(i): v.set(i); await asyncio.sleep(0); return v.get()
r = await asyncio.gather(f(1), f(2))
result = (r, v.get())
### coroutine is awaited once
async def f(): return 1
c = f(); await c
try:
    await c
except RuntimeError as e:
    result = str(e)
### call_later order
import asyncio
loop = asyncio.get_running_loop(); log = []
loop.call_later(0.02, log.append, 2); loop.call_later(0.01, log.append, 1); loop.call_soon(log.append, 0)
await asyncio.sleep(0.05)
result = log
### future set from a callback
import asyncio
loop = asyncio.get_running_loop()
f = loop.create_future(); loop.call_soon(f.set_result, 42)
result = await f
### async iterator protocol
class It:
    def __init__(self): self.n = 0
    def __aiter__(self): return self
    async def __anext__(self):
        self.n += 1
        if self.n > 3: raise StopAsyncIteration
        return self.n
result = [x async for x in It()]
### awaitable object
class A:
    def __await__(self):
        return (yield from self.inner().__await__())
    async def inner(self): return "ok"
result = await A()
### sleep zero yields
import asyncio
log = []
async def f(n):
    for i in range(2): log.append((n, i)); await asyncio.sleep(0)
await asyncio.gather(f("a"), f("b"))
result = log
### exception crosses await
async def f(): raise LookupError("deep")
try:
    await f()
except LookupError as e:
    result = str(e)
### task names and current task
import asyncio
async def f(): return asyncio.current_task().get_name()
result = await asyncio.create_task(f(), name="n1")
### barrier and condition
import asyncio
c = asyncio.Condition(); items = []
async def consumer():
    async with c:
        await c.wait_for(lambda: items); return items.pop()
t = asyncio.create_task(consumer()); await asyncio.sleep(0)
async with c: items.append(9); c.notify_all()
result = await t
### run in a nested function
import asyncio
async def main():
    a, b = await asyncio.gather(asyncio.sleep(0, 1), asyncio.sleep(0, 2))
    return a + b
result = await main()
