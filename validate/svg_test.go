package validate_test

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/validate"
)

func icon(name, content string) tree {
	return tree{"plugin.json": `{"id": "a", "version": "1.0.0", "icon": {"path": "` + name + `"}, "skills": "s"}`, name: content, "s/SKILL.md": "---\nname: s\ndescription: Does it.\n---\nDo it.\n"}
}

func TestIcons(t *testing.T) {
	var dot bytes.Buffer
	if err := png.Encode(&dot, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	full := dot.String() + strings.Repeat("\x00", 256<<10-dot.Len())
	place := " plugin.json:1:50"
	checkPlaces(t, []placeCase{
		{"PNG", icon("i.png", dot.String()), nil},
		{"256 KiB", icon("i.png", full), nil},
		{"a byte more", icon("i.png", full+"\x00"), []string{"error ICON_LARGE" + place}},
		{"PNG named WebP", icon("i.webp", dot.String()), []string{"error ICON_CONTENT" + place}},
		{"PNG named SVG", icon("i.svg", dot.String()), []string{"error ICON_CONTENT" + place}},
		{"JPEG", icon("i.jpg", "\xff\xd8\xff"), []string{"error ICON_TYPE" + place}},
		{"text", icon("i.txt", "x"), []string{"error ICON_TYPE" + place}},
		{"style", icon("i.svg", "<svg>\n<style>a{}</style></svg>"), []string{"error SVG_ELEMENT i.svg:2:2"}},
		{"embedded picture", icon("i.svg", `<svg><image href="data:image/png;base64,AA=="/></svg>`), []string{"error SVG_REFERENCE i.svg:1:19"}},
	})
}

func picture(svg string) tree { return skin("a.svg", svg) }

func TestSVG(t *testing.T) {
	checkPlaces(t, []placeCase{
		{"plain", picture("\ufeff<?xml version=\"1.0\"?>\n<!-- <script/> --><svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'><title>on &amp; off</title><g id='a' fill = 'url(#b)'/><use xlink:href='#a'/></svg>\n"), nil},
		{"embedded picture", picture(`<svg><image href="data:image/png;base64,AA=="/></svg>`), nil},
		{"style", picture(`<svg><style>a{fill:url(#b)}</style></svg>`), nil},
		{"script", picture("<svg>\n\t<script>alert(1)</script></svg>"), []string{"error SVG_ELEMENT a.svg:2:3"}},
		{"script by prefix", picture(`<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script/></s:svg>`), []string{"error SVG_ELEMENT a.svg:1:46"}},
		{"script from elsewhere, once", picture(`<svg><script href="https://example.com/a.js"/></svg>`), []string{"error SVG_ELEMENT a.svg:1:7"}},
		{"foreign markup", picture(`<svg><foreignObject/></svg>`), []string{"error SVG_ELEMENT a.svg:1:7"}},
		{"handler", picture("<svg>\r\n<g id=\"😀\" onclick=\"x()\"/></svg>"), []string{"error SVG_HANDLER a.svg:2:12"}},
		{"handler in capitals", picture(`<svg onLoad = 'x()'/>`), []string{"error SVG_HANDLER a.svg:1:6"}},
		{"reference", picture(`<svg><image href="https://example.com/a.png"/></svg>`), []string{"error SVG_REFERENCE a.svg:1:19"}},
		{"neighbour", picture(`<svg xmlns:x="http://www.w3.org/1999/xlink"><use x:href="b.svg#a"/></svg>`), []string{"error SVG_REFERENCE a.svg:1:58"}},
		{"javascript in a reference", picture(`<svg><a href="&#106;avascript:x()"/></svg>`), []string{"error SVG_REFERENCE a.svg:1:15"}},
		{"SVG in a reference", picture(`<svg><image href="data:image/svg+xml,x"/></svg>`), []string{"error SVG_REFERENCE a.svg:1:19"}},
		{"fill", picture(`<svg><g fill="url(https://example.com/a)"/></svg>`), []string{"error SVG_REFERENCE a.svg:1:15"}},
		{"fill by references", picture(`<svg><g fill="u&#114;l(b.svg#a)"/></svg>`), []string{"error SVG_REFERENCE a.svg:1:15"}},
		{"style attribute", picture(`<svg><g style="fill:red;mask: URL( 'b.svg' )"/></svg>`), []string{"error SVG_REFERENCE a.svg:1:31"}},
		{"escaped style", picture(`<svg><g style="mask:\75rl(b.svg)"/></svg>`), []string{"error SVG_REFERENCE a.svg:1:16"}},
		{"imported style", picture("<svg><style>\n@import 'https://example.com/a.css';</style></svg>"), []string{"error SVG_REFERENCE a.svg:2:1"}},
		{"two in a style", picture("<svg><style>a{fill:url(a.svg)}\nb{fill:url(b.svg)}</style></svg>"), []string{"error SVG_REFERENCE a.svg:1:20", "error SVG_REFERENCE a.svg:2:8"}},
		{"style sheet", picture("<?xml-stylesheet href='a.css'?><svg/>"), []string{"error SVG_REFERENCE a.svg:1:1"}},
		{"base", picture(`<svg xml:base="https://example.com/"/>`), []string{"error SVG_REFERENCE a.svg:1:16"}},
		{"animated reference", picture(`<svg><a><set attributeName="href" to="javascript:x()"/></a></svg>`), []string{"error SVG_REFERENCE a.svg:1:29"}},
		{"entity, once", picture("<!DOCTYPE svg [<!ENTITY a 'b'>]>\n<svg><text>&a;</text></svg>"), []string{"error SVG_DOCTYPE a.svg:1:1"}},
		{"unknown entity", picture("<svg>&nbsp;</svg>"), []string{"error SVG_SYNTAX a.svg:1:12"}},
		{"HTML", picture("\n<html/>"), []string{"error SVG_SYNTAX a.svg:2:2"}},
		{"cut off", picture("<svg><g>"), []string{"error SVG_SYNTAX a.svg:1:9"}},
		{"text", picture("no picture"), []string{"error SVG_SYNTAX a.svg:1:11"}},
		{"empty", picture(""), []string{"error SVG_SYNTAX a.svg:1:1"}},
	})
}

// FuzzSVG looks for panics, and that one file gives the same findings twice.
func FuzzSVG(f *testing.F) {
	for _, seed := range []string{"<svg/>", "<svg a=''/>", "<svg><style>a{b:url(c)}", "<svg a='\\75rl(b)' onx=''>", "<?x?><!DOCTYPE a>"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		files := picture(src)
		report := run(t, files, validate.Options{})
		for _, found := range report.Findings {
			if found.Start.Offset > found.End.Offset || found.File == "a.svg" && found.End.Offset > len(src) {
				t.Errorf("%+v", found)
			}
		}
	})
}
