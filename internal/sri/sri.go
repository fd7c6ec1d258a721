// Package sri reads and compares Subresource Integrity strings.
package sri
