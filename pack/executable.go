package pack

import (
	"bytes"
	"encoding/binary"
)

// executable reports whether a file that starts with head is meant to be run:
// a script with "#!", or an ELF, Mach-O or PE image. Modes on disk say nothing:
// they differ between systems and umasks.
func executable(head []byte) bool {
	if bytes.HasPrefix(head, []byte("#!")) || bytes.HasPrefix(head, []byte("\x7fELF")) {
		return true
	}
	return machO(head) || portableExecutable(head)
}

func machO(head []byte) bool {
	if len(head) < 8 {
		return false
	}
	switch binary.BigEndian.Uint32(head) {
	case 0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe, 0xcafebabf:
		return true
	case 0xcafebabe:
		// Java classes start alike; there the next number is a version of at
		// least 45, here the count of architectures.
		return binary.BigEndian.Uint32(head[4:]) < 45
	}
	return false
}

func portableExecutable(head []byte) bool {
	if len(head) < 0x40 || !bytes.HasPrefix(head, []byte("MZ")) {
		return false
	}
	at := int64(binary.LittleEndian.Uint32(head[0x3c:]))
	return at+4 <= int64(len(head)) && string(head[at:at+4]) == "PE\x00\x00"
}
