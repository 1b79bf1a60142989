//go:build unix

package statedir

import (
	"io/fs"
	"os"
	"syscall"
)

func ownedByUser(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

func closedToOthers(info fs.FileInfo) bool { return info.Mode().Perm() == 0o700 }
