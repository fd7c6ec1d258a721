package manifest

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wuu-plugins/wuu/internal/jsonpos"
)

// MaxDescription is the length of a command's description, in code points.
const MaxDescription = 900

// directives are beginnings of orders to a model, in lower case with single
// spaces. A description says what a command does, and gives no orders.
func directives() []string {
	return []string{
		"always call", "always use this", "do not tell the user", "do not mention this", "disregard previous", "disregard all", "disregard the above",
		"forget previous", "ignore previous", "ignore all previous", "ignore the above", "ignore your instructions", "never tell the user",
		"override your instructions", "system prompt", "without asking the user", "without telling the user", "you are now", "you must", "you should always",
		"you will always",
	}
}

// Directive returns the first phrase of text that is worded like an order to a
// model, as it stands there; ok is false when none is. Phrases match on word
// borders, in any case, over any white space.
func Directive(text string) (phrase string, ok bool) {
	words := wordsOf(text)
	best := len(words)
	for _, d := range directives() {
		if at := phraseAt(text, words[:min(len(words), best+16)], strings.Fields(d)); at >= 0 && at < best {
			best = at
			phrase = text[words[at].Start:words[at+strings.Count(d, " ")].End]
		}
	}
	return phrase, best < len(words)
}

// wordsOf returns where the words of text stand.
func wordsOf(text string) []jsonpos.Span {
	var words []jsonpos.Span
	begin := -1
	for i, r := range text {
		word := unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_'
		switch {
		case word && begin < 0:
			begin = i
		case !word && begin >= 0:
			words = append(words, jsonpos.Span{Start: begin, End: i})
			begin = -1
		}
	}
	if begin >= 0 {
		words = append(words, jsonpos.Span{Start: begin, End: len(text)})
	}
	return words
}

// phraseAt returns the index of the first word where phrase stands, or -1.
func phraseAt(text string, words []jsonpos.Span, phrase []string) int {
	for i := 0; i+len(phrase) <= len(words); i++ {
		j := 0
		for ; j < len(phrase); j++ {
			w := words[i+j]
			if !strings.EqualFold(text[w.Start:w.End], phrase[j]) || j > 0 && strings.TrimSpace(text[words[i+j-1].End:w.Start]) != "" {
				break
			}
		}
		if j == len(phrase) {
			return i
		}
	}
	return -1
}

// description checks what a model may read of a command.
func (r *reader) description(n *jsonpos.Node) string {
	text := r.text(n)
	if count := utf8.RuneCountInString(text); count > MaxDescription {
		r.warn(n, problem{code: "COMMAND_DESCRIPTION", hint: "say when to use it, units, limits and what it does not do; no more"},
			"the description has %d characters; a model is shown at most %d", count, MaxDescription)
	}
	if phrase, ok := Directive(text); ok {
		r.warn(n, problem{code: "COMMAND_WORDING", hint: "say what the command does, and give no orders to the model"}, "%s is worded like an order", jsonpos.Quote(phrase))
	}
	return text
}
