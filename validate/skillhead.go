package validate

import (
	"bytes"
	"strings"
)

// headValue is a value of a skill's head, or what is wrong with the head, by
// offsets into the file.
type headValue struct {
	text       string
	start, end int
}

// readHead reads the fields at the top of a skill: lines of key and value
// between two lines of ---. Of YAML it knows what such heads use: plain and
// quoted texts on a line, and blocks and lists that are indented below a key,
// of which only the first line is kept.
func readHead(src []byte) (map[string]headValue, *headValue) {
	at := 0
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		at = len("\ufeff")
	}
	first, next := headLine(src, at)
	if strings.TrimRight(first, " \t") != "---" {
		return nil, &headValue{"the skill has no head", at, at + len(first)}
	}
	head, key, open := map[string]headValue{}, "", at
	for at = next; at < len(src); at = next {
		var line string
		line, next = headLine(src, at)
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.TrimRight(line, " \t") == "---":
			for _, name := range []string{"name", "description"} {
				if _, there := head[name]; !there {
					head[name] = headValue{"", at, at + 3}
				}
			}
			return head, nil
		case trimmed == "" || trimmed[0] == '#':
		case line[0] == ' ' || line[0] == '\t' || line[0] == '-':
			if v := head[key]; key != "" && v.text == "" {
				head[key] = headValue{trimmed, at, at + len(line)}
			}
		default:
			var problem *headValue
			if key, problem = readField(head, line, at); problem != nil {
				return nil, problem
			}
		}
	}
	return nil, &headValue{"the head of the skill does not end", open, open + 3}
}

// readField reads one line of key and value.
func readField(head map[string]headValue, line string, at int) (string, *headValue) {
	key, rest, ok := strings.Cut(line, ":")
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return "", &headValue{"a line of the head is no key and value", at, at + len(line)}
	}
	if _, twice := head[key]; twice {
		return "", &headValue{"the head has " + key + " twice", at, at + len(key)}
	}
	value := strings.TrimSpace(rest)
	start := at + len(line) - len(strings.TrimLeft(rest, " \t"))
	v := headValue{value, start, start + len(value)}
	switch {
	case value == "" || value == "|" || value == ">" || value == "|-" || value == ">-":
		v.text, v.start, v.end = "", at, at+len(key) // what follows is the text
	case value[0] == '"' || value[0] == '\'':
		if len(value) < 2 || value[len(value)-1] != value[0] {
			return "", &headValue{"a quoted text does not end", v.start, v.end}
		}
		v.text = strings.TrimSpace(value[1 : len(value)-1])
	case strings.Contains(value, ": ") && value[0] != '{' && value[0] != '[':
		i := strings.Index(value, ": ")
		return "", &headValue{"a text with a colon and a space needs quotes", start + i, start + i + 1}
	}
	head[key] = v
	return key, nil
}

// headLine returns the line at offset at, without its end, and where the next
// one begins.
func headLine(src []byte, at int) (string, int) {
	end, next := len(src), len(src)
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		end, next = at+i, at+i+1
	}
	return strings.TrimSuffix(string(src[at:end]), "\r"), next
}
