//go:build unix

package statedir

import (
	"io/fs"
	"os"
	"syscall"
)

// fileMode is the mode of files: nobody changes them by accident.
const fileMode = 0o400

func ownedByUser(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

func closedToOthers(info fs.FileInfo) bool { return info.Mode().Perm() == 0o700 }
