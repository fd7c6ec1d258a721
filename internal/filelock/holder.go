package filelock

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fsx"
)

// Holder is the note that a lock's owner leaves in the file.
type Holder struct {
	PID     int    `json:"pid"`
	Command string `json:"command"`
}

// String is "process 123 (wuu plugin install ./x)".
func (h Holder) String() string {
	switch {
	case h.PID == 0:
		return "another process"
	case h.Command == "":
		return fmt.Sprintf("process %d", h.PID)
	}
	return fmt.Sprintf("process %d (%s)", h.PID, h.Command)
}

// The note begins at byte 1: Windows locks byte 0 against all other readers.
// It is padded to one size, so that the file is never cut while others read.
const (
	noteOffset = 1
	noteSize   = 2047
	maxCommand = 200 // bytes; JSON may escape each as six
)

// self notes this process. An empty command is what the process was started
// with, the program's folder left out.
func self(command string) Holder {
	if command == "" {
		command = strings.Join(append([]string{filepath.Base(os.Args[0])}, os.Args[1:]...), " ")
	}
	if len(command) > maxCommand {
		command = strings.ToValidUTF8(command[:maxCommand], "") + "…"
	}
	return Holder{os.Getpid(), command}
}

// writeHolder leaves the note, if it can: on a full disk the lock holds all
// the same, and removing a plugin is what makes room.
func writeHolder(f *os.File, h Holder) {
	if b, err := json.Marshal(h); err == nil {
		writeNote(f, b)
	}
}

func clearHolder(f *os.File) { writeNote(f, nil) }

func writeNote(f *os.File, b []byte) {
	padded := append(b, bytes.Repeat([]byte{' '}, noteSize-len(b)-1)...)
	_, _ = fsx.WriteAt(f, append(padded, '\n'), noteOffset)
}

// readHolder returns the zero Holder when the note is absent or half written.
func readHolder(f *os.File) Holder {
	b := make([]byte, noteSize)
	n, _ := f.ReadAt(b, noteOffset) // io.EOF comes with a short note
	var h Holder
	if json.Unmarshal(b[:n], &h) != nil || h.PID <= 0 {
		return Holder{}
	}
	return h
}
