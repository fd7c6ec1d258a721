package diag

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wuu-plugins/wuu/internal/term"
)

const (
	frameWidth = 100 // columns of code that a frame shows
	frameLead  = 40  // columns kept before the place when a line is cut
	tabWidth   = 4
)

// cell is one character of a code line as it is printed.
type cell struct {
	text  string
	width int
}

// writeFrame prints the line of f.Start and a caret under the characters from
// Start to End, or to the end of the line when End is on a later one.
func writeFrame(out io.Writer, f Finding, src []byte, style term.Style) {
	all := layout(lineAt(src, f.Start.Line))
	from := min(max(f.Start.ColChar-1, 0), len(all))
	to := len(all)
	if f.End.Line == f.Start.Line {
		to = min(max(f.columnEnd(src)-1, from), len(all))
	}
	first, last := crop(all, from)
	lead, tail := "", ""
	if first > 0 {
		lead = "…"
	}
	if last < len(all) {
		tail = "…"
	}
	var code strings.Builder
	for _, c := range all[first:last] {
		code.WriteString(c.text)
	}
	number := fmt.Sprintf("%4d | ", f.Start.Line)
	gutter := strings.Repeat(" ", len(number)-2) + "| "
	pad := strings.Repeat(" ", width(all[first:from])+utf8.RuneCountInString(lead))
	caret := strings.Repeat("^", max(width(all[from:max(from, min(to, last))]), 1))
	fmt.Fprintln(out, style.Dim(number)+lead+strings.TrimRight(code.String(), " ")+tail)
	fmt.Fprintln(out, style.Dim(gutter)+pad+style.Red(caret))
}

// columnEnd is End in characters; findings read back from JSON know it only
// in UTF-16 units.
func (f Finding) columnEnd(src []byte) int {
	if f.End.ColChar > 0 {
		return f.End.ColChar
	}
	units, column := 1, 1
	for _, r := range lineAt(src, f.End.Line) {
		if units >= f.End.Col16 {
			break
		}
		units++
		if r > 0xffff {
			units++
		}
		column++
	}
	return column
}

// layout expands tabs and escapes what must not reach a terminal.
func layout(line string) []cell {
	var cells []cell
	column := 0
	for _, r := range line {
		c := cell{string(r), runeWidth(r)}
		if r == '\t' {
			c.width = tabWidth - column%tabWidth
			c.text = strings.Repeat(" ", c.width)
		} else if clean := term.Clean(c.text); clean != c.text {
			c = cell{clean, len(clean)}
		}
		column += c.width
		cells = append(cells, c)
	}
	return cells
}

// crop returns which cells a frame shows: all of a short line, else about
// frameWidth columns around the character at index from.
func crop(cells []cell, from int) (first, last int) {
	if width(cells) <= frameWidth {
		return 0, len(cells)
	}
	first = from
	for lead := 0; first > 0 && lead+cells[first-1].width <= frameLead; first-- {
		lead += cells[first-1].width
	}
	last = first
	for total := 0; last < len(cells) && total+cells[last].width <= frameWidth; last++ {
		total += cells[last].width
	}
	return first, last
}

func width(cells []cell) int {
	total := 0
	for _, c := range cells {
		total += c.width
	}
	return total
}

// wide lists the characters that take two columns in a terminal (Unicode
// East Asian Width W and F, in ranges).
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1}, {Lo: 0x231a, Hi: 0x231b, Stride: 1}, {Lo: 0x23e9, Hi: 0x23ec, Stride: 1},
		{Lo: 0x25fd, Hi: 0x25fe, Stride: 1}, {Lo: 0x2614, Hi: 0x2615, Stride: 1}, {Lo: 0x2648, Hi: 0x2653, Stride: 1},
		{Lo: 0x26aa, Hi: 0x26ab, Stride: 1}, {Lo: 0x26bd, Hi: 0x26be, Stride: 1}, {Lo: 0x2705, Hi: 0x2705, Stride: 1},
		{Lo: 0x270a, Hi: 0x270b, Stride: 1}, {Lo: 0x2728, Hi: 0x2728, Stride: 1}, {Lo: 0x274c, Hi: 0x274c, Stride: 1},
		{Lo: 0x2753, Hi: 0x2755, Stride: 1}, {Lo: 0x2795, Hi: 0x2797, Stride: 1}, {Lo: 0x2b1b, Hi: 0x2b1c, Stride: 1},
		{Lo: 0x2b50, Hi: 0x2b50, Stride: 1}, {Lo: 0x2e80, Hi: 0x303e, Stride: 1}, {Lo: 0x3041, Hi: 0x33ff, Stride: 1},
		{Lo: 0x3400, Hi: 0x4dbf, Stride: 1}, {Lo: 0x4e00, Hi: 0x9fff, Stride: 1}, {Lo: 0xa000, Hi: 0xa4cf, Stride: 1},
		{Lo: 0xa960, Hi: 0xa97f, Stride: 1}, {Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, {Lo: 0xf900, Hi: 0xfaff, Stride: 1},
		{Lo: 0xfe30, Hi: 0xfe6f, Stride: 1}, {Lo: 0xff01, Hi: 0xff60, Stride: 1}, {Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x16fe0, Hi: 0x18cff, Stride: 1}, {Lo: 0x1aff0, Hi: 0x1b2ff, Stride: 1}, {Lo: 0x1f004, Hi: 0x1f004, Stride: 1},
		{Lo: 0x1f18e, Hi: 0x1f18e, Stride: 1}, {Lo: 0x1f191, Hi: 0x1f19a, Stride: 1}, {Lo: 0x1f200, Hi: 0x1f320, Stride: 1},
		{Lo: 0x1f32d, Hi: 0x1f64f, Stride: 1}, {Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1}, {Lo: 0x1f7e0, Hi: 0x1f7eb, Stride: 1},
		{Lo: 0x1f900, Hi: 0x1f9ff, Stride: 1}, {Lo: 0x1fa70, Hi: 0x1faff, Stride: 1}, {Lo: 0x20000, Hi: 0x3fffd, Stride: 1},
	},
}

func runeWidth(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}
