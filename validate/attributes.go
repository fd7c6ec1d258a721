package validate

import "strings"

// attribute is one attribute of a tag as it is written, with offsets into the
// tag; character references in value are not decoded.
type attribute struct {
	name, value                 string
	start, valueStart, valueEnd int
}

// attributes reads those of one start tag that the XML decoder has accepted.
func attributes(tag []byte) []attribute {
	const space = " \t\r\n"
	text := string(tag)
	var list []attribute
	i := strings.IndexAny(text, space+"/>")
	for i >= 0 && i < len(text) {
		for i < len(text) && strings.IndexByte(space+"/", text[i]) >= 0 {
			i++
		}
		equals := strings.IndexByte(text[i:], '=')
		if equals < 0 {
			return list
		}
		a := attribute{name: strings.Trim(text[i:i+equals], space), start: i}
		i += equals + 1
		for i < len(text) && strings.IndexByte(space, text[i]) >= 0 {
			i++
		}
		if i == len(text) || text[i] != '"' && text[i] != '\'' {
			return list
		}
		end := strings.IndexByte(text[i+1:], text[i])
		if end < 0 {
			return list
		}
		a.valueStart, a.valueEnd = i+1, i+1+end
		a.value = text[a.valueStart:a.valueEnd]
		i = a.valueEnd + 1
		list = append(list, a)
	}
	return list
}
