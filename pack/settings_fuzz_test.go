package pack_test

import (
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/secret"
	"github.com/wuu-plugins/wuu/pack"
)

// FuzzReadSettings: whatever package.json says, what comes out can be used.
func FuzzReadSettings(f *testing.F) {
	f.Add([]byte(`{"wuu":{"budget":"1.5 MB","lint":{"ignore":[{"rule":"SECRET_FILE","path":"[a","reason":"r","expires":"2027-01-31"}]}}}`))
	f.Add([]byte("\ufeff{\"wuu\":{\"budget\":1e9,\"lint\":{\"ignore\":[7,{}]}}}"))
	f.Fuzz(func(t *testing.T, doc []byte) {
		s, found := pack.ReadSettings(doc, time.Unix(1_800_000_000, 0))
		if s.Budget < 0 || s.Budget > 1<<50 {
			t.Fatalf("budget %d", s.Budget)
		}
		for _, a := range s.Allow {
			if !secret.Known(a.Code) || a.Path == "" || a.Found.Start.Line == 0 {
				t.Fatalf("%+v", a)
			}
		}
		for _, f := range found {
			if f.Code == "" || f.Message == "" || f.Start.Line == 0 {
				t.Fatalf("%+v", f)
			}
		}
	})
}

// FuzzParseSize: a size is positive or an error.
func FuzzParseSize(f *testing.F) {
	for _, text := range []string{"2MB", "0.5", "1.5 GiB", "0x10", "Inf", "1_000", "9e99kB"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if n, err := pack.ParseSize(text); (err == nil) != (n > 0) {
			t.Fatalf("ParseSize(%q) = %d, %v", text, n, err)
		}
	})
}
