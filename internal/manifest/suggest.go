package manifest

import (
	"fmt"
	"strings"

	"github.com/wuu-plugins/wuu/internal/nearest"
)

// didYouMean is a hint: the suggestion, else the whole list when it is short.
func didYouMean(word string, known []string) string {
	if s := nearest.Name(word, known); s != "" {
		return fmt.Sprintf("did you mean %q?", s)
	}
	if len(known) <= 16 {
		return "one of " + strings.Join(known, ", ")
	}
	return ""
}
