package registrytest

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
)

// Target is a kind of request.
type Target uint8

// The kinds of request that a fault can hit.
const (
	Any         Target = iota
	Packument          // /<name>
	VersionFile        // /<name>/<version or tag>
	Tarball            // /<name>/-/<file>.tgz
	Keys               // /-/npm/v1/keys
)

// Fault is one thing that goes wrong. Make it with the functions below, narrow
// it with For and Times, and switch it on with Server.Inject.
type Fault struct {
	pkg   string
	times int // 0: until removed
	// exactly one of these decides what happens
	respond func(w http.ResponseWriter, r *http.Request) // instead of the answer
	edit    func(doc map[string]any)                     // changes one version's metadata
	wrap    func(w http.ResponseWriter, r *http.Request, closed <-chan struct{}) http.ResponseWriter
	ignore  string // a request header to drop
}

// For limits the fault to one package.
func (f Fault) For(name string) Fault { f.pkg = name; return f }

// Times limits the fault to the next n matching requests.
func (f Fault) Times(n int) Fault { f.times = n; return f }

// StatusCode answers with a status and, unless it is empty, Retry-After.
func StatusCode(code int, retryAfter string) Fault {
	return Fault{respond: func(w http.ResponseWriter, _ *http.Request) {
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_, _ = w.Write([]byte(`{"error":"injected"}`))
	}}
}

// HangUp drops the connection without an answer.
func HangUp() Fault {
	return Fault{respond: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }}
}

// RedirectTo answers 302 to a URL or path.
func RedirectTo(location string) Fault {
	return Fault{respond: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", location)
		w.WriteHeader(http.StatusFound)
	}}
}

// RedirectLoop answers 302 to the same URL.
func RedirectLoop() Fault {
	return Fault{respond: func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", r.URL.EscapedPath())
		w.WriteHeader(http.StatusFound)
	}}
}

// Body answers 200 with other bytes.
func Body(contentType string, body []byte) Fault {
	return Fault{respond: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(body)
	}}
}

// CaptivePage answers 200 with the HTML of a hotel's login page.
func CaptivePage() Fault {
	return Body("text/html; charset=utf-8", []byte("<!DOCTYPE html>\n<html><head><title>Sign in to the network</title></head><body>Welcome</body></html>\n"))
}

// Oversize answers 200 with n bytes of white space before an empty document.
func Oversize(n int) Fault {
	return Body("application/json", append([]byte(strings.Repeat(" ", n)), "{}"...))
}

// Metadata changes the metadata of every version in the answer.
func Metadata(edit func(doc map[string]any)) Fault { return Fault{edit: edit} }

func editDist(edit func(dist map[string]any)) Fault {
	return Metadata(func(doc map[string]any) {
		if dist, ok := doc["dist"].(map[string]any); ok {
			edit(dist)
		}
	})
}

// WrongIntegrity states a sha512 that the tarball does not have.
func WrongIntegrity() Fault {
	return editDist(func(dist map[string]any) {
		dist["integrity"] = "sha512-" + base64.StdEncoding.EncodeToString(make([]byte, 64))
	})
}

// NoSHA512 leaves only the old shasum.
func NoSHA512() Fault {
	return editDist(func(dist map[string]any) { delete(dist, "integrity") })
}

// TarballAt states another URL for the tarball.
func TarballAt(url string) Fault {
	return editDist(func(dist map[string]any) { dist["tarball"] = url })
}

// NoRange makes the server ignore Range, as some do.
func NoRange() Fault { return Fault{ignore: "Range"} }

// IgnoreAccept makes the server answer with full packuments, as some registries
// always do.
func IgnoreAccept() Fault { return Fault{ignore: "Accept"} }

// NotAcceptable answers 406 to who asks for npm's short form of a packument.
func NotAcceptable() Fault {
	return Fault{wrap: func(w http.ResponseWriter, r *http.Request, _ <-chan struct{}) http.ResponseWriter {
		if strings.Contains(r.Header.Get("Accept"), "vnd.npm") {
			return &statusWriter{w}
		}
		return w
	}}
}

// Header adds a header to the answer.
func Header(name, value string) Fault {
	return Fault{wrap: func(w http.ResponseWriter, _ *http.Request, _ <-chan struct{}) http.ResponseWriter {
		w.Header().Add(name, value)
		return w
	}}
}

// injected is a fault that is switched on.
type injected struct {
	Fault
	target Target
	used   int
}

// Inject switches a fault on until remove is called or its Times are used up.
// Of several faults that fit, the one injected first acts.
func (s *Server) Inject(target Target, f Fault) (remove func()) {
	in := &injected{Fault: f, target: target}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, in)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.faults = slices.DeleteFunc(s.faults, func(x *injected) bool { return x == in })
	}
}

// fault uses up and returns the first fault that fits, or nil. s.mu is held.
func (s *Server) fault(target Target, pkg string) *Fault {
	for _, in := range s.faults {
		fits := (in.target == Any || in.target == target) && (in.pkg == "" || in.pkg == pkg)
		if !fits || in.times > 0 && in.used >= in.times {
			continue
		}
		in.used++
		return &in.Fault
	}
	return nil
}
