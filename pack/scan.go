package pack

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/secret"
)

// scanWorkers read files in parallel. The result does not depend on it.
const scanWorkers = 2

// ScanOptions guide Scan.
type ScanOptions struct {
	// Allow lists what may stay in. An entry that allows nothing is a finding
	// of severity warning.
	Allow []Allow
	// Sources are further files below the folder of a package that OpenDir made:
	// what the builder read. They are searched for hidden characters in place of
	// the overlay, which is not: there a builder writes out what the source has as
	// an escape.
	Sources []string
}

// Scan looks into every file for what must not be packed by accident: private
// keys, tokens, files of credentials (SECRET_…), and in text the characters
// that do not show (HIDDEN_UNICODE). All of them are errors; no message holds
// more than four characters of a secret. Files are not hashed again: Write… and
// CopyTo refuse a file that changed since the package was opened.
//
// After OpenArchive there is no content, which is an error that wraps
// errors.ErrUnsupported.
func (p *Package) Scan(ctx context.Context, o ScanOptions) ([]Finding, error) {
	jobs := p.scanJobs(o)
	found := make([][]Finding, len(jobs))
	next := make(chan int)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var group sync.WaitGroup
	for range scanWorkers {
		group.Go(func() {
			s := scan{in: opener{content: p.content}, buf: make([]byte, secret.BufferSize)}
			defer s.in.close()
			for i := range next {
				var err error
				if found[i], err = s.file(jobs[i]); err != nil {
					cancel(err)
				}
			}
		})
	}
	for i := range jobs {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	group.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return permit(slices.Concat(found...), o.Allow), nil
}

// scanJob is one file and what to look for in it.
type scanJob struct {
	path string
	o    secret.Options
}

// scanJobs is every file once, in order.
func (p *Package) scanJobs(o ScanOptions) []scanJob {
	d, _ := p.content.(dirContent)
	jobs := make([]scanJob, 0, len(p.Files)+len(o.Sources))
	for _, f := range p.Files {
		jobs = append(jobs, scanJob{f.Path, secret.Options{Visible: d.overlaid(f.Path)}})
	}
	for _, path := range o.Sources {
		if p.find(path) < 0 {
			jobs = append(jobs, scanJob{path, secret.Options{Only: true}})
		}
	}
	slices.SortFunc(jobs, func(a, b scanJob) int { return cmp.Compare(a.path, b.path) })
	return slices.CompactFunc(jobs, func(a, b scanJob) bool { return a.path == b.path })
}

// scan is what one worker uses again for every file.
type scan struct {
	in  opener
	buf []byte
}

func (s *scan) file(job scanJob) ([]Finding, error) {
	r, err := s.in.open(job.path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	hits, err := secret.Scan(job.path, r, s.buf, job.o)
	if err != nil || len(hits) == 0 {
		return nil, vanished(job.path, err)
	}
	return s.findings(job.path, hits)
}

// findings gives hits their places: only a file with hits is read again.
func (s *scan) findings(path string, hits []secret.Hit) ([]Finding, error) {
	r, err := s.in.open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	offsets := make([]int64, 0, 2*len(hits))
	for _, h := range hits {
		offsets = append(offsets, h.Start, h.End)
	}
	places, err := locate(r, offsets)
	if err != nil {
		return nil, vanished(path, err)
	}
	list := make([]Finding, len(hits))
	for i, h := range hits {
		list[i] = finding(diag.Error, h.Code, path, h.Message)
		list[i].Hint = strings.ReplaceAll(h.Hint, "<path>", list[i].File)
		if h.End > 0 {
			list[i].Start, list[i].End = places[h.Start], places[h.End]
		}
	}
	return list, nil
}
