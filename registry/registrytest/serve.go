package registrytest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Request is one logged request.
type Request struct {
	Method string
	Path   string // as it was sent, with escapes
	Query  string
	Header http.Header
	Target Target
}

// Requests returns all requests so far, oldest first.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// ResetRequests empties the log.
func (s *Server) ResetRequests() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = nil
}

// route is what a path asks for.
type route struct {
	target Target
	pkg    string
	rest   string // version, tag or file name
}

// parsePath understands /name, /@scope/name, /@scope%2fname, each with
// /<version> or /-/<file> behind it.
func parsePath(escaped string) (route, bool) {
	decoded, err := url.PathUnescape(strings.TrimPrefix(escaped, "/"))
	if err != nil || decoded == "" {
		return route{}, false
	}
	if decoded == "-/npm/v1/keys" {
		return route{target: Keys}, true
	}
	parts := strings.Split(decoded, "/")
	name := parts[0]
	if strings.HasPrefix(name, "@") && len(parts) > 1 {
		name += "/" + parts[1]
		parts = parts[1:]
	}
	switch {
	case len(parts) == 1:
		return route{Packument, name, ""}, true
	case len(parts) == 2:
		return route{VersionFile, name, parts[1]}, true
	case len(parts) == 3 && parts[1] == "-":
		return route{Tarball, name, parts[2]}, true
	}
	return route{}, false
}

func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	to, ok := parsePath(r.URL.EscapedPath())
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		return
	}
	s.active.Add(1)
	defer s.active.Done()
	s.requests = append(s.requests, Request{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, r.Header.Clone(), to.target})
	f := s.fault(to.target, to.pkg)
	s.mu.Unlock()
	if f != nil && f.respond != nil {
		f.respond(w, r)
		return
	}
	switch {
	case r.URL.Path == "/-/ping":
		writeJSON(w, map[string]any{})
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		fail(w, http.StatusMethodNotAllowed, "this registry is read-only")
		return
	case !ok:
		fail(w, http.StatusNotFound, "not found")
		return
	}
	var edit func(map[string]any)
	if f != nil {
		edit = f.edit
		if f.ignore != "" {
			r.Header.Del(f.ignore)
		}
		if f.wrap != nil {
			w = f.wrap(w, r, s.closed)
		}
	}
	s.answer(w, r, to, edit)
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, to route, edit func(map[string]any)) {
	if edit == nil {
		edit = func(map[string]any) {}
	}
	s.mu.Lock()
	p := s.packages[to.pkg]
	var doc map[string]any
	var found *release
	abbreviated := strings.Contains(r.Header.Get("Accept"), "application/vnd.npm.install-v1+json")
	switch {
	case to.target == Keys:
		doc = s.keysDocument()
	case p == nil:
	case to.target == Packument:
		doc = p.document(abbreviated)
		for _, v := range doc["versions"].(map[string]any) {
			edit(v.(map[string]any))
		}
	case to.target == VersionFile:
		version := to.rest
		if tagged, ok := p.tags[version]; ok {
			version = tagged
		}
		if found = p.find(version); found != nil {
			doc = found.document(false)
			edit(doc)
		}
	case to.target == Tarball:
		i := slices.IndexFunc(p.versions, func(r *release) bool { return strings.HasSuffix(r.Tarball, "/-/"+to.rest) })
		if i >= 0 {
			found = p.versions[i]
		}
	}
	s.mu.Unlock()
	switch {
	case doc != nil:
		if to.target == Packument && abbreviated {
			w.Header().Set("Content-Type", "application/vnd.npm.install-v1+json")
		}
		writeJSON(w, doc)
	case found != nil:
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("ETag", `"`+found.Shasum+`"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(found.blob))
	case p != nil && to.target == VersionFile:
		fail(w, http.StatusNotFound, "version not found: "+to.rest)
	default:
		fail(w, http.StatusNotFound, "not found")
	}
}

func writeJSON(w http.ResponseWriter, doc any) {
	body, err := json.Marshal(doc)
	if err != nil {
		fail(w, http.StatusInternalServerError, err.Error())
		return
	}
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json")
	}
	http.ServeContent(w, &http.Request{Method: http.MethodGet}, "", time.Time{}, bytes.NewReader(body))
}

func fail(w http.ResponseWriter, status int, message string) {
	body, err := json.Marshal(map[string]string{"error": message})
	if err != nil {
		body = []byte("{}")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
