package cli

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/host"
)

// closeLimit bounds the shutdown of an embedded host after a command ended,
// however its context ended.
const closeLimit = 10 * time.Second

// embed starts a host inside this process. close shuts its plugins down; it
// works after ctx has ended too.
func (a *App) embed(ctx context.Context, product string, state catalog.State, trace func(string, bool, []byte)) (h *host.Host, seen []host.Observation, close func(), err error) {
	log, closeLog, err := a.hostLog(product)
	if err != nil {
		return nil, nil, nil, err
	}
	h, err = host.New(host.Options{
		Home: a.home, Project: a.Dir, Product: product, Node: a.config.Node,
		Hard: a.hard, Log: log, Getenv: a.Getenv, Now: a.Now, Trace: trace,
	})
	if err != nil {
		closeLog()
		return nil, nil, nil, err
	}
	close = func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeLimit)
		defer cancel()
		if err := h.Close(end); err != nil {
			a.warn("%v", err)
		}
		closeLog()
	}
	seen, err = h.Start(ctx, state)
	if err != nil {
		close()
		return nil, nil, nil, err
	}
	return h, seen, close, nil
}

// hostLog is where plugin diagnostics of an embedded host go: stderr (unless
// -q), and for hosts that stay also a file in the home's logs.
func (a *App) hostLog(product string) (log io.Writer, closeLog func(), err error) {
	writers := []io.Writer{}
	if !a.quiet {
		writers = append(writers, a.IO.Err)
	}
	closeLog = func() {}
	if name, ok := map[string]string{hostProduct: "host.log", devProduct: "dev.log"}[product]; ok {
		file, err := openLog(filepath.Join(a.home.Logs(), name))
		if err != nil {
			return nil, nil, err
		}
		writers = append(writers, file)
		closeLog = func() { file.Close() }
	}
	return io.MultiWriter(writers...), closeLog, nil
}

// closure keeps id and, transitively, the packages it depends on: what an
// embedded host has to run for one call.
func closure(s catalog.State, id string) catalog.State {
	want := []string{id}
	for i := 0; i < len(want); i++ {
		r, ok := s.Find(want[i])
		if !ok {
			continue
		}
		for _, d := range r.Dependencies {
			if !slices.Contains(want, d.ID) {
				want = append(want, d.ID)
			}
		}
	}
	other := func(r catalog.Record) bool { return !slices.Contains(want, r.ID) }
	return catalog.State{
		Epoch:   s.Epoch,
		Plugins: slices.DeleteFunc(slices.Clone(s.Plugins), other),
		Dev:     slices.DeleteFunc(slices.Clone(s.Dev), other),
	}
}
