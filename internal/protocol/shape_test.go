package protocol_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/wuu-plugins/wuu/internal/protocol"
)

func TestShapeError(t *testing.T) {
	for _, c := range []struct {
		into     any
		in, want string
	}{
		{new(protocol.ToolExecuteResult), `"hi"`, "it is of kind string, not object"},
		{new(protocol.ToolExecuteResult), `{"result":{"content":"hi"}}`, "content is of kind string, not array"},
		{new(protocol.ToolExecuteResult), `{"result":{"content":[{"type":3}]}}`, "content.type is of kind number, not string"},
		{new(protocol.ToolExecuteResult), `{"result":{"content":[],"is_error":"no"}}`, "is_error is of kind string, not bool"},
		{new(protocol.InitializeResult), `{"protocol_version":"3"}`, "protocol_version is of kind string, not number"},
		{new(protocol.InitializeResult), `[]`, "it is of kind array, not object"},
	} {
		err := protocol.ShapeError(json.Unmarshal([]byte(c.in), c.into))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.in, err, c.want)
		}
	}
	other := errors.New("another")
	if err := protocol.ShapeError(other); err != other {
		t.Errorf("got %v", err)
	}
}
