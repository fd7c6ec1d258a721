package dev

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/wuu-plugins/wuu/internal/bundle"
	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/internal/procgroup"
)

// CodeLoad is the finding of a single file whose top-level code fails.
const CodeLoad = "DEV_LOAD"

// loadLimit bounds the load check.
const loadLimit = 10 * time.Second

// single is a plugin in one file. Its package stands on no disk: an empty
// folder is packed together with what is built in memory.
type single struct {
	o       *Options
	file    string
	empty   string
	builder *bundle.Builder
}

func newSingle(o *Options, file string) (*single, error) {
	plan, options, err := bundle.NewFilePlan(file)
	if err != nil {
		return nil, err
	}
	builder, err := bundle.NewBuilder(plan, options)
	if err != nil {
		return nil, err
	}
	empty, err := os.MkdirTemp("", "wuu-dev-")
	if err != nil {
		builder.Close()
		return nil, err
	}
	return &single{o: o, file: file, empty: empty, builder: builder}, nil
}

func (s *single) scripted() bool { return false }
func (s *single) base() string   { return filepath.Dir(s.file) }
func (s *single) source() string { return s.file }

func (s *single) close() {
	s.builder.Close()
	_ = os.RemoveAll(s.empty) // an empty folder in the temporary one
}

func (s *single) watch() watchSet {
	return watchSet{roots: []string{s.file}, ignore: func(string, bool) bool { return false }}
}

func (s *single) build(ctx, _ context.Context) (*candidate, error) {
	c := &candidate{dir: s.empty}
	result, findings, err := s.builder.Build(ctx)
	if err != nil {
		return nil, err
	}
	c.findings, c.inputs, c.absent = findings, result.Inputs, result.Absent
	c.overlay = result.Overlay()
	_, files := bundle.FilePackage(s.file)
	for name, content := range files {
		c.overlay[name] = content
	}
	c.manifest, _ = manifest.Parse("plugin.json", files["plugin.json"])
	return c, nil
}

// check loads the bundle once, as the host will: top-level code runs,
// initialize does not. What it prints goes to the build log.
func (s *single) check(_, soft context.Context, dir string) ([]diag.Finding, error) {
	tooLong := errors.New("still loading after " + loadLimit.String())
	ctx, cancel := context.WithTimeoutCause(soft, loadLimit, tooLong)
	defer cancel()
	var out tail
	err := procgroup.Run(ctx, procgroup.Command{
		Argv: []string{s.o.Node, "dist/index.js", bundle.LoadCheckArg}, Env: s.o.Env, Dir: dir,
	}, &out, &out)
	var known *fault.Error
	switch {
	case soft.Err() != nil:
		return nil, context.Cause(soft)
	case err == nil:
		_, _ = s.o.BuildLog.Write(out.Bytes()) // the log is for reading only
		return nil, nil
	case errors.As(err, &known) && known.Code == "COMMAND_NOT_FOUND":
		return nil, fault.New(fault.Plugin, "NODE_MISSING", s.o.Node, "is not installed").
			WithHint("install Node 20 or later: the plugin runs in it")
	}
	_, _ = s.o.BuildLog.Write(out.Bytes())
	f := diag.Finding{
		Code: CodeLoad, Severity: diag.Error, File: filepath.Base(s.file), Message: thrown(out.String()),
		Hint: "top-level code runs when the file is loaded; move work into initialize or activate",
	}
	if errors.Is(err, tooLong) {
		f.Message = tooLong.Error()
	} else if f.Message == "" {
		f.Message = fmt.Sprintf("does not load: %v", err)
	}
	return []diag.Finding{f}, nil
}

// thrown finds the error that Node prints when a module throws: the last line
// that looks like "TypeError: …" and stands at the start of a line.
func thrown(output string) string {
	var found string
	for line := range strings.Lines(output) {
		name, _, ok := strings.Cut(line, ": ")
		name, _, _ = strings.Cut(name, " [")
		if ok && strings.HasSuffix(name, "Error") && !strings.ContainsAny(name, " \t") {
			found = strings.TrimSpace(line)
		}
	}
	return found
}

// tail keeps the last 64 KiB that are written to it.
type tail struct{ bytes.Buffer }

const tailLimit = 64 << 10

// Write never fails.
func (t *tail) Write(b []byte) (int, error) {
	n, err := t.Buffer.Write(b)
	if extra := t.Len() - tailLimit; extra > 0 {
		t.Next(extra)
	}
	return n, err
}
