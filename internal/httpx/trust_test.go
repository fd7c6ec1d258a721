package httpx_test

import (
	"encoding/pem"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/wuu-plugins/wuu/internal/httpx"
	"github.com/wuu-plugins/wuu/internal/origin"
	"github.com/wuu-plugins/wuu/registry/registrytest"
)

const trustURL = "WUU_TEST_TRUST_URL"

// A server that only the system's pool knows is trusted also when the user has
// named a file with other certificates, which is tried first. The system's pool
// is read once in a process, so the client is one of its own.
func TestSystemPoolBehindNamedFile(t *testing.T) {
	if url := os.Getenv(trustURL); url != "" {
		within, err := origin.Parse(url, false)
		if err != nil {
			t.Fatal(err)
		}
		client := httpx.New(httpx.Options{Getenv: os.Getenv})
		defer client.CloseIdleConnections()
		for range 2 {
			if body, err := client.Get(t.Context(), httpx.Request{URL: url + "/", Within: within, Limit: 10}); err != nil || string(body) != "ok" {
				t.Fatalf("%q, %v", body, err)
			}
		}
		return
	}
	if runtime.GOOS != "linux" {
		t.Skip("skipped: only Linux reads its pool from files")
	}
	x := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { io.WriteString(w, "ok") })
	other, err := registrytest.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	system := t.TempDir()
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: x.Certificate().Raw})
	if err := os.WriteFile(filepath.Join(system, "ca.pem"), cert, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), trustURL+"="+x.URL, "SSL_CERT_DIR="+system, "NODE_EXTRA_CA_CERTS="+other.CAFile(), "SSL_CERT_FILE=", "HTTPS_PROXY=", "https_proxy=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
