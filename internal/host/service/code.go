package service

import (
	"fmt"

	"github.com/wuu-plugins/wuu/internal/protocol"
)

// CodeSettingNotOwned refuses a setting that the manifest does not declare.
// The codes that every service may use are protocol's.
const CodeSettingNotOwned = "setting_not_owned"

// maxReportedName is how many bytes of a plugin's own words an error repeats.
const maxReportedName = 80

// Errorf builds the error of a refused call.
func Errorf(code, format string, args ...any) *protocol.Error {
	return &protocol.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

func invalid(format string, args ...any) *protocol.Error {
	return Errorf(protocol.CodeInvalidParams, format, args...)
}

// short keeps a name that a plugin sent from filling an error message.
func short(name string) string {
	if len(name) > maxReportedName {
		return name[:maxReportedName] + "…"
	}
	return name
}
