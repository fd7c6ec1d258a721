package control

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"

	"github.com/wuu-plugins/wuu/internal/fault"
)

// listen opens the socket of host id in dir, which only its owner can enter.
// Another host that ends may take the empty folder away in between: then it is
// made again.
func listen(dir, id string) (net.Listener, string, error) {
	const tries = 5
	socket := filepath.Join(dir, id+".sock")
	for try := 1; ; try++ {
		if err := privateDir(dir); err != nil {
			return nil, "", err
		}
		l, err := net.Listen("unix", socket)
		if errors.Is(err, fs.ErrNotExist) && try < tries {
			continue
		}
		if err != nil {
			return nil, "", fault.New(fault.Plugin, "CONTROL_SOCKET", socket, "open the control socket: %w", err).
				WithHint("set XDG_RUNTIME_DIR to a short folder of your own")
		}
		if err := os.Chmod(socket, 0o600); err != nil {
			return nil, "", errors.Join(err, l.Close())
		}
		return l, socket, nil
	}
}

// privateDir makes dir with mode 0700, or checks that what stands there is a
// folder of this user that nobody else can enter: the place may be shared.
func privateDir(dir string) error {
	err := os.Mkdir(dir, 0o700)
	if err == nil {
		return nil
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // taken away just now: listen tries again
	}
	if err != nil {
		return err
	}
	why := ""
	switch {
	case !info.IsDir():
		why = "is no folder"
	default:
		why = foreign(info)
	}
	if why != "" {
		return fault.New(fault.Plugin, "CONTROL_SOCKET", dir, "%s", fmt.Sprintf("%s, so control sockets are not safe there", why)).
			WithHint("set XDG_RUNTIME_DIR to a folder of your own")
	}
	return nil
}
