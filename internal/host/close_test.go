package host_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/wuu-plugins/wuu/internal/host"
)

// endings collects how the processes of a host ended.
type endings struct {
	mu   sync.Mutex
	errs []error
}

func (e *endings) ended(_ string, err error, _ bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.errs = append(e.errs, err)
}

// TestCloseEndsPluginsTogether: two plugins that need each other's shutdown to
// answer their own can only end well at the same time.
func TestCloseEndsPluginsTogether(t *testing.T) {
	dir := t.TempDir()
	var e endings
	f := newHost(t, func(o *host.Options) { o.Ended = e.ended })
	f.start(t,
		kitPackage(t, "a", map[string]string{"KIT_WORD": "a", "KIT_MEET": "b", "KIT_DIR": dir}, nil),
		kitPackage(t, "b", map[string]string{"KIT_WORD": "b", "KIT_MEET": "a", "KIT_DIR": dir}, nil))
	if err := f.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(e.errs) != 2 || e.errs[0] != nil || e.errs[1] != nil {
		t.Errorf("endings %v", e.errs)
	}
}

// TestCloseEndsConsumersFirst: the provider hears of the end after its
// consumer's.
func TestCloseEndsConsumersFirst(t *testing.T) {
	f := newHost(t)
	f.start(t,
		kitPackage(t, "provider", map[string]string{"KIT_WORD": "provider"}, nil),
		kitPackage(t, "consumer", map[string]string{"KIT_WORD": "consumer"}, map[string]any{"requires": []string{"provider"}}))
	if err := f.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	log := f.log.text()
	first, second := strings.Index(log, "goodbye from consumer"), strings.Index(log, "goodbye from provider")
	if first < 0 || second < first {
		t.Errorf("the order of the ends:\n%s", log)
	}
}

// TestEndOfPatience: a plugin that does not answer shutdown is killed, not
// waited for, once Hard has ended.
func TestEndOfPatience(t *testing.T) {
	hard, kill := context.WithCancel(t.Context())
	var e endings
	f := newHost(t, func(o *host.Options) { o.Ended, o.Hard = e.ended, hard })
	f.start(t, kitPackage(t, "a", map[string]string{"KIT_MEET": "nobody", "KIT_DIR": t.TempDir()}, nil))
	kill()
	if err := f.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(e.errs) != 1 || e.errs[0] == nil || !strings.Contains(e.errs[0].Error(), "the host could wait no longer") {
		t.Errorf("endings %v", e.errs)
	}
}
