//go:build unix

package fsx

// transient is false: here a rename does not mind open files.
func transient(error) bool { return false }
