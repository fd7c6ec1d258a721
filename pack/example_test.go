package pack_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/wuu-plugins/wuu/pack"
)

// A folder is opened, packed as a zip, and the zip checked as an installer
// would check it. The fingerprint stays the same.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, content := range map[string]string{
		"plugin.json": `{"id": "hello", "version": "1.0.0"}`,
		"notes.txt":   "not for users",
		".wuuignore":  "notes.txt\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			log.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer root.Close()

	ctx := context.Background()
	folder, findings, err := pack.OpenDir(ctx, root, pack.Options{})
	if err != nil || folder == nil {
		log.Fatal(findings, err)
	}
	for _, o := range folder.Omitted {
		fmt.Printf("left out: %s (%s)\n", o.Path, o.Reason)
	}
	var zip bytes.Buffer
	if err := folder.WriteZip(ctx, &zip); err != nil {
		log.Fatal(err)
	}
	checked, findings, err := pack.OpenArchive(ctx, bytes.NewReader(zip.Bytes()), int64(zip.Len()), pack.Options{Format: pack.Zip})
	if err != nil || checked == nil {
		log.Fatal(findings, err)
	}
	fmt.Println(checked.ID, checked.Version, checked.Files[0].Path)
	fmt.Println("same fingerprint:", checked.Fingerprint == folder.Fingerprint)
	// Output:
	// left out: .wuuignore (ignore file)
	// left out: notes.txt (left out by .wuuignore)
	// hello 1.0.0 plugin.json
	// same fingerprint: true
}
