package dev

import (
	"context"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

// project is what the loop builds: a plugin folder or a single file.
type project interface {
	// build makes the next candidate. It is awaited, but for its parts that
	// run foreign programs, which end with soft: then the error is soft's cause.
	build(ctx, soft context.Context) (*candidate, error)
	// check runs what can only be checked on the packed files in dir.
	check(ctx, soft context.Context, dir string) ([]diag.Finding, error)
	// watch says what to watch from now on.
	watch() watchSet
	// scripted reports whether the build under way, or the last one, runs a
	// command of the project; it is asked from another goroutine.
	scripted() bool
	// base is the folder that findings and changes are relative to.
	base() string
	// source is what the catalog authorises.
	source() string
	close()
}

// candidate is one build. Inputs and absent are set even when findings say
// that it failed.
type candidate struct {
	dir      string            // the folder to pack
	overlay  map[string][]byte // built files
	findings []diag.Finding
	inputs   []string // absolute: what was read
	absent   []string // absolute: what was looked for in vain
	manifest *manifest.Manifest
}

func (c *candidate) failed() bool { return diag.Count(c.findings).Errors > 0 }
