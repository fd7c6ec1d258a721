package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/term"
)

// reported is an error whose explanation is already on the streams: it only
// decides the exit code.
type reported struct{ err *fault.Error }

func (r reported) Error() string { return r.err.Error() }

// Unwrap lets fault.As find the error.
func (r reported) Unwrap() error { return r.err }

// checkFailed ends a command whose result was printed and is bad.
func checkFailed(kind fault.Kind, code string) error {
	return reported{&fault.Error{Kind: kind, Code: code, Err: errors.New("what was checked is bad")}}
}

// emit prints a command's result: doc as the one JSON document under --json
// ("schema": 1 added), else what text writes.
func (a *App) emit(doc any, text func(w io.Writer, s term.Style)) error {
	a.IO.Status().Clear()
	if a.json {
		return a.writeJSON(a.IO.Out, doc)
	}
	if text != nil {
		text(a.IO.Out, a.IO.OutStyle())
	}
	return nil
}

func (a *App) writeJSON(w io.Writer, doc any) error {
	body, err := marshalSchema(doc)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, body, "", "  "); err != nil {
		return err
	}
	out.WriteByte('\n')
	_, err = out.WriteTo(w)
	return err
}

// marshalSchema encodes an object with "schema": 1 as its first member.
func marshalSchema(doc any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(doc); err != nil {
		return nil, err
	}
	body := bytes.TrimSpace(buf.Bytes())
	if !bytes.HasPrefix(body, []byte("{")) {
		return nil, fmt.Errorf("a JSON result must be an object, have %.20s", body)
	}
	if bytes.Equal(body, []byte("{}")) {
		return []byte(`{"schema":1}`), nil
	}
	return append([]byte(`{"schema":1,`), body[1:]...), nil
}

type errorDoc struct {
	Error errorBody `json:"error"`
}

type errorBody struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	Details any    `json:"details,omitempty"`
}

// fail prints an error the way the flags ask for and returns it unchanged.
func (a *App) fail(err error) error {
	var done reported
	if err == nil || errors.As(err, &done) {
		return err
	}
	a.IO.Status().Clear()
	e := fault.As(err)
	message := err.Error()
	if a.json {
		if werr := a.writeJSON(a.IO.Out, errorDoc{errorBody{e.Code, message, e.Hint, e.Details}}); werr != nil {
			return errors.Join(err, werr)
		}
		return err
	}
	s := a.IO.ErrStyle()
	if details, ok := e.Details.(findingDetails); ok {
		a.writeFindings(a.IO.Err, s, details.Findings, details.source)
		message = e.Subject + map[bool]string{true: " is refused", false: " is not valid"}[e.Kind == fault.Refused]
	}
	fmt.Fprintf(a.IO.Err, "%s %s\n", s.Red("error:"), term.CleanLines(message))
	if e.Hint != "" {
		fmt.Fprintf(a.IO.Err, "%s %s\n", s.Cyan("hint:"), term.CleanLines(e.Hint))
	}
	if e.Kind == fault.Defect {
		fmt.Fprintln(a.IO.Err, "this is a defect in wuu: please report it with the command you typed")
	}
	return err
}

// findingDetails are the details of an error that findings explain.
type findingDetails struct {
	Findings []diag.Finding `json:"findings"`
	source   func(file string) []byte
}

// warn writes one warning line to stderr, unless -q.
func (a *App) warn(format string, args ...any) {
	if !a.quiet {
		a.IO.Status().Clear()
		fmt.Fprintf(a.IO.Err, "%s %s\n", a.IO.ErrStyle().Yellow("warning:"), term.CleanLines(fmt.Sprintf(format, args...)))
	}
}

// note writes one line to stderr, unless -q or --json.
func (a *App) note(format string, args ...any) {
	if !a.quiet && !a.json {
		a.IO.Status().Clear()
		fmt.Fprintln(a.IO.Err, term.CleanLines(fmt.Sprintf(format, args...)))
	}
}

// rel shows a path relative to the working directory where that is shorter.
func (a *App) rel(path string) string {
	r, err := filepath.Rel(a.Dir, path)
	if err != nil || len(r) >= len(path) || strings.HasPrefix(r, ".."+string(filepath.Separator)+"..") {
		return path
	}
	return r
}
