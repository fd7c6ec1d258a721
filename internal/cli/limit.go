package cli

import (
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
)

// checkLimit refuses a negative duration of a flag.
func checkLimit(flag string, limit time.Duration) error {
	if limit < 0 {
		return fault.New(fault.Usage, "USAGE", "", "--%s %s: want a duration like 5s, not a negative one", flag, limit)
	}
	return nil
}
