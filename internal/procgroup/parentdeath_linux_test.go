package procgroup_test

import (
	"bufio"
	"io"
	"os/exec"
	"testing"
)

// TestDeathOfTheHostEndsTheLeader kills a host outright: the end of the stream
// that its leader holds shows that the leader went with it.
func TestDeathOfTheHostEndsTheLeader(t *testing.T) {
	argv, env := role("host")
	host := exec.Command(argv[0])
	host.Env = env
	stdout, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	stream := bufio.NewReader(stdout)
	if _, err := stream.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := host.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, stream); err != nil {
		t.Error(err)
	}
	if err := host.Wait(); err == nil {
		t.Error("the host was not killed")
	}
}
