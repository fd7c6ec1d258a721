package manifest

import (
	"strings"

	"github.com/wuu-plugins/wuu/internal/jsonpos"
)

// maxStorageKey is the length of a storage key, in bytes.
const maxStorageKey = 128

// transfers reads storageTransfers: prefixes of user storage that go from one
// plugin to another. That both sides declare the same is seen when they are
// activated together.
func (r *reader) transfers(n *jsonpos.Node) {
	if !r.kind(n, jsonpos.Object) {
		return
	}
	r.closed(n, "exports", "imports")
	for _, key := range []string{"exports", "imports"} {
		seen := map[string]bool{}
		r.each(r.get(n, key), func(c *jsonpos.Node) { r.transfer(c, seen) })
	}
}

func (r *reader) transfer(n *jsonpos.Node, seen map[string]bool) {
	r.closed(n, "id", "plugin", "scope", "domain", "keyPrefix")
	if id := r.required(n, "id"); id != "" {
		if seen[id] {
			r.fail(n.Get("id"), problem{code: "TRANSFER_DUPLICATE", hint: "give each transfer an id of its own"}, "the transfer %s is declared twice", jsonpos.Quote(id))
		}
		seen[id] = true
	}
	if r.required(n, "plugin") != "" {
		r.checkPluginID(n.Get("plugin"))
	}
	r.requiredChoice(n, "scope", TransferScopes())
	r.required(n, "domain")
	if prefix := r.required(n, "keyPrefix"); prefix != "" && !isStorageKey(prefix) {
		r.fail(n.Get("keyPrefix"), problem{code: "TRANSFER_PREFIX", hint: "use letters, digits, dots, _ and -, starting with a letter or digit, at most 128 bytes"},
			"%s cannot begin a storage key", jsonpos.Quote(prefix))
	}
}

// isStorageKey reports whether text may be a key of host.storage, and so the
// beginning of one.
func isStorageKey(text string) bool {
	const first = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	return len(text) <= maxStorageKey && strings.IndexByte(first, text[0]) >= 0 && strings.Trim(text, first+"._-") == ""
}
