package tomlconfig_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/tomlconfig"
	"toolplane/domain/fault"
)

// place is a user with a directory of their own, in some working directory.
type place struct {
	t          *testing.T
	work, user string
	env        map[string]string
}

func newPlace(t *testing.T) *place {
	root := t.TempDir()
	p := &place{t: t, work: filepath.Join(root, "work"), user: filepath.Join(root, "user", "toolplane"), env: map[string]string{}}
	for _, dir := range []string{p.work, p.user} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// write writes a file in which runs have so many seconds, and returns its path.
func (p *place) write(dir, name string, seconds int) string {
	p.t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, fmt.Appendf(nil, "[sandbox]\ntime_seconds = %d\n", seconds), 0o600); err != nil {
		p.t.Fatal(err)
	}
	return path
}

func (p *place) options() tomlconfig.Options {
	return tomlconfig.Options{WorkDir: p.work, UserDir: p.user, Getenv: func(name string) string { return p.env[name] }}
}

// load returns how many seconds a run has, and the warnings.
func (p *place) load(explicit string) (seconds int, path string, warnings []tomlconfig.Warning) {
	p.t.Helper()
	opts := p.options()
	opts.Explicit = explicit
	config, warnings, err := tomlconfig.Load(opts)
	if err != nil {
		p.t.Fatal(err)
	}
	return int(config.Caps.Run.Time / time.Second), config.Path, warnings
}

func TestWithoutAnyFileTheDefaultsCount(t *testing.T) {
	is := is.New(t)
	seconds, path, warnings := newPlace(t).load("")
	is.Equal(seconds, 30)
	is.Equal(path, "")
	is.Equal(len(warnings), 0)
}

func TestOneFileCounts(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	user := p.write(p.user, "toolplane.toml", 1)
	seconds, path, _ := p.load("")
	is.Equal(seconds, 1)
	is.Equal(path, user) // the user's own, for want of another

	project := p.write(p.work, "toolplane.toml", 2)
	is.NoErr(tomlconfig.Trust(p.user, project))
	seconds, path, _ = p.load("")
	is.Equal(seconds, 2)
	is.Equal(path, project) // a trusted one before it

	p.write(p.work, "env.toml", 3)
	p.env[tomlconfig.Variable] = "env.toml"
	seconds, path, _ = p.load("")
	is.Equal(seconds, 3)
	is.Equal(path, filepath.Join(p.work, "env.toml")) // the variable's, from the working directory

	p.write(p.work, "explicit.toml", 4)
	seconds, _, _ = p.load("explicit.toml")
	is.Equal(seconds, 4) // and the command line before all
}

func TestUntrustedFileIsIgnoredWithAWarning(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	project := p.write(p.work, "toolplane.toml", 2)
	p.write(p.user, "toolplane.toml", 1)
	seconds, _, warnings := p.load("")
	is.Equal(seconds, 1)
	is.Equal(len(warnings), 1)
	is.Equal(warnings[0].Path, project)
	is.True(strings.Contains(warnings[0].String(), "toolplane config trust")) // the way out

	is.NoErr(tomlconfig.Trust(p.user, project))
	seconds, _, warnings = p.load("")
	is.Equal(seconds, 2)
	is.Equal(len(warnings), 0)

	p.write(p.work, "toolplane.toml", 9) // somebody changes it
	seconds, _, warnings = p.load("")
	is.Equal(seconds, 1)
	is.True(strings.Contains(warnings[0].Text, "changed since"))
	is.NoErr(tomlconfig.Trust(p.user, project))
	seconds, _, _ = p.load("")
	is.Equal(seconds, 9) // trusted again
}

func TestTrustIsForOnePlace(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	is.NoErr(tomlconfig.Trust(p.user, p.write(p.work, "toolplane.toml", 2)))
	p.work = filepath.Join(p.work, "elsewhere")
	is.NoErr(os.Mkdir(p.work, 0o700))
	p.write(p.work, "toolplane.toml", 2) // the same content
	seconds, _, warnings := p.load("")
	is.Equal(seconds, 30)
	is.Equal(len(warnings), 1)
}

func TestTrustFollowsTheDirectoryNotItsName(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // symbolic links need a privilege there
	}
	is := is.New(t)
	p := newPlace(t)
	is.NoErr(tomlconfig.Trust(p.user, p.write(p.work, "toolplane.toml", 2)))
	link := p.work + "-link"
	is.NoErr(os.Symlink(p.work, link))
	p.work = link
	seconds, _, _ := p.load("")
	is.Equal(seconds, 2)
}

func TestBrokenFileCannotBeTrusted(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	path := filepath.Join(p.work, "toolplane.toml")
	is.NoErr(os.WriteFile(path, []byte("[x]"), 0o600))
	err := tomlconfig.Trust(p.user, path)
	is.Equal(fault.CodeOf(err), fault.ArgsInvalid)
	is.True(strings.Contains(err.Error(), "toolplane.toml:1:2: ")) // the fault in it
	err = tomlconfig.Trust(p.user, filepath.Join(p.work, "none.toml"))
	is.Equal(fault.CodeOf(err), fault.ArgsInvalid)
}

func TestRecordsOfTrustArePrivate(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	is.NoErr(tomlconfig.Trust(p.user, p.write(p.work, "toolplane.toml", 2)))
	records, err := os.ReadDir(filepath.Join(p.user, "trusted"))
	is.NoErr(err)
	is.Equal(len(records), 1)
	info, err := records[0].Info()
	is.NoErr(err)
	if runtime.GOOS != "windows" {
		is.Equal(info.Mode().Perm(), os.FileMode(0o600))
	}
}

func TestNamedFileMustBeThere(t *testing.T) {
	p := newPlace(t)
	for _, c := range []struct {
		name string
		opts func(o *tomlconfig.Options)
		says []string
	}{
		{"on the command line", func(o *tomlconfig.Options) { o.Explicit = "none.toml" }, []string{"--config", "none.toml", "cannot be read"}},
		{"in the environment", func(o *tomlconfig.Options) { o.Getenv = func(string) string { return "none.toml" } }, []string{"TOOLPLANE_CONFIG", "none.toml"}},
		{"a directory", func(o *tomlconfig.Options) { o.Explicit = p.work }, []string{"no file"}},
		{"too large", func(o *tomlconfig.Options) {
			o.Explicit = filepath.Join(p.work, "large.toml")
			if err := os.WriteFile(o.Explicit, make([]byte, 1<<20+1), 0o600); err != nil {
				t.Fatal(err)
			}
		}, []string{"1048576 bytes"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			opts := p.options()
			c.opts(&opts)
			_, _, err := tomlconfig.Load(opts)
			is.Equal(fault.CodeOf(err), fault.ArgsInvalid)
			for _, part := range c.says {
				is.True(strings.Contains(err.Error(), part))
			}
		})
	}
}

func TestFaultyFileOfTheUserIsAnError(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	is.NoErr(os.WriteFile(filepath.Join(p.user, "toolplane.toml"), []byte("[x]"), 0o600))
	_, _, err := tomlconfig.Load(p.options())
	is.Equal(fault.CodeOf(err), fault.ArgsInvalid)
	is.True(strings.HasPrefix(err.Error(), filepath.Join(p.user, "toolplane.toml")+":1:2: "))
}

func TestDirectoryThatIsCalledLikeTheFileIsIgnored(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	is.NoErr(os.Mkdir(filepath.Join(p.work, "toolplane.toml"), 0o700))
	seconds, _, warnings := p.load("")
	is.Equal(seconds, 30)
	is.True(strings.Contains(warnings[0].Text, "no file"))
}

func TestUsersOwnDirectoryNeedsNoTrust(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	p.write(p.user, "toolplane.toml", 1)
	p.work = p.user
	seconds, _, warnings := p.load("")
	is.Equal(seconds, 1)
	is.Equal(len(warnings), 0)
}

func TestUserWithoutADirectoryTrustsNothing(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	project := p.write(p.work, "toolplane.toml", 2)
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData", "home"} {
		t.Setenv(name, "")
	}
	p.user = ""
	seconds, _, warnings := p.load("")
	is.Equal(seconds, 30)
	is.Equal(len(warnings), 1)
	is.True(tomlconfig.Trust("", project) != nil)
}

func ExampleParse() {
	_, err := tomlconfig.Parse("toolplane.toml", []byte("[results]\nmax_entrys = 100\n"))
	fmt.Println(err)
	config, err := tomlconfig.Parse("toolplane.toml", []byte("[results]\nmax_entries = 100\n"))
	fmt.Println(config.Caps.Results.Entries, err)
	// Output:
	// toolplane.toml:2:1: unknown key "max_entrys" in [results]; did you mean "max_entries"?
	// 100 <nil>
}
