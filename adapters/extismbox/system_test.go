package extismbox_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/extismbox"
	"toolplane/adapters/extismbox/memory"
	"toolplane/domain/fault"
	"toolplane/domain/limit"
	"toolplane/domain/run"
)

func TestGuestHasNoSystem(t *testing.T) {
	box := open(t, extismbox.Options{})
	for _, c := range []struct{ name, code, want string }{
		{"environment", "import os\nreturn dict(os.environ)", "{}"},
		{"arguments", "import sys\nreturn sys.argv[1:]", "[]"},
		{"standard input", "import os\nreturn os.read(0, 10).decode()", `""`},
		{"terminal", "import os\nreturn [os.isatty(i) for i in range(3)]", "[false,false,false]"},
		{"files", "try:\n    open('/etc/passwd')\nexcept OSError as e:\n    return type(e).__name__", `"FileNotFoundError"`},
		{"writing files", "try:\n    open('/tmp/x', 'w')\nexcept OSError:\n    return 'no'", `"no"`},
		{"directories", "import os\ntry:\n    os.listdir('/')\nexcept OSError:\n    return 'no'", `"no"`},
		{"other descriptors", "import os\ntry:\n    os.write(3, b'x')\nexcept OSError as e:\n    return e.strerror", `"Bad file descriptor"`},
		{"sleep", "import time\nt = time.monotonic()\ntime.sleep(0.02)\nreturn 0.02 <= time.monotonic() - t < 5", "true"},
		{"clocks", "import time\nreturn [time.time() > 1.7e9, time.process_time() >= 0, time.perf_counter() > 1e7, time.monotonic() > 1e7]", "[true,true,true,true]"},
		{"randomness", "import os\nreturn len({os.urandom(16) for _ in range(100)})", "100"},
		{"much randomness", "import os\nreturn len(os.urandom(5_000_000))", "5000000"},
		{"select", "import select\nreturn select.select([0], [], [], 3600)", "[[],[],[]]"}, // at once
	} {
		t.Run(c.name, func(t *testing.T) {
			is.New(t).Equal(result(t, box, c.code, &host{}), c.want) // as little as possible
		})
	}
}

// TestDescriptorsHaveNoState holds because nothing of WASI has: an instance is
// kept from run to run.
func TestDescriptorsHaveNoState(t *testing.T) {
	is := is.New(t)
	box := open(t, extismbox.Options{Ready: 1})
	for range 3 {
		result(t, box, "import os\nfor i in range(3):\n    os.close(i)", &host{})
		var h host
		result(t, box, "import os\nos.write(1, b'out')\nos.write(2, b'err')\nos.fstat(0)", &h)
		is.Equal(h.printed.String(), "outerr") // what is written past Python is printed too
	}
}

// TestNothingReachesOurStreams also when Extism is told to let a plugin write
// there.
func TestNothingReachesOurStreams(t *testing.T) {
	is := is.New(t)
	t.Setenv("EXTISM_ENABLE_WASI_OUTPUT", "1")
	r, w, err := os.Pipe()
	is.NoErr(err)
	stdout, stderr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = w, w
	written := make(chan []byte)
	go func() {
		b, _ := io.ReadAll(r)
		written <- b
	}()
	box := open(t, extismbox.Options{})
	var h host
	for _, code := range []string{"import os\nos.write(1, b'a')\nprint('b')", "import os\nos.write(2, b'c')\nos.abort()", "while True: pass"} {
		execute(t, box, code, &h, func(l *limit.Run) { l.Time = 100 * time.Millisecond })
	}
	os.Stdout, os.Stderr = stdout, stderr
	is.NoErr(w.Close())
	is.Equal(string(<-written), "")                               // nothing
	is.True(strings.HasPrefix(h.printed.String(), "ab\nc"))       // it went to the bridge
	is.True(!bytes.Contains(h.printed.Bytes(), []byte("extism"))) // and only that
}

func TestStoppedRunTidiesUp(t *testing.T) {
	is := is.New(t)
	box := open(t, extismbox.Options{})
	var h host
	f := execute(t, box, "try:\n    while True: pass\nfinally:\n    print('tidy')", &h, func(l *limit.Run) { l.Time = 100 * time.Millisecond }).Failure
	is.Equal(f.Code, fault.RunTimeout)            // stopped
	is.Equal(h.printed.String(), "tidy\n")        // but not at once
	is.Equal(f.Line, 2)                           // where it was
	is.True(strings.Contains(f.Message, "100ms")) // the limit
}

func TestOthersLiveBesideEndlessRuns(t *testing.T) {
	is := is.New(t)
	box := open(t, extismbox.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	spinners := 2 * runtime.GOMAXPROCS(0)
	ended := make(chan error, spinners)
	for range spinners {
		go func() {
			_, err := box.Run(ctx, run.Job{Code: "while True: pass", Limits: limit.Defaults().Run}, &host{})
			ended <- err
		}()
	}
	is.Equal(result(t, box, "return 1", &host{}), "1") // another run ends
	begin := time.Now()
	runtime.GC()
	is.True(time.Since(begin) < limit.Defaults().Run.Time/3) // garbage is collected before the endless ones end
	cancel()
	for range spinners {
		is.NoErr(<-ended)
	}
}

// TestForgedRepliesAreHarmless has snippets talk to the host behind the
// prelude's back.
func TestForgedRepliesAreHarmless(t *testing.T) {
	box := open(t, extismbox.Options{Paranoid: true})
	is.New(t).Equal(result(t, box, "import _toolplane as m\nreturn callable(m.send)", &host{}), "true") // they can reach the host
	for name, code := range map[string]string{
		"unknown field":       "m.send(99, b'x')",
		"a stop of its own":   "m.send(13, 'run.timeout')\nm.send(5, 'TimeoutError')",
		"too much of its own": "m.send(5, 'RuntimeError')\nm.send(13, 'output.too_large')\n_toolplane_gone()",
		"a value no JSON":     "m.send(1, b'{not json')",
		"a huge line":         "m.send(5, 'E')\nm.send(8, '9' * 10**6)",
		"a huge message":      "m.send(5, 'E' * 10**6)\nm.send(6, 'x' * 10**7)\nm.send(7, 'é' * 10**7)",
		"a signal block":      "m.send(12, b'\\xff' * 20)",
		"a fatal error":       "m.send(11, 'forged')",
		"many notes":          "for i in range(10**4): m.send(9, '{\"path\":\"\",\"text\":\"x\"}')",
		"notes no JSON":       "m.send(9, b'\\xff')",
		"a large note":        "m.send(9, '{\"path\":\"\",\"text\":\"' + 'x' * 10**6 + '\"}')",
		"a shield":            "m.send(10, b'')",
		"unknown operations":  "for i in range(9, 300):\n    try: m.call(i, b'x' * i, b'y' * i)\n    except Exception: pass",
		"unknown ids":         "for op in (6, 7, 8):\n    for head in (b'', b'x', b'-1', b'99999999999', b'1 1', b'0 -1', b'9' * 10**5):\n        try: m.call(op, head)\n        except Exception: pass",
		"a long wait":         "m.call(5, '0.001')\nfor w in ('nan', 'inf', '-1', 'x', '1e400'):\n    try:\n        if w not in ('inf', '1e400'): m.call(5, w)\n    except Exception: pass",
		"arguments no JSON":   "try: m.start('', 2, 'host:a/b', b'{', bytes, False)._claim()\nexcept Exception: pass",
		"a name no UTF-8":     "try: m.start('', 2, b'\\xff' * 100, b'{}', bytes, False)._claim()\nexcept Exception: pass",
		"a huge name":         "try: m.start('', 2, b'x' * 10**7, b'{}', bytes, False)._claim()\nexcept Exception: pass",
		"results uncollected": "for i in range(500):\n    try: m.start('', 2, 'host:a/b', b'{}', bytes, False)._claim()\n    except Exception: pass",
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			report := execute(t, box, "import _toolplane as m\n"+code, &host{})
			if f := report.Failure; f != nil {
				is.True(!f.Stopped())                                        // only the host stops a run
				is.True(len(f.Type)+len(f.Message)+len(f.Traceback) < 1<<20) // and texts are bounded
			}
			is.True(len(report.Notes) <= 101)                      // so are notes
			is.Equal(result(t, box, "return 1 + 1", &host{}), "2") // the next run is healthy
		})
	}
}

func TestWorkIsMetered(t *testing.T) {
	is := is.New(t)
	box := open(t, extismbox.Options{})
	little := execute(t, box, "return sum(range(10_000))", &host{}).Work
	much := execute(t, box, "t = 0\nfor i in range(3_000_000):\n    t += i\nreturn t", &host{}).Work
	is.True(much > 10*little) // more work is more
	is.True(much > 0)
}

func TestIdleSandboxStillWorks(t *testing.T) {
	is := is.New(t)
	box := open(t, extismbox.Options{Reset: memory.Names()[0], Paranoid: true})
	for range 3 {
		is.Equal(result(t, box, "return 1", &host{}), "1")
		box.Rest(t) // as after a while without runs
	}
	is.Equal(result(t, box, "return 2", &host{}), "2")
}
