package devwatch_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/wuu-plugins/wuu/devwatch"
)

func Example() {
	dir, err := os.MkdirTemp("", "watched")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	w, err := devwatch.New(context.Background(), devwatch.Options{
		Roots:  []string{dir},
		Ignore: func(path string, dir bool) bool { return filepath.Base(path) == "node_modules" },
	})
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()

	if err := os.WriteFile(filepath.Join(dir, "index.ts"), []byte("export {};"), 0o644); err != nil {
		log.Fatal(err)
	}
	batch := <-w.Batches()
	for _, change := range batch.Changes {
		fmt.Println(filepath.Base(change.Path), change.Op == devwatch.Write)
	}
	// Output: index.ts true
}
