package secret

import (
	"bytes"
	"path"
	"strings"
)

const fileHint = "leave the file out with .wuuignore; if nothing in it is secret, allow it by name: --allow SECRET_FILE:<path>"

// credentials goes by the name of a file, and then by what such a file holds.
func credentials(name string, src []byte) []Hit {
	base := strings.ToLower(path.Base(name))
	switch {
	case base == ".env", strings.HasPrefix(base, ".env."), base == ".envrc":
		return environment(base, src)
	case base == ".npmrc":
		return assignment(src, "an npm credential", "_authToken", "_auth", "_password")
	case base == ".yarnrc.yml":
		return assignment(src, "a yarn credential", "npmAuthToken", "npmAuthIdent")
	case base == ".pypirc":
		return assignment(src, "a PyPI password", "password")
	case base == ".netrc", base == "_netrc":
		return netrc(src)
	case base == ".git-credentials", base == ".pgpass", base == ".my.cnf", base == ".s3cfg", base == ".boto":
		return wholeFile(src, "a file of credentials")
	case base == ".dockercfg", base == "config.json" && strings.HasSuffix(path.Dir("/"+name), "/.docker"):
		return assignment(src, "a registry credential", `"auth"`, `"identitytoken"`)
	case base == "credentials" && strings.HasSuffix(path.Dir("/"+name), "/.aws"):
		return assignment(src, "an AWS credential", "aws_secret_access_key", "aws_session_token")
	case base == "id_rsa", base == "id_dsa", base == "id_ecdsa", base == "id_ed25519", base == "id_ed25519_sk", base == "id_ecdsa_sk":
		if bytes.Contains(src, []byte("PRIVATE KEY")) {
			return nil // the key itself is found by content
		}
		return wholeFile(src, "by its name an SSH private key")
	}
	return nil
}

func wholeFile(src []byte, what string) []Hit {
	if len(bytes.TrimSpace(src)) == 0 {
		return nil
	}
	return []Hit{{Code: File, Message: what, Hint: fileHint, End: int64(len(src))}}
}

// environment finds the first variable with a value. Templates are fine:
// their tokens would be found by content.
func environment(base string, src []byte) []Hit {
	for _, ending := range []string{".example", ".sample", ".template", ".dist", ".defaults", ".schema", ".vault"} {
		if strings.HasSuffix(base, ending) {
			return nil
		}
	}
	hits := eachLine(src, func(line []byte) (int, int, bool) {
		key, value, ok := bytes.Cut(line, []byte("="))
		name := bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(key), []byte("export ")))
		value = bytes.Trim(value, " \t\"'")
		if !ok || len(name) == 0 || name[0] == '#' || len(value) == 0 || value[0] == '$' || value[0] == '#' {
			return 0, 0, false
		}
		return len(key) + 1, len(line), true
	})
	for i := range hits[:min(len(hits), 1)] {
		hits[i].Message = "a file of environment variables with values"
	}
	return hits[:min(len(hits), 1)]
}

// assignment finds the lines in which one of the keys has a value of its own.
func assignment(src []byte, what string, keys ...string) []Hit {
	hits := eachLine(src, func(line []byte) (int, int, bool) {
		if t := bytes.TrimSpace(line); len(t) == 0 || t[0] == '#' || t[0] == ';' {
			return 0, 0, false
		}
		for _, key := range keys {
			i := bytes.Index(line, []byte(key))
			if i < 0 {
				continue
			}
			from := i + len(key)
			to := span(line, from, func(c byte) bool { return bytes.IndexByte([]byte(" \t=:\"'"), c) >= 0 })
			end := span(line, to, func(c byte) bool { return c > ' ' && c != '"' && c != '\'' && c != ',' })
			if to > from && end-to >= 6 && line[to] != '$' && !bytes.ContainsAny(line[to:end], "<{") && run(line[to:end], 0) < 4 {
				return to, end, true
			}
		}
		return 0, 0, false
	})
	for i, h := range hits {
		hits[i].Message = what + " (" + Show(src[h.Start:h.End]) + ")"
	}
	return hits
}

func netrc(src []byte) []Hit {
	hits := eachLine(src, func(line []byte) (int, int, bool) {
		i := bytes.Index(line, []byte("password "))
		if i < 0 {
			return 0, 0, false
		}
		from := span(line, i+len("password"), func(c byte) bool { return c == ' ' || c == '\t' })
		end := span(line, from, func(c byte) bool { return c > ' ' })
		return from, end, end > from
	})
	for i, h := range hits {
		hits[i].Message = "a password of .netrc (" + Show(src[h.Start:h.End]) + ")"
	}
	return hits
}

// eachLine makes hits of the parts of lines that find names.
func eachLine(src []byte, find func(line []byte) (from, to int, ok bool)) []Hit {
	var hits []Hit
	at := 0
	for line := range bytes.Lines(src) {
		trimmed := bytes.TrimRight(line, "\r\n")
		if from, to, ok := find(trimmed); ok && len(hits) < MaxHits {
			hits = append(hits, Hit{Code: File, Hint: fileHint, Start: int64(at + from), End: int64(at + to)})
		}
		at += len(line)
	}
	return hits
}
