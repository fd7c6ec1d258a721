package secret

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// privateRun is how many private-use characters in a row are no icon any more.
const privateRun = 4

// hiddenPairs are the byte pairs of characters that may be hidden. Only every
// second place is looked at, so each needs one pair for a character that starts
// on an even place and one for an odd place: its second and third bytes, or the
// byte before it and its first. Runs of private-use characters of three bytes
// have every second start on an even place.
func hiddenPairs() []uint16 {
	var list []uint16
	add := func(first, firstTo, second, secondTo int) {
		for a := first; a <= firstTo; a++ {
			for b := second; b <= secondTo; b++ {
				list = append(list, pairOf(byte(a), byte(b)))
			}
		}
	}
	for _, r := range suspects() {
		b := utf8.AppendRune(nil, r)
		list = append(list, pairOf(b[0], b[1]), pairOf(b[1], b[2]))
	}
	add(0, 0xff, 0xd8, 0xd8)    // U+061C: its one relative of two bytes
	add(0xd8, 0xd8, 0x9c, 0x9c) //
	add(0xee, 0xee, 0x80, 0xbf) // private use, U+E000
	add(0xef, 0xef, 0x80, 0xa3) // to U+F8FF
	add(0xf3, 0xf3, 0xa0, 0xa0) // tags and variation selectors of plane 14
	add(0xa0, 0xa0, 0x80, 0x87) //
	add(0xf3, 0xf3, 0xb0, 0xbf) // private use, planes 15
	add(0xf4, 0xf4, 0x80, 0x8f) // and 16
	add(0x80, 0xbf, 0xf3, 0xf4) //
	slices.Sort(list)
	return slices.Compact(list)
}

// suspects are the hidden characters of three bytes.
func suspects() []rune {
	list := []rune{0xfeff, 0x180e, 0x115f, 0x1160, 0x3164, 0xffa0, 0xfff9, 0xfffa, 0xfffb}
	for _, span := range [][2]rune{{0x200b, 0x200f}, {0x202a, 0x202e}, {0x2060, 0x206f}, {0xfe00, 0xfe0f}} {
		for r := span[0]; r <= span[1]; r++ {
			list = append(list, r)
		}
	}
	return list
}

// kind is a class of hidden characters.
type kind int

const (
	visible kind = iota
	bidi         // embeds, overrides, isolates: text in another order than it reads
	mark         // left-to-right and right-to-left marks
	zero         // no width
	joiner       // joins or parts letters
	filler       // Hangul letters without a shape, which may be names in code
	selector
	tag
	private
)

var kindNames = map[kind]string{
	bidi: "a bidirectional control", mark: "a direction mark", zero: "a character of no width", joiner: "a character of no width",
	filler: "a letter without a shape", selector: "variation selectors", tag: "tag characters", private: "private-use characters",
}

func kindOf(r rune) kind {
	switch {
	case r < 0x61c:
		return visible
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return bidi
	case r == 0x200e, r == 0x200f, r == 0x61c:
		return mark
	case r == 0x200c, r == 0x200d:
		return joiner
	case r == 0x200b, r == 0xfeff, r == 0x180e, r >= 0x2060 && r <= 0x206f, r >= 0xfff9 && r <= 0xfffb:
		return zero
	case r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0:
		return filler
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef:
		return selector
	case r >= 0xe0000 && r <= 0xe007f:
		return tag
	case r >= 0xe000 && r <= 0xf8ff, r >= 0xf0000:
		return private
	}
	return visible
}

// hiddenRun takes the whole run of hidden characters of one kind around at.
func hiddenRun(data []byte, at int, start bool) (match, bool) {
	for i := 0; i < 3 && at > 0 && !utf8.RuneStart(data[at]); i++ {
		at--
	}
	r, size := utf8.DecodeRune(data[at:])
	k := kindOf(r)
	if k == visible { // the pair lay across two characters
		at += size
		if r, size = utf8.DecodeRune(data[at:]); kindOf(r) == visible || r == utf8.RuneError {
			return match{}, false
		}
		k = kindOf(r)
	}
	from, to, n := at, at+size, 1
	for {
		r, size := utf8.DecodeLastRune(data[:from])
		if size == 0 || r == utf8.RuneError || kindOf(r) != k {
			break
		}
		from, n = from-size, n+1
	}
	for {
		r, size := utf8.DecodeRune(data[to:])
		if size == 0 || r == utf8.RuneError || kindOf(r) != k {
			break
		}
		to, n = to+size, n+1
	}
	h := hiddenText{data: data, from: from, to: to, n: n, kind: k, start: start}
	if h.fine() {
		return match{}, false
	}
	return match{from, to, h.what()}, true
}

// hiddenText is a run of hidden characters of one kind.
type hiddenText struct {
	data     []byte
	from, to int
	n        int
	kind     kind
	start    bool // data starts with the file
}

func (h hiddenText) what() string {
	r, _ := utf8.DecodeRune(h.data[h.from:])
	said := ""
	if h.kind == tag || h.kind == selector {
		said = spelled(h.data[h.from:h.to])
	}
	switch {
	case said != "":
		return fmt.Sprintf("%d hidden %s that spell %q", h.n, kindNames[h.kind], said)
	case h.n > 1 && (h.kind == tag || h.kind == selector || h.kind == private):
		return fmt.Sprintf("%d hidden %s, the first is %U", h.n, kindNames[h.kind], r)
	case h.n > 1:
		return fmt.Sprintf("%s (%U, %d in a row)", kindNames[h.kind], r, h.n)
	}
	return fmt.Sprintf("%s (%U)", strings.TrimSuffix(kindNames[h.kind], "s"), r)
}

// spelled decodes the two ways to hide ASCII: tag characters, and variation
// selectors as bytes. At most 40 characters, "" when they say nothing.
func spelled(b []byte) string {
	var out strings.Builder
	for _, r := range string(b) {
		switch {
		case r >= 0xe0000 && r <= 0xe007f:
			r -= 0xe0000
		case r >= 0xe0100:
			r = r - 0xe0100 + 16
		case r >= 0xfe00:
			r -= 0xfe00
		}
		if r >= ' ' && r < 0x7f {
			out.WriteRune(r)
		} else if r > 1 && r != 0x7f {
			return ""
		}
		if out.Len() == 40 {
			out.WriteString("…")
			break
		}
	}
	return out.String()
}

// fine reports the places where such characters belong.
func (h hiddenText) fine() bool {
	before, _ := utf8.DecodeLastRune(h.data[:h.from])
	after, _ := utf8.DecodeRune(h.data[h.to:])
	r, _ := utf8.DecodeRune(h.data[h.from:])
	switch h.kind {
	case zero:
		if r == 0xfeff {
			return h.start && h.from == 0 && h.n == 1
		}
		return h.n == 1 && r == 0x200b && (unicode.In(before, unspaced...) || unicode.In(after, unspaced...))
	case joiner:
		return h.n == 1 && (joinsEmoji(before, after, r) || unicode.In(before, joining...))
	case mark:
		return h.n == 1 && h.lineHasRTL()
	case selector:
		return h.n == 1 && r != 0xfe0f && unicode.In(before, unicode.Han, unicode.Mongolian, unicode.Myanmar, unicode.So, unicode.Sm, unicode.Phags_Pa) ||
			h.n == 1 && (r == 0xfe0f || r == 0xfe0e) && (symbol(before) || symbol(after) || strings.ContainsRune("0123456789#*", before))
	case tag:
		last, _ := utf8.DecodeLastRune(h.data[:h.to])
		return before == 0x1f3f4 && last == 0xe007f && h.n <= 8 // the flag of a part of a country
	case filler: // part of an old syllable, spelled in its letters
		return h.n == 1 && (unicode.Is(unicode.Hangul, before) || unicode.Is(unicode.Hangul, after)) && (r == 0x115f || r == 0x1160)
	case private:
		return h.n < privateRun
	}
	return false
}

// joining are the scripts in which a joiner or non-joiner changes how a letter
// looks, unspaced those that part words with U+200B.
var (
	joining = []*unicode.RangeTable{
		unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
		unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Tibetan, unicode.Myanmar, unicode.Khmer,
	}
	unspaced = []*unicode.RangeTable{unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan}
)

func joinsEmoji(before, after, r rune) bool {
	return r == 0x200d && (symbol(before) || before == 0xfe0f) && symbol(after)
}

// symbol reports emoji and other symbols, skin tones too.
func symbol(r rune) bool {
	return unicode.In(r, unicode.So, unicode.Sm) || r >= 0x1f000 && r <= 0x1faff || r == 0x203c || r == 0x2049 || r == 0x2139 || r == 0x3030 || r == 0x303d
}

func (h hiddenText) lineHasRTL() bool {
	from, to := h.from, h.to
	for from > 0 && h.data[from-1] != '\n' && h.from-from < lookBack/2 {
		from--
	}
	for to < len(h.data) && h.data[to] != '\n' && to-h.to < lookBack/2 {
		to++
	}
	for _, r := range string(h.data[from:to]) {
		if unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko) && unicode.IsLetter(r) {
			return true
		}
	}
	return false
}
