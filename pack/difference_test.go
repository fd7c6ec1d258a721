package pack_test

import (
	"slices"
	"testing"

	"github.com/wuu-plugins/wuu/pack"
)

func TestDifferences(t *testing.T) {
	base := map[string]string{"a.txt": "one\ntwo\n", "b.bin": "\x00\n", "run": "#!/bin/sh\n", "same": "x"}
	source, _ := openDir(t, folder(t, withManifest(base)), pack.Options{})
	extracted := func(members ...member) *pack.Package {
		p, findings := extract(t, zipped(t, append(slices.Clone(sound), members...)...), t.TempDir(), pack.Options{})
		if p == nil {
			t.Fatal(codes(findings))
		}
		return p
	}
	run, same, b := member{name: "run", body: base["run"], fileMode: 0o755}, member{name: "same", body: "x"}, member{name: "b.bin", body: base["b.bin"]}
	a := member{name: "a.txt", body: base["a.txt"]}
	tests := []struct {
		name    string
		members []member
		want    []pack.Difference
	}{
		{"identical", []member{a, b, run, same}, nil},
		{"line ends", []member{{name: "a.txt", body: "one\r\ntwo\r\n"}, b, run, same}, []pack.Difference{{Path: "a.txt", Change: pack.LineEnding}}},
		{"mixed line ends", []member{{name: "a.txt", body: "one\r\ntwo\n"}, b, run, same}, []pack.Difference{{Path: "a.txt", Change: pack.LineEnding}}},
		{"a lone return is content", []member{{name: "a.txt", body: "one\rtwo\n"}, b, run, same}, []pack.Difference{{Path: "a.txt", Change: pack.Content}}},
		{"binary has no lines", []member{a, {name: "b.bin", body: "\x00\r\n"}, run, same}, []pack.Difference{{Path: "b.bin", Change: pack.Content}}},
		{"same size", []member{{name: "a.txt", body: "one\ntwO\n"}, b, run, same}, []pack.Difference{{Path: "a.txt", Change: pack.Content}}},
		{"all at once", []member{{name: "new", body: ""}, b, {name: "run", body: "#!/bin/sh\n"}, same},
			[]pack.Difference{{Path: "a.txt", Change: pack.Missing}, {Path: "new", Change: pack.Added}, {Path: "run", Change: pack.Mode}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := pack.Differences(t.Context(), source, extracted(tt.members...))
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("%v, %v, want %v", got, err, tt.want)
			}
		})
	}
}
