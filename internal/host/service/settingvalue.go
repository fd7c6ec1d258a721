package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/wuu-plugins/wuu/internal/manifest"
)

// maxSettingValue is the limit of one saved value in bytes of JSON.
const maxSettingValue = 64 << 10

// fit checks a saved value against its declaration and returns it compact.
func fit(d manifest.Setting, v json.RawMessage) (json.RawMessage, error) {
	if len(v) > maxSettingValue {
		return nil, fmt.Errorf("it has %d bytes; at most %d are allowed", len(v), maxSettingValue)
	}
	var value any
	if err := json.Unmarshal(v, &value); err != nil {
		return nil, err
	}
	ok := false
	switch d.Type {
	case "boolean":
		_, ok = value.(bool)
	case "number":
		_, ok = value.(float64)
	case "string":
		_, ok = value.(string)
	case "enum":
		s, isText := value.(string)
		ok = isText && slices.Contains(d.Enum, s)
	}
	if !ok {
		return nil, fmt.Errorf("it is no %s of the declaration", d.Type)
	}
	var b bytes.Buffer
	if err := json.Compact(&b, v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
