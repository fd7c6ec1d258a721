// Package contract runs a plugin's contract test in stages: a fresh home, a
// fresh host, real services.
package contract
