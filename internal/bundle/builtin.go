package bundle

import (
	"slices"
	"strings"
)

// NodeBuiltin reports whether Node itself provides the module, with or without
// the prefix "node:".
func NodeBuiltin(spec string) bool {
	if strings.HasPrefix(spec, "node:") {
		return true
	}
	name, _, _ := strings.Cut(spec, "/")
	return slices.Contains(nodeModules[:], name)
}

// nodeModules are those that need no prefix.
var nodeModules = [...]string{
	"assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto", "dgram",
	"diagnostics_channel", "dns", "domain", "events", "fs", "http", "http2", "https", "inspector", "module", "net", "os",
	"path", "perf_hooks", "process", "punycode", "querystring", "readline", "repl", "stream", "string_decoder", "sys",
	"timers", "tls", "trace_events", "tty", "url", "util", "v8", "vm", "wasi", "worker_threads", "zlib",
}
