# The event loop: asyncio without sockets or threads. Its select() is one blocking host call, from which the answers of
# pending calls come back. It can be run again from inside itself, so asyncio.run(main()) works wherever it stands.

import _thread
import functools
import heapq
import operator

_lost_errors = []  # (what happened, error) of those that nobody has seen

_LINKS_FOLLOWED = 10_000  # from what is run to what it waits for in the end: tasks may wait for each other


def _deadlock():
    return RuntimeError("deadlock: the run waits for something that no call, timer or task is left to bring about")


def _died_of_stop(future):
    return future.done() and not future.cancelled() and isinstance(future.exception(), _Interrupted)


class _Loop(asyncio.BaseEventLoop):
    def __init__(self):
        super().__init__()
        self.tasks_made = 0
        self._main = None  # what spin() runs
        self._due = False  # a stop came while the loop itself ran

    def _write_to_self(self):
        pass  # nobody else runs while select() blocks

    def _process_events(self, numbers):
        for number in numbers:
            _collect(number)

    def _select(self, timeout):
        if not _pending and timeout is None:
            self._break_deadlock()
            return
        numbers = _host_call(_WAIT, "" if timeout is None else repr(timeout))
        if not self._due:  # the host has given the calls up: what they answer is not what the run ends with
            self._process_events(numbers or ())

    def _innermost(self):
        """The innermost task that waits, and what it waits for: itself if it is about to go on."""
        task = future = self._main
        for _ in range(_LINKS_FOLLOWED):
            if isinstance(future, asyncio.Task) and not future.done():
                task, following = future, future._fut_waiter
            else:
                children = getattr(future, "_children", ())  # of a gather, which may keep what one of them died of
                waiting = [] if any(map(_died_of_stop, children)) else [c for c in children if not c.done()]
                following = waiting[0] if waiting else None
            if following is None:
                return task, future
            future = following
        return future, future

    def _break_deadlock(self):
        """Raises where the innermost code waits for ever, or here if that cannot be told."""
        task, future = self._innermost()
        if future is task or future.done():
            raise _deadlock()
        future.set_exception(_deadlock())

    def _pass_on(self, stop):
        """Has a stop raised where the innermost code waits: its `finally` blocks run, and its lines are known. Says
        whether that can be done."""
        task, future = self._innermost()
        if _died_of_stop(future):
            return True  # it is on its way
        if future is not task and not future.done():
            future.set_exception(stop)
            return True
        for handle in self._ready:
            if getattr(handle._callback, "__self__", None) is task:
                # The task goes on soon, and nothing can be thrown into it: it is interrupted as it does, without any
                # code in Python in between.
                step = functools.partial(handle._callback, *handle._args)
                handle._callback, handle._args = any, (map(operator.call, (_thread.interrupt_main, step)),)
                _passed_on.append(stop)
                return True
        return False

    def _run_once(self):
        """One turn, by the rules of BaseEventLoop._run_once; a turn may take place inside a callback of another."""
        ready, scheduled = self._ready, self._scheduled
        while scheduled and scheduled[0]._cancelled:
            self._timer_cancelled_count -= 1
            heapq.heappop(scheduled)._scheduled = False
        if ready or self._stopping:
            timeout = 0
        elif scheduled:
            timeout = max(0, scheduled[0]._when - self.time())
        else:
            timeout = None
        if _pending or timeout != 0:
            self._select(timeout)
        if self._due:
            self._due = False
            raise _stop()
        if scheduled:
            end = self.time() + self._clock_resolution
            while scheduled and scheduled[0]._when < end:
                handle = heapq.heappop(scheduled)
                handle._scheduled = False
                ready.append(handle)
        for _ in range(len(ready)):
            if not ready:
                break
            handle = ready.popleft()
            if not handle._cancelled:
                handle._run()

    def spin(self, task):
        """Runs the loop until the task is done. Inside a running loop, its current task steps aside meanwhile."""
        outer = asyncio._get_running_loop()
        current = asyncio.current_task(outer) if outer is not None else None
        before = self._main, self._thread_id, sys.get_asyncgen_hooks()
        if current is not None:
            asyncio.tasks._leave_task(outer, current)
        self._main, self._thread_id = task, threading.get_ident()
        asyncio._set_running_loop(self)
        sys.set_asyncgen_hooks(self._asyncgen_firstiter_hook, self._asyncgen_finalizer_hook)
        try:
            while not task.done():
                try:
                    self._run_once()
                except _Interrupted as stop:
                    # Looking at what the task died of keeps it out of the tasks that failed unseen.
                    if _died_of_stop(task) or task.done() or not self._pass_on(stop):
                        raise
                if self._stopping:
                    break
            if self._due:
                raise _stop()
        finally:
            self._due = False
            self._main, self._thread_id, hooks = before
            sys.set_asyncgen_hooks(*hooks)
            asyncio._set_running_loop(outer)
            if current is not None:
                asyncio.tasks._enter_task(outer, current)
        if not task.done():
            self._stopping = False
            raise RuntimeError("Event loop stopped before Future completed.")

    def run_until_complete(self, future):
        self._check_closed()
        task = asyncio.ensure_future(future, loop=self)
        self.spin(task)
        return task.result()

    def create_task(self, coro, **options):
        self.tasks_made += 1
        if not isinstance(coro, _Call):
            return super().create_task(coro, **options)
        task = super().create_task(_claimed(coro), **options)
        # A task that is cancelled before it begins never gets to its call.
        task.add_done_callback(lambda _: coro._let_go())
        return task

    def run_in_executor(self, executor, func, *args):
        """There are no threads: the function runs at once."""
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as e:
            future.set_exception(e)
        return future

    def call_exception_handler(self, context):
        if self._exception_handler is not None:
            return super().call_exception_handler(context)
        e = context.get("exception")
        if isinstance(e, Exception) or "handle" in context:
            _lost_errors.append((_how_lost(context), e))


_LOOP_CODES = (_Loop._run_once.__code__, _Loop.spin.__code__)
_SUSPENDS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_passed_on = []  # the stop that a task gets as soon as it goes on


def _stop():
    return _passed_on.pop() if _passed_on else _Interrupted("the run was stopped")


def _on_interrupt(_signal, frame):
    """Raises a stop in the running code. The loop itself puts it off: raised anywhere there, it would take along a task
    that was about to go on."""
    while frame is not None:
        code = frame.f_code
        if code is _LOOP_CODES[0] or code is _LOOP_CODES[1]:
            frame.f_locals["self"]._due = True
            return
        if code.co_flags & _SUSPENDS or _is_authors(code.co_filename):
            break
        frame = frame.f_back
    raise _stop()


signal.signal(signal.SIGINT, _on_interrupt)


def _claimed(call):
    """A coroutine for a task that collects a call."""

    async def collect():
        return await call

    call._claim()
    coro = collect()
    coro.__qualname__ = call._shown
    return coro


class _Policy(asyncio.AbstractEventLoopPolicy):
    """Event loops without sockets: one for the run, more if the snippet makes them."""

    def get_event_loop(self):
        return _loop if self.current is None or self.current.is_closed() else self.current

    def set_event_loop(self, loop):
        self.current = loop

    def new_event_loop(self):
        return _Loop()

    current = None


def _asyncio_run(main, *, debug=None, loop_factory=None):
    """asyncio.run on the run's own loop, whether it runs already or not. `await main()` does the same, plainly."""
    if not asyncio.iscoroutine(main):
        raise ValueError(f"a coroutine was expected, got {main!r}")
    loop = _loop
    before = asyncio.all_tasks(loop)
    task = loop.create_task(main)
    try:
        loop.spin(task)
    except _Interrupted:
        raise
    except BaseException:
        _cancel_all(loop, asyncio.all_tasks(loop) - before)
        raise
    _cancel_all(loop, asyncio.all_tasks(loop) - before)
    return task.result()


# Seconds that cancelled tasks get to tidy up, and how many are named in a note.
_TIDY_SECONDS, _NAMES_SHOWN = 1.0, 5


def _wait_for(loop, tasks):
    if tasks:
        loop.spin(loop.create_task(asyncio.wait(tasks, timeout=_TIDY_SECONDS)))


def _cancel_all(loop, tasks):
    """Cancels tasks and lets them tidy up."""
    for task in tasks:
        task.cancel()
    _wait_for(loop, tasks)


def _make_loop():
    """The loop of the run. A session keeps it from run to run."""
    global _loop
    _loop = _Loop()
    sys.set_asyncgen_hooks(_loop._asyncgen_firstiter_hook, _loop._asyncgen_finalizer_hook)


asyncio.run = asyncio.runners.run = _asyncio_run
asyncio.set_event_loop_policy(_Policy())
_make_loop()
