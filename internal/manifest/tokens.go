package manifest

import (
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/nearest"
)

// The prefixes that make a name a token.
const (
	themePrefix      = "--wuu-"
	hljsPrefix       = "--hljs-"
	wuuSyntaxPrefix  = "--wuu-syntax-"
	transparentColor = "transparent"
)

// ThemeTokens are the names that a theme's tokens may set
// (reference/wuu-facts.md §2.8). The list of a newer host may be longer.
func ThemeTokens() []string {
	out := []string{"paper", "ink", "ink-soft", "hairline", "surface-muted", "accent", "accent-press", "badge-neutral-background", "inline-code-background", "line-height-body", "motion-easing-standard", "content-max-width"}
	for _, group := range []struct{ name, members string }{
		{"color", "canvas surface surface-muted surface-elevated overlay-backdrop text text-muted live-highlight border-subtle border-strong " +
			"accent accent-pressed focus success warning danger info link link-hover on-accent"},
		{"control", "secondary-background field-background icon-background"},
		{"font-family", "ui mono"},
		{"font-size", "ui body"},
		{"space", "unit density"},
		{"message-actions", "block-gap overlay-gap control-gap inline-offset"},
		{"message-action", "size radius"},
		{"message-user", "background border color radius shadow"},
		{"nav-item-hover", "background ring"},
		{"skill-mark-browser", "a b c"},
		{"skill-mark-commit", "a b c"},
		{"skill-mark-presentation", "a b c"},
		{"skill-mark-creator", "a b c"},
		{"skill-mark-plugin", "a b c"},
		{"skill-mark-default", "a b c"},
		{"radius", "control panel overlay"},
		{"border", "subtle strong"},
		{"elevation", "panel overlay"},
		{"motion-duration", "fast normal"},
	} {
		for member := range strings.FieldsSeq(group.members) {
			out = append(out, group.name+"-"+member)
		}
	}
	for i, name := range out {
		out[i] = themePrefix + name
	}
	slices.Sort(out)
	return out
}

// SyntaxTokens are the names that a theme's syntax may set.
func SyntaxTokens() []string {
	var out []string
	for _, prefix := range []string{hljsPrefix, wuuSyntaxPrefix} {
		for _, name := range []string{"keyword", "function", "string", "number", "comment", "tag", "literal", "meta"} {
			out = append(out, prefix+name)
		}
	}
	return out
}

// nearestToken finds the token that was meant by word. Tokens share long
// beginnings, which would make everything look alike, so only what follows the
// longest shared beginning is compared.
func nearestToken(word string, known []string) string {
	for end := strings.LastIndexByte(word, '-'); end > 0; end = strings.LastIndexByte(word[:end], '-') {
		prefix := word[:end+1]
		var rest []string
		for _, name := range known {
			if tail, ok := strings.CutPrefix(name, prefix); ok {
				rest = append(rest, tail)
			}
		}
		if rest == nil {
			continue
		}
		if tail := nearest.Name(word[end+1:], rest); tail != "" {
			return prefix + tail
		}
		return ""
	}
	return ""
}
