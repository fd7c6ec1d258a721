// Command demo walks a plugin's whole way with the real binary, in a temporary
// home and without a network: what `make demo` shows. It stops at the first
// step whose result is not what the step is there to show.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

func main() {
	wuu := flag.String("wuu", "bin/wuu", "the binary to show")
	keep := flag.Bool("keep", false, "keep the temporary folder")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *wuu, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, wuu string, keep bool) error {
	binary, err := filepath.Abs(wuu)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "wuu-demo-")
	if err != nil {
		return err
	}
	if keep {
		fmt.Println("working in", dir)
	} else {
		defer os.RemoveAll(dir)
	}
	start := time.Now()
	t := &tour{ctx: ctx, wuu: binary, dir: dir}
	defer t.close()
	for _, part := range []func(*tour) error{
		makeAndCheck, packAndInspect, installZip, fromRegistry, devLoop, liveHost, takeAway,
	} {
		if err := part(t); err != nil {
			return err
		}
	}
	fmt.Printf("\ndemo: %d steps in %.1f s\n", t.steps, time.Since(start).Seconds())
	return nil
}
