package main

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
)

// served is the running registry.
type served struct {
	URL, CAFile string
	Packages    []struct{ Name, Version, Tarball string }

	cmd *exec.Cmd
	end io.Closer
}

// startRegistry starts the program serve with the tarballs.
func startRegistry(program string, tarballs []string) (*served, error) {
	cmd := exec.Command(program, tarballs...)
	cmd.Stderr = os.Stderr
	end, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &served{cmd: cmd, end: end}
	if err := json.NewDecoder(out).Decode(s); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

func (s *served) stop() {
	s.end.Close()
	_ = s.cmd.Wait()
}
