package nearest_test

import (
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/nearest"
)

func TestName(t *testing.T) {
	known := []string{"greet", "list-notes", "delete-note", "description"}
	for in, want := range map[string]string{
		"gret": "greet", "GREET": "greet", "rgeet": "greet", "list_notes": "list-notes", "desc": "description",
		"zzzzz": "", "": "", strings.Repeat("g", 65): "",
	} {
		if got := nearest.Name(in, known); got != want {
			t.Errorf("Name(%q) = %q, want %q", in, got, want)
		}
	}
	if got := nearest.Name("greet", nil); got != "" {
		t.Errorf("of no names: %q", got)
	}
}
