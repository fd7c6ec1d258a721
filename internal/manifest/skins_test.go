package manifest_test

import (
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

const plainScheme = `{"background": "#111111", "foreground": "#eeeeee"}`

// skinned is a manifest with one skin, of which body is the inside.
func skinned(body string) string {
	return "{\n\t\"id\": \"a\", \"minimumWuuVersion\": \"2026.1.0\", \"contributes\": { \"skins\": [\n  {\"id\": \"s\", \"name\": \"🌊\", " + body + "} ] } }"
}

// schemed has the fields of body in the light scheme of a skin on the canvas.
func schemed(body string) string {
	return skinned(`"placement": "canvas", "light": {"background": "#111111", "foreground": "#eeeeee", ` + body + `}, "dark": ` + plainScheme)
}

func TestSkinRules(t *testing.T) {
	both := `"light": ` + plainScheme + `, "dark": ` + plainScheme
	light := "contributes.skins[0].light."
	checkRules(t, []rule{
		{"not a list", `{"id": "a", "contributes": {"skins": «{}»}}`, diag.Error, "MANIFEST_TYPE", "contributes.skins must be an array, not an object", ""},
		{"not an object", `{"id": "a", "contributes": {"skins": [«"ocean"»]}}`, diag.Error, "MANIFEST_TYPE", "contributes.skins[0] must be an object, not a string", ""},
		{"bad id", `{"id": "a", "contributes": {"skins": [{"id": «"Ocean Blue"», "name": "O", ` + both + `}]}}`, diag.Error, "CONTRIBUTION_ID", `"Ocean Blue" is no contribution id`, "use 1 to 64 of a-z, 0-9, _ and -"},
		{"no id", `{"id": "a", "contributes": {"skins": [«{»"name": "O", ` + both + `}]}}`, diag.Error, "MANIFEST_REQUIRED", `"id" is missing in contributes.skins[0]`, ""},
		{"same id", `{"id": "a", "contributes": {"skins": [{"id": "o", "name": "O", ` + both + `}, {"id": «"o"», "name": "P", ` + both + `}]}}`, diag.Error, "CONTRIBUTION_DUPLICATE", `the id "o" is used twice`, ""},
		{"blank name", `{"id": "a", "contributes": {"skins": [{"id": "o", "name": «" "», ` + both + `}]}}`, diag.Error, "MANIFEST_REQUIRED", "contributes.skins[0].name is empty", ""},
		{"unknown field", skinned(both + `, «"user_image"»: true`), diag.Error, "MANIFEST_UNKNOWN_FIELD", `unknown field "user_image"`, `did you mean "userImage"?`},
		{"placement", skinned(both + `, "placement": «"window"»`), diag.Error, "MANIFEST_VALUE", `contributes.skins[0].placement cannot be "window"`, "one of frame, canvas"},
		{"placement misspelt", skinned(both + `, "placement": «"canvs"»`), diag.Error, "MANIFEST_VALUE", `contributes.skins[0].placement cannot be "canvs"`, `did you mean "canvas"?`},
		{"user image", skinned(both + `, "userImage": «"true"»`), diag.Error, "MANIFEST_TYPE", "contributes.skins[0].userImage must be a boolean, not a string", "write true without quotes"},
		{"no dark", `{"id": "a", "contributes": {"skins": [«{»"id": "s", "name": "S", "light": ` + plainScheme + `}]}}`, diag.Error, "MANIFEST_REQUIRED", `"dark" is missing in contributes.skins[0]`, "a skin has a light and a dark scheme"},
		{"scheme as text", skinned(`"dark": ` + plainScheme + `, "light": «"#111111"»`), diag.Error, "MANIFEST_TYPE", "contributes.skins[0].light must be an object, not a string", ""},
		{"no background", skinned(`"dark": ` + plainScheme + `, "light": «{»"foreground": "#eeeeee"}`), diag.Error, "MANIFEST_REQUIRED", `"background" is missing in contributes.skins[0].light`, "an opaque colour, for example #234b60"},
		{"no foreground", skinned(`"light": ` + plainScheme + `, "dark": «{»"background": "#eeeeee"}`), diag.Error, "MANIFEST_REQUIRED", `"foreground" is missing in contributes.skins[0].dark`, "an opaque colour, for example #234b60"},
		{"unknown in a scheme", schemed(`«"accent"»: "#111111"`), diag.Error, "MANIFEST_UNKNOWN_FIELD", `unknown field "accent"`, "one of background, foreground, image, overlay, hover, active, position, veil, dots"},
		{"named colour", schemed(`"hover": «"navy"»`), diag.Error, "SKIN_COLOR", light + `hover must be #RRGGBB or #RRGGBBAA, not "navy"`, "for example #234b60"},
		{"number for a colour", schemed(`"active": «112233»`), diag.Error, "MANIFEST_TYPE", light + "active must be a string, not a number", `write "112233"`},
		{"no hash", schemed(`"overlay": «"061725"»`), diag.Error, "SKIN_COLOR", light + `overlay must be #RRGGBB or #RRGGBBAA, not "061725"`, "write #061725"},
		{"short with alpha", schemed(`"overlay": «"#0168"»`), diag.Error, "SKIN_COLOR", light + `overlay must be #RRGGBB or #RRGGBBAA, not "#0168"`, "write #00116688"},
		{"short", skinned(`"dark": ` + plainScheme + `, "light": {"background": «"#abc"», "foreground": "#eeeeee"}`), diag.Error, "SKIN_COLOR", light + `background must be #RRGGBB, not "#abc"`, "write #aabbcc"},
		{"full alpha", skinned(`"dark": ` + plainScheme + `, "light": {"background": «"#112233FF"», "foreground": "#eeeeee"}`), diag.Error, "SKIN_COLOR", light + `background must be #RRGGBB, not "#112233FF"`, "write #112233"},
		{"shows through", skinned(`"dark": ` + plainScheme + `, "light": {"background": «"#11223380"», "foreground": "#eeeeee"}`), diag.Error, "SKIN_COLOR", light + `background must be #RRGGBB, not "#11223380"`, "for example #234b60"},
		{"empty colour", schemed(`"hover": «""»`), diag.Error, "SKIN_COLOR", light + `hover must be #RRGGBB or #RRGGBBAA, not ""`, "for example #234b60"},
		{"position", schemed(`"position": «"centre"»`), diag.Error, "MANIFEST_VALUE", light + `position cannot be "centre"`, `did you mean "center"?`},
		{"image outside", schemed(`"image": «"../ocean.svg"»`), diag.Error, "PATH_TRAVERSAL", light + "image is no path inside the package: it leads out of the package", "paths are relative to the package root; put the file into the package"},
		{"image on the web", schemed(`"image": «"https://example.com/x.png"»`), diag.Error, "PATH_CHARACTER", light + "image is no path inside the package: …", ""},
		{"image kind", schemed(`"image": «"ocean.gif"»`), diag.Error, "SKIN_IMAGE_TYPE", light + "image is no PNG, JPEG, WebP or SVG file", "one of .png, .jpg, .jpeg, .webp, .svg"},
		{"veil above", schemed(`"veil": «1.01»`), diag.Error, "SKIN_VALUE", light + "veil must be from 0 to 1, not 1.01", "0 shows the picture, 1 hides it; 0.86 when absent"},
		{"veil below", schemed(`"veil": «-0.1»`), diag.Error, "SKIN_VALUE", light + "veil must be from 0 to 1, not -0.1", "0 shows the picture, 1 hides it; 0.86 when absent"},
		{"veil as text", schemed(`"veil": «"0.5"»`), diag.Error, "MANIFEST_TYPE", light + "veil must be a number, not a string", "write 0.5 without quotes"},
		{"endless veil", schemed(`"veil": «1e999»`), diag.Error, "MANIFEST_VALUE", light + "veil is no finite number", ""},
		{"dots as a flag", schemed(`"dots": «true»`), diag.Error, "MANIFEST_TYPE", light + "dots must be an object, not a boolean", ""},
		{"no pitch", schemed(`"dots": «{»"size": 3}`), diag.Error, "MANIFEST_REQUIRED", `"pitch" is missing in contributes.skins[0].light.dots`, `for example {"pitch": 4, "size": 3}`},
		{"no size", schemed(`"dots": «{»"pitch": 3}`), diag.Error, "MANIFEST_REQUIRED", `"size" is missing in contributes.skins[0].light.dots`, `for example {"pitch": 4, "size": 3}`},
		{"small pitch", schemed(`"dots": {"pitch": «1.9», "size": 3}`), diag.Error, "SKIN_VALUE", light + "dots.pitch must be from 2 to 32, not 1.9", ""},
		{"large pitch", schemed(`"dots": {"pitch": «33», "size": 3}`), diag.Error, "SKIN_VALUE", light + "dots.pitch must be from 2 to 32, not 33", ""},
		{"small dot", schemed(`"dots": {"pitch": 4, "size": «0.4»}`), diag.Error, "SKIN_VALUE", light + "dots.size must be 0.5 or more, not 0.4", ""},
		{"large dot", schemed(`"dots": {"pitch": 4, "size": «4.5»}`), diag.Error, "SKIN_VALUE", light + "dots.size must not exceed the pitch of 4, not 4.5", "a dot fits into its cell"},
		{"shape", schemed(`"dots": {"pitch": 4, "size": 3, "shape": «"circle"»}`), diag.Error, "MANIFEST_VALUE", light + `dots.shape cannot be "circle"`, "one of round, square"},
		{"unknown in dots", schemed(`"dots": {"pitch": 4, "size": 3, «"form"»: "round"}`), diag.Error, "MANIFEST_UNKNOWN_FIELD", `unknown field "form"`, "one of pitch, size, shape"},
		{"veil in the frame", skinned(`"dark": ` + plainScheme + `, "light": {"background": "#111111", "foreground": "#eeeeee", «"veil"»: 0.5}`), diag.Error, "SKIN_PLACEMENT", light + "veil needs a skin whose placement is canvas", `set "placement": "canvas" in the skin, or remove veil`},
		{"dots in the frame", skinned(`"placement": "frame", "light": ` + plainScheme + `, "dark": {"background": "#111111", "foreground": "#eeeeee", «"dots"»: {"pitch": 4, "size": 3}}`), diag.Error, "SKIN_PLACEMENT", "contributes.skins[0].dark.dots needs a skin whose placement is canvas", `set "placement": "canvas" in the skin, or remove dots`},
		{"older hosts", `{"id": "a", "contributes": {"skins": [{"id": "s", "name": "S", ` + both + `, «"placement"»: "frame", "userImage": true}]}}`, diag.Warning, "SKIN_MINIMUM_VERSION", "hosts that do not know placement refuse to install the package", `declare "minimum_wuu_version", so that they say what they need`},
	})
}

func TestGoodSkins(t *testing.T) {
	for _, body := range []string{
		`"veil": 0, "dots": {"pitch": 2, "size": 2}`, `"veil": 1, "dots": {"pitch": 32, "size": 0.5, "shape": "square"}`, `"overlay": "#06172555", "hover": "#ABCDEF", "active": "#abcdef00"`,
		`"position": "left", "image": "a/B.JPEG"`, `"image": "x.webp"`,
	} {
		parse(t, schemed(body))
	}
	parse(t, `{"id": "a", "contributes": {"skins": [{"id": "s", "name": "S", "light": `+plainScheme+`, "dark": `+plainScheme+`}]}}`)
}

// A fault of the placement does not make faults of what depends on it.
func TestSkinsDoNotCascade(t *testing.T) {
	for _, src := range []string{
		skinned(`"placement": «"canvs"», "light": {"background": "#111111", "foreground": "#eeeeee", "veil": 0.5}, "dark": ` + plainScheme),
		skinned(`«"placment"»: "canvas", "light": {"background": "#111111", "foreground": "#eeeeee", "veil": 0.5}, "dark": ` + plainScheme),
		schemed(`"dots": {"pitch": «64», "size": 3}`), schemed(`"dots": {"pitch": «"4"», "size": 32}`),
	} {
		plain, start, _ := marked(t, src)
		if _, found := manifest.Parse("plugin.json", []byte(plain)); len(found) != 1 || found[0].Start.Offset != start {
			t.Errorf("%s: %v", src, found)
		}
	}
}

func TestColorsAreRepaired(t *testing.T) {
	for from, to := range map[string]string{`"#abc"`: `"#aabbcc"`, `"234b60"`: `"#234b60"`, `"#234b60ff"`: `"#234b60"`, `"#234b6080"`: "", `"#ab"`: "", `"red"`: ""} {
		src := skinned(`"dark": ` + plainScheme + `, "light": {"background": ` + from + `, "foreground": "#eeeeee"}`)
		_, found := manifest.Parse("plugin.json", []byte(src))
		if len(found) != 1 {
			t.Fatal(found)
		}
		if to == "" {
			if found[0].Fix != nil {
				t.Errorf("%s is repaired: %v", from, found[0].Fix)
			}
			continue
		}
		if len(found[0].Fix) != 1 {
			t.Fatalf("%s is not repaired", from)
		}
		e := found[0].Fix[0]
		fixed := src[:e.Start] + e.Text + src[e.End:]
		if !strings.Contains(fixed, `"background": `+to) {
			t.Errorf("%s becomes %s", from, fixed)
		}
		parse(t, fixed)
	}
}
