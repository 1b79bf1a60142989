package tomlconfig

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"toolplane/domain/fault"
)

// Variable is the environment variable that names a configuration file; FileName
// is how one is called where it is looked for.
const (
	Variable = "TOOLPLANE_CONFIG"
	FileName = "toolplane.toml"
)

// maxFile bounds the size of a file, in bytes.
const maxFile = 1 << 20

// Options say where to look for a configuration. The zero Options look where a
// user expects it.
type Options struct {
	Explicit string                   // the file that the command line names, if any
	Getenv   func(name string) string // the environment; nil is an empty one
	WorkDir  string                   // the working directory; "" means the process's own
	UserDir  string                   // the user's directory for toolplane; "" means UserDir()
}

// Warning is something that the user should know and that stops nothing.
type Warning struct {
	Path string // the file that it is about
	Text string // a clause
}

// String returns the warning as one line.
func (w Warning) String() string { return w.Path + ": " + w.Text }

// UserDir returns the directory for a user's own configuration: "toolplane" in
// os.UserConfigDir.
func UserDir() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("this user has no directory for configurations: %w", err)
	}
	return filepath.Join(dir, "toolplane"), nil
}

// Load reads the one configuration that counts: the file that the command line
// names, or else the one that TOOLPLANE_CONFIG names, or else toolplane.toml in
// the working directory if it is trusted, or else toolplane.toml in the user's
// directory. Without any the defaults count. A file that is named must exist. An
// untrusted one in the working directory is ignored with a warning.
func Load(opts Options) (Config, []Warning, error) {
	if opts.UserDir == "" {
		opts.UserDir, _ = UserDir() // a user without one has no file and trusts nothing
	}
	if opts.Explicit != "" {
		config, err := loadNamed(opts.path(opts.Explicit), "--config")
		return config, nil, err
	}
	if opts.Getenv != nil {
		if name := opts.Getenv(Variable); name != "" {
			config, err := loadNamed(opts.path(name), Variable)
			return config, nil, err
		}
	}
	data, warnings := opts.project()
	path := opts.path(FileName)
	if data == nil {
		if opts.UserDir == "" {
			return Defaults(), warnings, nil
		}
		var err error
		path = filepath.Join(opts.UserDir, FileName)
		if data, err = read(path, true); errors.Is(err, fs.ErrNotExist) {
			return Defaults(), warnings, nil
		} else if err != nil {
			return Config{}, warnings, unreadable(path, err)
		}
	}
	config, err := parseFile(path, data)
	return config, warnings, err
}

// path makes a path absolute, from the working directory.
func (o Options) path(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	if o.WorkDir != "" {
		return filepath.Join(o.WorkDir, name)
	}
	if full, err := filepath.Abs(name); err == nil {
		return full
	}
	return name
}

// project returns the content of the working directory's file if it is trusted,
// or a warning if there is one that is not.
func (o Options) project() ([]byte, []Warning) {
	path := o.path(FileName)
	if o.UserDir != "" && sameFile(path, filepath.Join(o.UserDir, FileName)) {
		return nil, nil // the user's own, which is looked for anyway
	}
	data, err := read(path, true)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	warn := func(text string) ([]byte, []Warning) { return nil, []Warning{{Path: path, Text: text}} }
	if err != nil {
		return warn("ignored, because it cannot be read: " + reason(err))
	}
	switch standingOf(o.UserDir, path, data) {
	case trusted:
		return data, nil
	case changed:
		return warn("ignored, because it has changed since you trusted it; look at it, then run: toolplane config trust")
	default:
		return warn("ignored, because a file that comes with a directory is not trusted by itself; look at it, then run: toolplane config trust")
	}
}

// loadNamed reads a file that somebody named; by says where.
func loadNamed(path, by string) (Config, error) {
	data, err := read(path, false)
	if err != nil {
		return Config{}, fault.Wrap(err, fault.ArgsInvalid, "%s names the configuration %s, which cannot be read: %s", by, path, reason(err))
	}
	return parseFile(path, data)
}

func parseFile(path string, data []byte) (Config, error) {
	config, err := Parse(path, data)
	if err != nil {
		return Config{}, err
	}
	config.Path = path
	return config, nil
}

// read reads a file within the bound. Only one that the user named may be
// something else than a regular file, such as a pipe.
func read(path string, regular bool) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() || regular && !info.Mode().IsRegular() {
		return nil, errors.New("it is no file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("it has more than %d bytes", maxFile)
	}
	return data, nil
}

func unreadable(path string, err error) error {
	return fault.Wrap(err, fault.ArgsInvalid, "the configuration %s cannot be read: %s", path, reason(err))
}

// reason is what the system says of a file, without the path.
func reason(err error) string {
	if bad, ok := errors.AsType[*fs.PathError](err); ok {
		return bad.Err.Error()
	}
	return err.Error()
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
