package pack_test

import "errors"

func umask(int) int { return 0 }

func mkfifo(string) error { return errors.ErrUnsupported }
