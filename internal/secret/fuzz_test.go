package secret_test

import (
	"testing"

	"github.com/wuu-plugins/wuu/internal/secret"
)

// FuzzScan: any content under any name ends, and every find lies in it.
func FuzzScan(f *testing.F) {
	for _, token := range tokens() {
		f.Add("a.txt", []byte(token))
	}
	f.Add(".env", []byte("A=1\n"))
	f.Add("a.md", []byte("a\u202eb\u200b"+tagged("x")+selected("y")+"\ue000\ue001\ue002\ue003"))
	f.Add("k", []byte("-----BEGIN PRIVATE KEY-----\n"))
	f.Fuzz(func(t *testing.T, name string, content []byte) {
		hits := secret.Bytes(name, content, secret.Options{})
		for i, h := range hits {
			if h.Start < 0 || h.Start > h.End || h.End > int64(len(content)) || h.Message == "" || !secret.Known(h.Code) {
				t.Fatalf("%+v in %d bytes", h, len(content))
			}
			if i > 0 && h.Start < hits[i-1].Start {
				t.Fatalf("not in order: %+v", hits)
			}
		}
		if len(hits) > 2*secret.MaxHits {
			t.Fatalf("%d hits", len(hits))
		}
	})
}
