package validate

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

// maxIcon is the size of an icon, in bytes (reference/wuu-facts.md §2.8).
const maxIcon = 256 << 10

// checkIcon looks at the kind, the size and the content of an icon's file.
func (c *checker) checkIcon(ref manifest.Reference) error {
	want := pictureOf(ref.Path)
	if !slices.Contains([]string{"SVG", "PNG", "WebP"}, want) {
		c.found.Add(ref.At(Finding{
			Code: "ICON_TYPE", Severity: diag.Error, Message: fmt.Sprintf("an icon is no %s file", strings.ToLower(path.Ext(ref.Path))),
			Hint: "one of .svg, .png, .webp",
		}))
		return nil
	}
	if size := c.files[ref.Path].Size; size > maxIcon {
		c.found.Add(ref.At(Finding{
			Code: "ICON_LARGE", Severity: diag.Error,
			Message: fmt.Sprintf("the icon has %d bytes; at most %d (256 KiB) are allowed", size, maxIcon),
			Hint:    "save it smaller; 64 pixels are enough",
		}))
		return nil
	}
	content, err := c.read(ref.Path, maxIcon)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	c.checkPicture(ref, content, "ICON_CONTENT", true)
	return nil
}

// checkPicture compares content with the kind that the name promises, and looks
// through SVG, once for each file.
func (c *checker) checkPicture(ref manifest.Reference, content []byte, code string, icon bool) {
	want, got := pictureOf(ref.Path), pictureKind(content)
	switch {
	case want == "": // a foreign ending is reported where the path stands
	case want == "SVG" && got == "":
		if !c.pictures[ref.Path] {
			c.pictures[ref.Path] = true
			c.checkSVG(ref.Path, content, icon)
		}
	case got != want:
		if got == "" {
			got = "no picture"
		}
		c.found.Add(ref.At(Finding{
			Code: code, Severity: diag.Error, Message: fmt.Sprintf("by its name the file is %s, but it holds %s", want, got),
			Hint: "export it again, or give it the ending of what it holds",
		}))
	}
}
