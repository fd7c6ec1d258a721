// Package scaffold makes new plugins from embedded templates.
package scaffold

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
)

// Options describe the plugin to make.
type Options struct {
	Name string // ^[a-z][a-z0-9_-]{0,63}$
	Type string // agent, desktop, full or single
	Dir  string // absolute target, a folder or, for single, a .ts file; must not exist, its folder must
	From string // absolute folder that Next is typed in; "" for none
}

// Result lists what was made.
type Result struct {
	Path  string   `json:"path"`  // Options.Dir
	Files []string `json:"files"` // slash-separated, sorted, relative to Path or, for single, to its folder; ".wuu/types/" stands for what it holds
	Next  []string `json:"next"`  // commands to type next
}

// stagingPrefix starts the name of the folder, beside the target, that a
// plugin is made in.
const stagingPrefix = ".wuu-plugin-create-"

// Create builds the plugin in a staging folder beside Dir and renames it into
// place; on any error, or at the end of ctx, nothing is left. Errors are
// *fault.Error of kind Usage, or the cause of ctx.
func Create(ctx context.Context, o Options) (*Result, error) {
	l, err := check(o)
	if err != nil {
		return nil, err
	}
	files, err := l.render(o)
	if err != nil {
		return nil, err
	}
	if err := place(ctx, o, l, files); err != nil {
		return nil, failed(ctx, o.Dir, err)
	}
	names := make([]string, 0, len(files)+1)
	for _, f := range files {
		names = append(names, f.path)
	}
	if !l.single {
		names = append(names, ".wuu/types/")
	}
	slices.Sort(names)
	return &Result{Path: o.Dir, Files: names, Next: next(o, l)}, nil
}

// check refuses what cannot work before anything is made.
func check(o Options) (layout, error) {
	l, err := findLayout(o.Type)
	if err != nil {
		return l, err
	}
	if err := checkName(o.Name); err != nil {
		return l, err
	}
	if !filepath.IsAbs(o.Dir) {
		return l, fmt.Errorf("create %s: path is not absolute", o.Dir)
	}
	if l.single && filepath.Ext(o.Dir) != ".ts" {
		return l, fault.New(fault.Usage, "TARGET_KIND", o.Dir, "a single-file plugin is a .ts file").
			WithHint("end the name in .ts")
	}
	parent := filepath.Dir(o.Dir)
	if info, err := os.Stat(parent); err != nil {
		return l, fault.New(fault.Usage, "TARGET_PARENT", parent, "%w", bare(err)).WithHint("make the folder first")
	} else if !info.IsDir() {
		return l, fault.New(fault.Usage, "TARGET_PARENT", parent, "is not a folder")
	}
	return l, free(o.Dir)
}

// place writes files in a staging folder and moves the whole to o.Dir.
func place(ctx context.Context, o Options, l layout, files []file) (err error) {
	staging, err := os.MkdirTemp(filepath.Dir(o.Dir), stagingPrefix+"*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, fsx.RemoveAll(staging)) }()
	root := filepath.Join(staging, "plugin") // with the modes of the user, not of a temporary folder
	if err := os.Mkdir(root, 0o777); err != nil {
		return err
	}
	for _, f := range files {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if err := writeNew(filepath.Join(root, filepath.FromSlash(f.path)), f.text); err != nil {
			return err
		}
	}
	if l.single {
		return publishFile(ctx, filepath.Join(root, files[0].path), o.Dir)
	}
	if err := WriteTypes(root); err != nil {
		return err
	}
	return publishFolder(ctx, root, o.Dir)
}

// publishFolder renames a finished folder. A folder that came meanwhile stays:
// the rename fails unless that one is empty.
func publishFolder(ctx context.Context, from, to string) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if err := free(to); err != nil {
		return err
	}
	return fsx.Rename(from, to)
}

// publishFile links a finished file, which never replaces another, and renames
// it where the file system has no links.
func publishFile(ctx context.Context, from, to string) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	err := os.Link(from, to)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrExist):
		return free(to)
	}
	if err := free(to); err != nil {
		return err
	}
	return fsx.Rename(from, to)
}

// free refuses a target that exists, a dangling link too.
func free(path string) error {
	_, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fault.New(fault.Usage, "TARGET_UNREADABLE", path, "%w", bare(err))
	}
	return fault.New(fault.Usage, "TARGET_EXISTS", path, "exists already").
		WithHint("choose another name, or another place with --output")
}

func writeNew(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o666)
}

// failed gives an error of the file system the form that a person can act on.
// The end of ctx and errors that have that form stay as they are.
func failed(ctx context.Context, target string, err error) error {
	var known *fault.Error
	if errors.As(err, &known) || context.Cause(ctx) != nil {
		return err
	}
	return fault.New(fault.Usage, "CREATE_FAILED", target, "%w", err)
}

// bare drops the path from an error that carries it in its subject.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
