package httpx

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// rootsFrom is the system's pool with the files of SSL_CERT_FILE and
// NODE_EXTRA_CA_CERTS added. Go by itself lets SSL_CERT_FILE replace the pool
// on Linux, ignores it elsewhere, and does not know the other.
func rootsFrom(getenv func(string) string) (*x509.CertPool, error) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		return nil, fmt.Errorf("read the system's certificates: %w", err)
	}
	for _, name := range []string{"SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"} {
		file := getenv(name)
		if file == "" {
			continue
		}
		pem, err := os.ReadFile(file)
		if err != nil {
			var path *fs.PathError
			if errors.As(err, &path) {
				err = path.Err
			}
			return nil, fmt.Errorf("%s=%s cannot be read: %w", name, file, err)
		}
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s=%s holds no certificate in PEM form", name, file)
		}
	}
	return pool, nil
}
