package httpx_test

import (
	"net"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/httpx"
)

// dialing gives a request to an address whose queue of connections is full:
// the kernel leaves further ones unanswered.
func dialing(t *testing.T, cancel func()) (*httpx.Client, httpx.Request) {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(fd) })
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(name.(*syscall.SockaddrInet4).Port))
	for range 16 {
		c, err := net.DialTimeout("tcp", addr, 200*time.Millisecond)
		if err != nil {
			// The queue is full; the request that follows waits in connect.
			time.AfterFunc(50*time.Millisecond, cancel)
			return httpx.New(httpx.Options{}), onOrigin(t, "https://"+addr)
		}
		t.Cleanup(func() { c.Close() })
	}
	t.Fatal("the queue is never full")
	return nil, httpx.Request{}
}
