package validate_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/wuu-plugins/wuu/pack"
	"github.com/wuu-plugins/wuu/validate"
)

// A package that names a script which was not built.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	manifest := `{
  "schema_version": 1,
  "id": "hello",
  "version": "0.1.0",
  "runtime": {"protocol": "wuu-plugin-v1", "command": "node", "args": ["dist/runtime.js"]}
}`
	if err := os.WriteFile(filepath.Join(dir, "plugin.json"), []byte(manifest), 0o644); err != nil {
		log.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer root.Close()

	ctx := context.Background()
	p, refused, err := pack.OpenDir(ctx, root, pack.Options{})
	if err != nil || p == nil {
		log.Fatal(refused, err)
	}
	report, err := validate.Run(ctx, p, validate.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range report.Findings {
		fmt.Printf("%s:%d:%d: %s: %s\nhint: %s\n", f.File, f.Start.Line, f.Start.ColChar, f.Severity, f.Message, f.Hint)
	}
	fmt.Println("ok:", report.OK())
	// Output:
	// plugin.json:5:72: error: the runtime script dist/runtime.js is not in the package
	// hint: build it: wuu plugin build
	// ok: false
}
