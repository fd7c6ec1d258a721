package filelock
