package service

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"

	"github.com/wuu-plugins/wuu/internal/paths"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// The two scopes of storage and settings.
const (
	ScopeUser      = "user"
	ScopeWorkspace = "workspace"
)

// Subject is the identity that owns a plugin's storage and settings. A dev
// override of an installed plugin keeps the installed one's
// (design/dev-loop.md, "Publishing").
func Subject(id string, standaloneDev bool) string {
	if standaloneDev {
		return "plugin:dev:" + id
	}
	return "plugin:user:" + id
}

// DocumentName is the file name of a subject's document. Subjects have
// colons, which are no file name on every system, hence the hash.
func DocumentName(subject string) string {
	sum := sha256.Sum256([]byte(subject))
	return "sha256-" + hex.EncodeToString(sum[:]) + ".json"
}

// WorkspaceID names a project's folder below workspaces/: a readable slug of
// at most 48 bytes and 16 hex digits of the resolved path's SHA-256.
func WorkspaceID(project string) string {
	if resolved, err := filepath.EvalSymlinks(project); err == nil {
		project = resolved
	}
	sum := sha256.Sum256([]byte(project))
	hash := hex.EncodeToString(sum[:8])
	slug := slug(filepath.Base(project))
	if slug == "" {
		return "project-" + hash
	}
	return slug + "-" + hash
}

func slug(name string) string {
	var b strings.Builder
	dash := false
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			b.WriteRune(r)
			dash = false
		case !dash:
			b.WriteByte('-')
			dash = true
		}
	}
	s := strings.Trim(b.String(), "-.")
	if len(s) > 48 {
		s = strings.Trim(s[:48], "-.")
	}
	return s
}

// layout finds the folders of the documents.
type layout struct {
	home    paths.Home
	project string
}

func (l layout) workspace() string {
	return filepath.Join(l.home.Workspaces(), WorkspaceID(l.project))
}

// storage is the folder of the storage documents of scope.
func (l layout) storage(scope string) (string, *protocol.Error) {
	return l.folder(scope, l.home.PluginStorage(), "plugin-storage")
}

// settings is the folder of the settings documents of scope.
func (l layout) settings(scope string) (string, *protocol.Error) {
	return l.folder(scope, l.home.PluginSettings(), "plugin-settings")
}

func (l layout) folder(scope, user, kind string) (string, *protocol.Error) {
	switch {
	case scope == ScopeUser:
		return filepath.Join(user, "user"), nil
	case scope != ScopeWorkspace:
		return "", invalid("scope must be %q or %q", ScopeUser, ScopeWorkspace)
	case l.project == "":
		return "", Errorf(protocol.CodeServiceUnavailable, "this host has no project, so there is no workspace scope")
	}
	return filepath.Join(l.workspace(), kind), nil
}
