package validate_test

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/validate"
)

// skin is a package with one skin that uses a picture.
func skin(picture, content string) tree {
	scheme := `{"background": "#111111", "foreground": "#eeeeee"`
	return tree{
		"plugin.json": fmt.Sprintf(`{"id": "a", "version": "1.0.0", "contributes": {"skins": [{"id": "s", "name": "S", "light": %s, "image": %q}, "dark": %s}}]}}`, scheme, picture, scheme),
		picture:       content,
	}
}

func TestSkinImages(t *testing.T) {
	var dotPNG, dotJPEG bytes.Buffer
	if err := png.Encode(&dotPNG, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	if err := jpeg.Encode(&dotJPEG, image.NewGray(image.Rect(0, 0, 1, 1)), nil); err != nil {
		t.Fatal(err)
	}
	webp := "RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"
	svg := `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`
	full := dotPNG.String() + strings.Repeat("\x00", 8<<20-dotPNG.Len())
	again := " → export it again, or give it the ending of what it holds"
	for _, c := range []struct {
		name, path, content string
		want                []string
	}{
		{"PNG", "a.png", dotPNG.String(), nil},
		{"JPEG", "pictures/A.JPG", dotJPEG.String(), nil},
		{"WebP", "a.webp", webp, nil},
		{"SVG", "a.svg", svg, nil},
		{"JPEG named PNG", "a.png", dotJPEG.String(), []string{`error plugin.json SKIN_IMAGE_CONTENT «"a.png"» by its name the file is PNG, but it holds JPEG` + again}},
		{"PNG named JPEG", "a.jpeg", dotPNG.String(), []string{`error plugin.json SKIN_IMAGE_CONTENT «"a.jpeg"» by its name the file is JPEG, but it holds PNG` + again}},
		{"PNG named SVG", "a.svg", dotPNG.String(), []string{`error plugin.json SKIN_IMAGE_CONTENT «"a.svg"» by its name the file is SVG, but it holds PNG` + again}},
		{"sound named WebP", "a.webp", "RIFF\x1a\x00\x00\x00WAVEfmt ", []string{`error plugin.json SKIN_IMAGE_CONTENT «"a.webp"» by its name the file is WebP, but it holds no picture` + again}},
		{"empty", "a.png", "", []string{`error plugin.json SKIN_IMAGE_CONTENT «"a.png"» by its name the file is PNG, but it holds no picture` + again}},
		{"foreign ending, once", "a.gif", "GIF89a", []string{`error plugin.json SKIN_IMAGE_TYPE «"a.gif"» contributes.skins[0].light.image is no PNG, JPEG, WebP or SVG file → one of .png, .jpg, .jpeg, .webp, .svg`}},
		{"8 MiB", "a.png", full, nil},
		{"a byte more", "a.png", full + "\x00", []string{`error plugin.json SKIN_IMAGE_LARGE «"a.png"» the picture has 8388609 bytes; at most 8388608 (8 MiB) are allowed → save it smaller; a window needs no more than a few megapixels`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := skin(c.path, c.content)
			report := run(t, files, validate.Options{})
			if d := cmp.Diff(c.want, lines(files, report.Findings)); d != "" {
				t.Error(d)
			}
		})
	}
	files := skin("a.png", dotPNG.String())
	delete(files, "a.png")
	want := []string{`error plugin.json SKIN_IMAGE_MISSING «"a.png"» the skin image a.png is not in the package`}
	if d := cmp.Diff(want, lines(files, run(t, files, validate.Options{}).Findings)); d != "" {
		t.Error(d)
	}
}
