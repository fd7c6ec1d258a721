package protocol

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// PublicToolName is the name under which agents see a tool:
// plugin_<plugin>_<tool>_<16 hex>, at most 63 bytes of [a-z0-9_]
// (reference/wuu-facts.md §3.5). attempt starts at 0 and grows while the name
// is taken by another tool.
func PublicToolName(pluginID, toolID string, attempt int) string {
	sum := sha256.Sum256([]byte(pluginID + "\x00" + toolID + "\x00" + strconv.Itoa(attempt)))
	return "plugin_" + namePart(pluginID) + "_" + namePart(toolID) + "_" + hex.EncodeToString(sum[:8])
}

// namePart keeps 19 characters of s that are safe in every model API.
func namePart(s string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(s))
	safe = strings.Trim(safe[:min(len(safe), 19)], "_")
	if safe == "" {
		return "unnamed"
	}
	return safe
}
