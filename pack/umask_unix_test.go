//go:build unix

package pack_test

import "syscall"

func umask(mask int) int { return syscall.Umask(mask) }
