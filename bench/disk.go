package main

import (
	"os"
	"os/exec"
	"path/filepath"
)

// ownDisk is a folder on a file system that nobody else writes to: syncfs
// flushes everybody's data, and some file systems are slow for a while after
// many files were removed. It takes the rights of root, and mkfs.ext4; without
// them it is dir itself, and the name says so.
func ownDisk(dir string) (path, name string, release func()) {
	image, mount := filepath.Join(dir, "disk.img"), filepath.Join(dir, "disk")
	fail := func() (string, string, func()) { return dir, "a shared disk", func() {} }
	if os.Mkdir(mount, 0o755) != nil || os.WriteFile(image, nil, 0o600) != nil || os.Truncate(image, 8<<30) != nil {
		return fail()
	}
	for _, argv := range [][]string{{"mkfs.ext4", "-q", "-F", image}, {"mount", "-o", "loop", image, mount}} {
		if err := exec.Command(argv[0], argv[1:]...).Run(); err != nil {
			return fail()
		}
	}
	return mount, "disk", func() {
		if err := exec.Command("umount", mount).Run(); err != nil {
			progress("umount %s: %v", mount, err)
		}
	}
}
