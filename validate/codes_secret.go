package validate

import "github.com/wuu-plugins/wuu/internal/diag"

// secretCodes are those of what must not leave a machine by accident; pack
// stops at the errors among them, validate warns.
var secretCodes = [...]Code{
	{"ALLOW_EXPIRED", diag.Warning, "an exception in wuu.lint.ignore has ended"},
	{"ALLOW_INVALID", diag.Error, "an exception in wuu.lint.ignore cannot be read"},
	{"ALLOW_UNUSED", diag.Warning, "an exception allows nothing"},
	{"BUDGET_INVALID", diag.Error, "wuu.budget is no size"},
	{"HIDDEN_UNICODE", diag.Error, "a text holds characters that do not show or show in another order"},
	{"SECRET_FILE", diag.Error, "a file that holds credentials, by its name and content"},
	{"SECRET_PRIVATE_KEY", diag.Error, "a private key"},
	{"SECRET_TOKEN", diag.Error, "a token, a key of a service or a password"},
}
