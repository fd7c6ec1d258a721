package validate

// FixKind says what may be done about a code without asking.
type FixKind string

// The three kinds of fixes. Only safe ones are made by --fix.
const (
	SafeFix      FixKind = "safe"      // where a finding has edits, only one thing can have been meant
	SuggestedFix FixKind = "suggested" // the hint names the likely intention, which is a guess
	NoFix        FixKind = "none"      // only the author knows
)

// codeFix is a code whose fix is not NoFix, and why.
type codeFix struct {
	code string
	kind FixKind
	why  string
}

var codeFixes = [...]codeFix{
	{"CONTRIBUTES_UNKNOWN_KEY", SafeFix, "when only case, dashes or underscores differ from a key; a misspelling is a suggestion"},
	{"HOOK_UNQUOTED_ROOT", SafeFix, "quotes change nothing but the splitting at spaces"},
	{"JSON_BOM", SafeFix, "a byte order mark says nothing in UTF-8"},
	{"JSON_DUPLICATE_KEY", SafeFix, "when both members are the same, one of them says it all; different ones are left to the author"},
	{"JSON_SYNTAX", SafeFix, "when a comma, a quote or the case of a literal is all that is wrong; anything else is left to the author"},
	{"MANIFEST_BOTH_SPELLINGS", SafeFix, "the member that hosts ignore goes, so nothing changes for them"},
	{"MANIFEST_TYPE", SafeFix, "when only the quotes around the value are wrong; anything else is left to the author"},
	{"MANIFEST_UNKNOWN_FIELD", SafeFix, "when only case, dashes or underscores differ from a field; a misspelling is a suggestion"},
	{"MANIFEST_VALUE", SafeFix, "when only case, dashes or underscores differ from a word of the list; a misspelling is a suggestion"},
	{"SETTING_DEFAULT", SafeFix, "when only the quotes or the case of the default are wrong; anything else is left to the author"},
	{"SETTING_ORIGIN", SafeFix, "when only its case or a slash at its end is wrong; anything else is left to the author"},
	{"SETTING_SECRET", SafeFix, "one value is allowed there"},
	{"SKIN_COLOR", SafeFix, "when a short form stands for exactly one long form; anything else is left to the author"},
	{"HOOK_EVENT", SuggestedFix, "the hint names the most similar event, which is a guess"},
	{"MANIFEST_PERMISSION", SuggestedFix, "a permission is granted by people, so none is written by a guess"},
	{"MANIFEST_PLATFORM", SuggestedFix, "the hint names the most similar platform, which is a guess"},
	{"THEME_TOKEN_UNKNOWN", SuggestedFix, "the hint names the most similar token, and a newer host may know this one"},
}

// Fix says what --fix may do about a code, and why.
func (c Code) Fix() (FixKind, string) {
	for _, f := range codeFixes {
		if f.code == c.Code {
			return f.kind, f.why
		}
	}
	return NoFix, "only the author knows what was meant"
}
