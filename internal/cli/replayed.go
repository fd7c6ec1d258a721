package cli

import (
	"strings"

	"github.com/wuu-plugins/wuu/registry"
)

// blameLock says of a replayed archive that holds another package that the lock
// is wrong, not a registry: nobody was asked. Bytes that are not what was named
// are refused.
func (p *opened) blameLock() {
	if p.source.Kind != registry.Replay {
		return
	}
	for i, f := range p.findings {
		message := strings.Replace(f.Message, "but the registry says", "but the lock says", 1)
		if f.Code == "IDENTITY_MISMATCH" && message != f.Message {
			p.findings[i].Message = message
			p.findings[i].Hint = "the integrity in the lock is that of another package: " + p.source.Lock.Integrity
			p.refused = true
		}
	}
}
