package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/wuu-plugins/wuu/registry/registrytest"
)

// tour runs steps in one folder with one home.
type tour struct {
	ctx    context.Context
	wuu    string
	dir    string
	env    []string
	steps  int
	server *registrytest.Server
	// background processes, newest last
	running []*exec.Cmd
}

func (t *tour) close() {
	for _, cmd := range t.running {
		cmd.Process.Kill()
		cmd.Wait()
	}
	if t.server != nil {
		t.server.Close()
	}
}

func (t *tour) path(name string) string { return filepath.Join(t.dir, filepath.FromSlash(name)) }

func (t *tour) command(args []string) *exec.Cmd {
	cmd := exec.CommandContext(t.ctx, t.wuu, args...)
	cmd.Dir = t.dir
	cmd.Env = append(os.Environ(), "WUU_HOME="+t.path("home"))
	cmd.Env = append(cmd.Env, t.env...)
	return cmd
}

// quote writes a command the way a person would type it.
func quote(args []string) string {
	words := []string{"wuu"}
	for _, a := range args {
		if strings.ContainsAny(a, ` {}"$`) {
			a = "'" + a + "'"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

// wuuShows runs one step, prints it and its output, and checks that the
// output has the words the step is there to show.
func (t *tour) wuuShows(want string, args ...string) error {
	t.steps++
	fmt.Printf("\n$ %s\n", quote(args))
	cmd := t.command(args)
	var out bytes.Buffer
	cmd.Stdout = io.MultiWriter(os.Stdout, &out)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", quote(args), err)
	}
	if !strings.Contains(out.String(), want) {
		return fmt.Errorf("%s: its output has no %q", quote(args), want)
	}
	return nil
}

// start runs a step in the background.
func (t *tour) start(args ...string) (*exec.Cmd, error) {
	t.steps++
	fmt.Printf("\n$ %s &\n", quote(args))
	cmd := t.command(args)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	t.running = append(t.running, cmd)
	return cmd, nil
}

// stop sends Ctrl-C (Windows has none to send: the process is ended) and waits.
func (t *tour) stop(cmd *exec.Cmd) error {
	t.running = t.running[:len(t.running)-1]
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		cmd.Process.Kill()
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && (exit.ExitCode() == 130 || exit.ExitCode() < 0 || exit.ExitCode() == int(syscall.SIGINT)) {
		return nil
	}
	return err
}

// until runs a command quietly until its output has want, then shows it once.
func (t *tour) until(want string, args ...string) error {
	limit, cancel := context.WithTimeout(t.ctx, 30*time.Second)
	defer cancel()
	for {
		out, _ := t.command(args).Output()
		if bytes.Contains(out, []byte(want)) {
			return t.wuuShows(want, args...)
		}
		select {
		case <-limit.Done():
			return fmt.Errorf("%s: no %q within 30 s; the last output was %q", quote(args), want, out)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// edit replaces text in a file and shows it as a person would do it.
func (t *tour) edit(name, old, new string) error {
	src, err := os.ReadFile(t.path(name))
	if err != nil {
		return err
	}
	if !bytes.Contains(src, []byte(old)) {
		return fmt.Errorf("%s has no %q", name, old)
	}
	fmt.Printf("\n$ sed -i 's/%s/%s/' %s\n", old, new, name)
	return os.WriteFile(t.path(name), bytes.ReplaceAll(src, []byte(old), []byte(new)), 0o644)
}
