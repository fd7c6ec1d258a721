package validate

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

// maxSkinImage is the size of a skin's picture, in bytes.
const maxSkinImage = 8 << 20

// checkSkinImage looks at the size of a picture, and whether it is what its
// name says.
func (c *checker) checkSkinImage(ref manifest.Reference) error {
	if size := c.files[ref.Path].Size; size > maxSkinImage {
		c.found.Add(ref.At(Finding{
			Code: "SKIN_IMAGE_LARGE", Severity: diag.Error,
			Message: fmt.Sprintf("the picture has %d bytes; at most %d (8 MiB) are allowed", size, maxSkinImage),
			Hint:    "save it smaller; a window needs no more than a few megapixels",
		}))
		return nil
	}
	content, err := c.read(ref.Path, maxSkinImage)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	c.checkPicture(ref, content, "SKIN_IMAGE_CONTENT", false)
	return nil
}

// pictureOf returns the kind of picture that a path promises, "" for others.
func pictureOf(name string) string {
	return map[string]string{".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".webp": "WebP", ".svg": "SVG"}[strings.ToLower(path.Ext(name))]
}

// pictureKind recognises a bitmap by its first bytes.
func pictureKind(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		return "PNG"
	case bytes.HasPrefix(b, []byte{0xff, 0xd8, 0xff}):
		return "JPEG"
	case len(b) >= 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP":
		return "WebP"
	}
	return ""
}
