package httpx

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
)

// roots are the certificates that are trusted: the system's, with the files of
// SSL_CERT_FILE and NODE_EXTRA_CA_CERTS added. Go by itself lets SSL_CERT_FILE
// replace the pool on Linux, ignores it elsewhere, and does not know the other.
//
// Reading the system's pool on Linux means parsing hundreds of files, most of
// them twice, which takes longer than fetching a small package. So there is a
// part of it that is read first, and is enough for almost every server.
type roots struct {
	extra [][]byte       // the contents of the files, in PEM form
	named *x509.CertPool // of extra
	dir   bool           // SSL_CERT_DIR names folders to be read in place of the system's
}

func rootsFrom(getenv func(string) string) (*roots, error) {
	r := &roots{named: x509.NewCertPool(), dir: getenv("SSL_CERT_DIR") != ""}
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
		if !r.named.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s=%s holds no certificate in PEM form", name, file)
		}
		r.extra = append(r.extra, pem)
	}
	return r, nil
}

// all is the whole pool.
func (r *roots) all() (*x509.CertPool, error) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		return nil, fmt.Errorf("read the system's certificates: %w", err)
	}
	for _, pem := range r.extra {
		pool.AppendCertsFromPEM(pem)
	}
	return pool, nil
}

// bundles are where Linux distributions keep the system's certificates in one
// file (the list of crypto/x509, root_linux.go).
func bundles() []string {
	return []string{
		"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/pki/tls/cacert.pem",
		"/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem",
	}
}

// first is a part of the whole pool that is read quickly: the files that the
// user named, else the system's bundle. nil means that there is no such part.
func (r *roots) first() *x509.CertPool {
	if runtime.GOOS != "linux" {
		return nil // the system itself verifies there
	}
	if len(r.extra) > 0 {
		return r.named
	}
	if r.dir {
		return nil
	}
	pool := x509.NewCertPool()
	for _, file := range bundles() {
		if pem, err := os.ReadFile(file); err == nil && pool.AppendCertsFromPEM(pem) {
			return pool
		}
	}
	return nil
}
