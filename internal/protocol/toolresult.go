package protocol

import (
	"encoding/base64"
	"encoding/json"
	"errors"

	"github.com/wuu-plugins/wuu/internal/fault"
)

// Limits of a tool result, in bytes unless said otherwise
// (reference/wuu-facts.md §3.6).
const (
	MaxParts       = 128 // content parts
	MaxInlineData  = 2 << 20
	MaxPartText    = 1 << 20 // text, resource, structured_content and meta, each
	MaxPartURI     = 8 << 10
	MaxPartName    = 1 << 10
	MaxPartMime    = 256
	MaxArtifactRef = 512
	MaxToolResult  = 3 << 20 // the whole result, encoded
)

// UnmarshalJSON refuses an answer without result: returning the content alone
// is the usual mistake of a hand-written runtime, and must not look like an
// empty success.
func (r *ToolExecuteResult) UnmarshalJSON(b []byte) error {
	var in struct {
		Result json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	if !isObject(in.Result) {
		return errors.New(`the answer to tool.execute must be {"result": {"content": […]}}: result is missing or no object`)
	}
	return json.Unmarshal(in.Result, &r.Result)
}

// ValidateToolResult checks what a tool gave back. The error is a
// *fault.Error with code BadToolResult whose subject names the place.
func ValidateToolResult(r ToolResult) error {
	if len(r.Content) > MaxParts {
		return badResult("content", "has %d parts, the limit is %d", len(r.Content), MaxParts)
	}
	if len(r.StructuredContent) > MaxPartText {
		return tooBig("structured_content", len(r.StructuredContent), MaxPartText)
	}
	if len(r.Meta) > MaxPartText {
		return tooBig("meta", len(r.Meta), MaxPartText)
	}
	for i, p := range r.Content {
		if err := validatePart(index("content", i), p); err != nil {
			return err
		}
	}
	encoded, err := json.Marshal(r)
	if err != nil {
		return badResult("result", "cannot be encoded: %w", err)
	}
	if len(encoded) > MaxToolResult {
		return tooBig("result", len(encoded), MaxToolResult)
	}
	return nil
}

func validatePart(at string, p ContentPart) error {
	switch p.Type {
	case "text", "resource":
	case "image", "audio", "file":
		if p.Data == "" && p.URI == "" {
			return badResult(at, "a part of type %s needs data or uri", p.Type)
		}
		if p.MimeType == "" {
			return badResult(at, "a part of type %s needs mime_type", p.Type)
		}
	case "resource_link":
		if p.URI == "" {
			return badResult(at, "a part of type resource_link needs uri")
		}
	default:
		return badResult(at+".type", "is %q; known are text, image, audio, file, resource and resource_link", p.Type)
	}
	for _, l := range []struct {
		name      string
		size, max int
	}{
		{"text", len(p.Text), MaxPartText}, {"resource", len(p.Resource), MaxPartText}, {"uri", len(p.URI), MaxPartURI},
		{"name", len(p.Name), MaxPartName}, {"mime_type", len(p.MimeType), MaxPartMime},
	} {
		if l.size > l.max {
			return tooBig(at+"."+l.name, l.size, l.max)
		}
	}
	if err := validateData(at+".data", p.Data); err != nil {
		return err
	}
	return validateArtifact(at+".artifact", p.Artifact)
}

// validateData checks the size before decoding, so that a bad part costs no
// more than its own length.
func validateData(at, data string) error {
	if data == "" {
		return nil
	}
	if size := base64.StdEncoding.DecodedLen(len(data)); size > MaxInlineData+2 {
		return tooBig(at, size, MaxInlineData)
	}
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return badResult(at, "is not standard base64: %w", err)
	}
	if len(raw) > MaxInlineData {
		return tooBig(at, len(raw), MaxInlineData)
	}
	return nil
}

func validateArtifact(at string, raw json.RawMessage) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var a struct {
		Placement string `json:"placement"`
		Ref       string `json:"ref"`
		SHA256    string `json:"sha256"`
		Size      int64  `json:"size_bytes"`
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		return badResult(at, "has the wrong shape: %w", ShapeError(err))
	}
	switch {
	case a.Placement != "" && a.Placement != "inline" && a.Placement != "turn_end":
		return badResult(at+".placement", "is %q; known are inline and turn_end", a.Placement)
	case len(a.Ref) > MaxArtifactRef:
		return tooBig(at+".ref", len(a.Ref), MaxArtifactRef)
	case a.SHA256 != "" && !sha256Pattern().MatchString(a.SHA256):
		return badResult(at+".sha256", "must be 64 hexadecimal digits")
	case a.Size < 0:
		return badResult(at+".size_bytes", "must not be negative")
	}
	return nil
}

func badResult(at, format string, args ...any) error {
	return fault.New(fault.Plugin, BadToolResult, at, format, args...)
}

func tooBig(at string, size, limit int) error {
	return badResult(at, "has %d bytes, the limit is %d", size, limit)
}
