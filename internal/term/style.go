package term

// Style adds colour when it is on; the zero value adds none.
type Style struct{ on bool }

func (s Style) wrap(code, text string) string {
	if !s.on || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Bold marks what matters.
func (s Style) Bold(text string) string { return s.wrap("1", text) }

// Dim marks what may be skipped.
func (s Style) Dim(text string) string { return s.wrap("2", text) }

// Red marks errors.
func (s Style) Red(text string) string { return s.wrap("31", text) }

// Yellow marks warnings.
func (s Style) Yellow(text string) string { return s.wrap("33", text) }

// Green marks success.
func (s Style) Green(text string) string { return s.wrap("32", text) }

// Cyan marks names and hints.
func (s Style) Cyan(text string) string { return s.wrap("36", text) }
