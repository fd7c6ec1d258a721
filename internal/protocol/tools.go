package protocol

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Limits of tool declarations, in bytes unless said otherwise
// (reference/wuu-facts.md §3.5).
const (
	MaxTools           = 64 // tools of one plugin
	MaxToolDescription = 16 << 10
	MaxInputSchema     = 128 << 10
	maxDisplayField    = 1024
	maxDisplayLabel    = 80
	maxDisplayLocales  = 32
	maxLocale          = 64
)

func (c *checker) tools(list []Tool) {
	if len(list) > MaxTools {
		c.add(BadTool, "tools", "has %d entries, the limit is %d", len(list), MaxTools)
		return
	}
	seen := map[string]int{}
	for i, t := range list {
		at := index("tools", i)
		if !toolIDPattern().MatchString(t.ID) {
			c.add(BadTool, at+".id", "is %q; an id is 1 to 64 letters, digits, _ or -", t.ID)
		} else if first, dup := seen[t.ID]; dup {
			c.add(BadTool, at+".id", "repeats %q of tools[%d]", t.ID, first)
		} else {
			seen[t.ID] = i
		}
		switch {
		case strings.TrimSpace(t.Description) == "":
			c.add(BadTool, at+".description", "is blank").WithHint("say what %s does: agents choose tools by this text", t.ID)
		case len(t.Description) > MaxToolDescription:
			c.add(BadTool, at+".description", "has %d bytes, the limit is %d", len(t.Description), MaxToolDescription)
		}
		c.inputSchema(at+".input_schema", t.InputSchema)
		c.executionScopes(at+".execution_scopes", t.ExecutionScopes)
		c.activity(at+".activity", t.Activity)
		c.display(at+".display", t.Display)
	}
}

func (c *checker) inputSchema(at string, raw json.RawMessage) {
	var schema map[string]json.RawMessage
	var kind string
	switch {
	case !present(raw):
		c.add(BadTool, at, "is missing").WithHint(`a tool without arguments declares {"type": "object"}`)
	case len(raw) > MaxInputSchema:
		c.add(BadTool, at, "has %d bytes, the limit is %d", len(raw), MaxInputSchema)
	case json.Unmarshal(raw, &schema) != nil:
		c.add(BadTool, at, "must be a JSON Schema, an object")
	case json.Unmarshal(schema["type"], &kind) != nil || kind != "object":
		c.add(BadTool, at, `must have "type": "object"`)
	}
}

func (c *checker) executionScopes(at string, scopes []string) {
	for i, s := range scopes {
		switch {
		case s != "root" && s != "child":
			c.add(BadTool, index(at, i), "is %q; known are root and child", s)
		case slices.Contains(scopes[:i], s):
			c.add(BadTool, index(at, i), "repeats %q", s)
		}
	}
}

func (c *checker) activity(at string, raw json.RawMessage) {
	if !present(raw) {
		return
	}
	var a struct {
		Orchestrator    bool   `json:"orchestrator"`
		ReadOnly        bool   `json:"read_only"`
		ConcurrencySafe bool   `json:"concurrency_safe"`
		Destructive     bool   `json:"destructive"`
		Risk            string `json:"risk"`
		Reason          string `json:"reason"`
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		c.add(BadTool, at, "has the wrong shape: %w", err)
		return
	}
	c.shortText(at+".risk", a.Risk, maxDisplayField)
	c.shortText(at+".reason", a.Reason, maxDisplayField)
}

func (c *checker) display(at string, raw json.RawMessage) {
	if !present(raw) {
		return
	}
	var d struct {
		Kind         string            `json:"kind"`
		Label        string            `json:"label"`
		Translations map[string]string `json:"label_translations"`
		Text         string            `json:"text"`
		Capability   string            `json:"capability"`
	}
	if err := json.Unmarshal(raw, &d); err != nil {
		c.add(BadTool, at, "has the wrong shape: %w", err)
		return
	}
	if d.Kind == "" && d.Label == "" && d.Text == "" && d.Capability == "" {
		c.add(BadTool, at, "is empty").WithHint("leave display out, or give one of kind, label, text and capability")
	}
	c.shortText(at+".kind", d.Kind, maxDisplayField)
	c.shortText(at+".label", d.Label, maxDisplayLabel)
	c.shortText(at+".text", d.Text, maxDisplayField)
	c.shortText(at+".capability", d.Capability, maxDisplayField)
	c.translations(at+".label_translations", d.Label, d.Translations)
}

func (c *checker) translations(at, label string, m map[string]string) {
	if len(m) > 0 && label == "" {
		c.add(BadTool, at, "needs label")
	}
	if len(m) > maxDisplayLocales {
		c.add(BadTool, at, "has %d locales, the limit is %d", len(m), maxDisplayLocales)
	}
	for _, locale := range slices.Sorted(maps.Keys(m)) {
		text := m[locale]
		if len(locale) > maxLocale || !localePattern().MatchString(locale) {
			c.add(BadTool, at, "has the key %q, which is no locale", locale)
		}
		if text == "" {
			c.add(BadTool, at+"."+locale, "is empty")
		}
		c.shortText(at+"."+locale, text, maxDisplayLabel)
	}
}

func (c *checker) shortText(at, text string, limit int) {
	if len(text) > limit {
		c.add(BadTool, at, "has %d bytes, the limit is %d", len(text), limit)
	}
	if strings.ContainsRune(text, 0) {
		c.add(BadTool, at, "contains a NUL character")
	}
}

func present(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }
