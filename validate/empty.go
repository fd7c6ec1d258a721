package validate

import (
	"bytes"

	"github.com/wuu-plugins/wuu/internal/diag"
)

// checkEmpty warns about a package that does nothing, which is allowed.
func (c *checker) checkEmpty() error {
	m := c.m
	if m.Runtime != nil || m.Desktop != nil || len(m.Skills) > 0 || len(m.Hooks) > 0 || len(m.MCPServers) > 0 || len(m.Contributes.Commands) > 0 {
		return nil
	}
	for _, raw := range m.Contributes.Raw {
		if raw = bytes.TrimSpace(raw); len(bytes.Trim(raw, "{}[] \t\r\n")) > 0 && !bytes.Equal(raw, []byte("null")) {
			return nil
		}
	}
	if c.unread || diag.Count(c.found.Findings()).Errors > 0 {
		return nil // a part of it could not be read
	}
	c.found.Add(m.At("", Finding{
		Code: "MANIFEST_EMPTY", Severity: diag.Warning, Message: "the package declares nothing, so it does nothing",
		Hint: "add a runtime, a desktop module, skills, hooks, MCP servers or contributions",
	}))
	return nil
}
