//go:build unix

package main

import (
	"io/fs"
	"syscall"
)

// onDisk returns the bytes that a file takes; holes take none.
func onDisk(info fs.FileInfo) int64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Blocks * 512
	}
	return info.Size()
}
