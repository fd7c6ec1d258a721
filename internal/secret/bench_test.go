package secret_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/secret"
)

// BenchmarkScan reports MB/s for what packages hold: code, prose in English
// and Chinese, minified code on one line, and binary data.
func BenchmarkScan(b *testing.B) {
	var code bytes.Buffer
	files, err := filepath.Glob("../*/*.go")
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		code.Write(src)
	}
	binary := make([]byte, 4<<20)
	r := rand.NewChaCha8([32]byte{})
	_, _ = r.Read(binary)
	for name, content := range map[string][]byte{
		"code":     code.Bytes(),
		"minified": bytes.ReplaceAll(code.Bytes(), []byte("\n"), nil),
		"chinese":  []byte(strings.Repeat("这是一个插件，它在启动时读取配置文件。“引号”、《书名》；数字 123。\n", 20_000)),
		"binary":   binary,
	} {
		b.Run(name, func(b *testing.B) {
			buf := make([]byte, secret.BufferSize)
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				if _, err := secret.Scan("a.js", bytes.NewReader(content), buf, secret.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
