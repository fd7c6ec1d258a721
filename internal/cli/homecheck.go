package cli

import (
	"errors"
	"io/fs"
	"os"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/paths"
)

// checkHome refuses what can never be a home, before anything below it fails
// with an error that does not say so. A missing home is fine: it is made when
// it is needed.
func checkHome(home paths.Home) error {
	dir := home.Dir()
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		link, lerr := os.Lstat(dir)
		if lerr != nil || link.Mode()&fs.ModeSymlink == 0 {
			return nil
		}
		err = fsx.ErrDangling
	}
	var path *fs.PathError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case err == nil && !info.IsDir():
		err = fsx.ErrNotFolder
	}
	if err == nil {
		return nil
	}
	return fault.New(fault.Usage, "HOME_UNUSABLE", dir, "the wuu home cannot be used: %w", err).
		WithHint("give another folder with WUU_HOME or --home DIR, or put the link or file there right")
}
