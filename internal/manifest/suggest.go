package manifest

import (
	"fmt"
	"strconv"
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

// sameWord returns the member of known that differs from word only in case, in
// dashes and underscores, as JSON; "" when there is none. Only one thing can
// have been meant.
func sameWord(word string, known []string) string {
	plain := strings.NewReplacer("-", "", "_", "")
	for _, name := range known {
		if strings.EqualFold(plain.Replace(word), plain.Replace(name)) {
			return strconv.Quote(name)
		}
	}
	return ""
}
