package validate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
	"github.com/wuu-plugins/wuu/internal/npmver"
)

// checkVersion wants a strict semantic version: dependencies compare it, and
// packages are named by it.
func (c *checker) checkVersion() error {
	if c.m.Version == "" {
		for _, found := range c.found.Findings() {
			if found.Code == "MANIFEST_TYPE" && found.Path == "/version" {
				return nil // it is there, as something else
			}
		}
		f := Finding{Code: "VERSION_MISSING", Severity: diag.Warning, Message: "the plugin has no version", Hint: `add "version": "0.1.0"; packing, publishing and dependants need it`}
		if c.o.NPM {
			f.Severity = diag.Error
		}
		c.found.Add(c.m.At("/version", f))
		return nil
	}
	if _, err := npmver.Parse(c.m.Version); err != nil {
		c.found.Add(c.m.At("/version", Finding{
			Code: "VERSION_INVALID", Severity: diag.Error, Message: fmt.Sprintf("%v", err), Hint: "versions look like 1.2.3 or 1.2.3-beta.1",
		}))
	}
	return nil
}

// checkMinimum fails closed: a minimum that cannot be read is not met.
func (c *checker) checkMinimum() error {
	if c.m.MinimumWuuVersion == "" {
		return nil
	}
	field := c.m.Field("minimumWuuVersion", "minimum_wuu_version") // camel wins
	want, ok := calver(c.m.MinimumWuuVersion)
	if !ok {
		c.found.Add(c.m.At(field, Finding{
			Code: "MINIMUM_VERSION_INVALID", Severity: diag.Error,
			Message: jsonpos.Quote(c.m.MinimumWuuVersion) + " is no wuu version", Hint: "wuu versions look like 2026.1108.0",
		}))
		return nil
	}
	have, ok := calver(c.o.WuuVersion)
	if !ok || slices.Compare(have[:], want[:]) < 0 {
		c.found.Add(c.m.At(field, Finding{
			Code: "MINIMUM_VERSION", Severity: diag.Error,
			Message: fmt.Sprintf("the plugin needs wuu %s or newer; this is %s", c.m.MinimumWuuVersion, c.o.WuuVersion), Hint: "update wuu",
		}))
	}
	return nil
}

// calver reads up to three numbers, a leading v and a suffix after "-" or "+"
// aside: a development build counts as the version it is built on.
func calver(text string) ([3]int, bool) {
	var out [3]int
	text = strings.TrimPrefix(text, "v")
	if i := strings.IndexAny(text, "-+"); i >= 0 {
		text = text[:i]
	}
	parts := strings.Split(text, ".")
	if len(parts) > len(out) {
		return out, false
	}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 31)
		if err != nil || len(part) > 1 && part[0] == '0' {
			return out, false
		}
		out[i] = int(n)
	}
	return out, true
}

// checkPlatform compares the package's platforms with the one it is for.
func (c *checker) checkPlatform() error {
	if len(c.m.Platforms) == 0 || slices.Contains(c.m.Platforms, strings.ToLower(c.o.Platform)) {
		return nil
	}
	c.found.Add(c.m.At("/platforms", Finding{
		Code: "PLATFORM_MISMATCH", Severity: diag.Error,
		Message: fmt.Sprintf("the plugin does not run on %s, only on %s", c.o.Platform, strings.Join(c.m.Platforms, ", ")),
	}))
	return nil
}
