package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/wuu-plugins/wuu/devwatch"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/registry"
)

// watchValidate checks src after every settled change until the context ends.
// Checking writes nothing into the folder, so no run can cause the next one;
// changes during a run are one batch after it.
func (a *App) watchValidate(ctx context.Context, o *validateOptions, src registry.Source) error {
	output := o.Output
	if output != "" && !filepath.IsAbs(output) {
		output = filepath.Join(a.Dir, output)
	}
	w, err := devwatch.New(ctx, devwatch.Options{
		Roots: []string{src.Path},
		Ignore: func(path string, dir bool) bool {
			name := filepath.Base(path)
			return path == output || devwatch.EditorTemp(name) || dir && (name == ".git" || name == "node_modules" || name == ".wuu")
		},
		Note: func(_, message string) { a.warn("%s", message) },
	})
	if err != nil {
		return fmt.Errorf("watch %s: %w", o.Spec, err)
	}
	defer w.Close()
	why := o.Spec
	for {
		a.watchLine("checking " + why)
		if err := a.checkOnce(ctx, o, src); err != nil && ctx.Err() == nil {
			return err
		}
		a.watchLine("waiting for changes")
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case b, more := <-w.Batches():
			if !more {
				return context.Cause(ctx)
			}
			why = changed(src.Path, b)
		}
	}
}

// checkOnce reports one run. A source that cannot be read now, as in the
// middle of a checkout, is said and waits for the next change like a finding.
func (a *App) checkOnce(ctx context.Context, o *validateOptions, src registry.Source) error {
	c, err := a.check(ctx, o, src)
	if err == nil {
		defer c.Close()
		return a.report(c, o)
	}
	if ctx.Err() != nil || fault.As(err).Kind == fault.Defect {
		return err
	}
	if !a.json {
		_ = a.fail(err)
		return nil
	}
	e := fault.As(err)
	body, err := marshalSchema(errorDoc{errorBody{e.Code, err.Error(), e.Hint, e.Details}})
	if err == nil {
		_, err = a.IO.Out.Write(append(body, '\n'))
	}
	return err
}

// watchLine separates the runs of people and editors' problem matchers.
func (a *App) watchLine(text string) {
	if !a.json {
		fmt.Fprintf(a.IO.Out, "--- %s\n", term.Clean(text))
	}
}

func changed(root string, b devwatch.Batch) string {
	var names []string
	for _, c := range b.Changes {
		if len(names) == 3 {
			names = append(names, fmt.Sprintf("and %d more", len(b.Changes)-3))
			break
		}
		if rel, err := filepath.Rel(root, c.Path); err == nil {
			names = append(names, filepath.ToSlash(rel))
		}
	}
	return "again: " + strings.Join(names, ", ") + " changed"
}
