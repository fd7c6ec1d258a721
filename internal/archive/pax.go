package archive

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// maxExtension bounds the body of one PAX or GNU extension header, in bytes.
const maxExtension = 64 << 10

// paxRecords are the records that change an entry; vendor keys are dropped.
type paxRecords struct {
	path    string
	hasPath bool
	size    int64
	hasSize bool
	sparse  bool
}

// parsePAX reads the body of an extended header strictly: every parser must
// find the same records in it.
func parsePAX(body []byte, global bool) (paxRecords, error) {
	var rec paxRecords
	for len(body) > 0 {
		key, value, rest, err := paxRecord(body)
		if err != nil {
			return rec, err
		}
		body = rest
		switch {
		case global && (key == "path" || key == "linkpath" || key == "size"):
			return rec, fmt.Errorf("a global header sets %q for every entry", key)
		case key == "path":
			if rec.hasPath || value == "" {
				return rec, fmt.Errorf("the record %q stands there twice or is empty", key)
			}
			rec.path, rec.hasPath = value, true
		case key == "size":
			n, err := strconv.ParseUint(value, 10, 62)
			if rec.hasSize || err != nil || value[0] == '+' {
				return rec, fmt.Errorf("the record %q stands there twice or is not a number", key)
			}
			rec.size, rec.hasSize = int64(n), true
		case strings.HasPrefix(key, "GNU.sparse."), key == "SCHILY.realsize":
			rec.sparse = true
		case strings.HasPrefix(key, "GNU.volume."):
			return rec, fmt.Errorf("the record %q is about an archive of several volumes", key)
		}
	}
	return rec, nil
}

// paxRecord cuts "length key=value\n" off body; length counts all of it.
func paxRecord(body []byte) (key, value string, rest []byte, err error) {
	space := bytes.IndexByte(body, ' ')
	if space <= 0 || space > 6 || body[0] < '1' || body[0] > '9' {
		return "", "", nil, fmt.Errorf("a record has no length")
	}
	n, err := strconv.ParseUint(string(body[:space]), 10, 31)
	if err != nil || int64(n) > int64(len(body)) || int(n) <= space+1 || body[n-1] != '\n' {
		return "", "", nil, fmt.Errorf("the length of a record is wrong")
	}
	key, value, found := strings.Cut(string(body[space+1:n-1]), "=")
	if !found || key == "" {
		return "", "", nil, fmt.Errorf("a record has no key")
	}
	if hidesRecord(string(body[space+1 : n-1])) {
		return "", "", nil, fmt.Errorf("a record holds a line that is a record to readers that go line by line")
	}
	return key, value, body[n:], nil
}

// hidesRecord reports a line, after the first, that starts with a number and
// has a key. Values may hold lines (extended attributes do), but node-tar
// splits a header into lines and takes each for a record.
func hidesRecord(record string) bool {
	_, rest, more := strings.Cut(record, "\n")
	for more {
		var line string
		line, rest, more = strings.Cut(rest, "\n")
		line = strings.TrimLeftFunc(line, func(r rune) bool { return unicode.IsSpace(r) || r == '+' || r == '\ufeff' })
		if line != "" && line[0] >= '0' && line[0] <= '9' && strings.Contains(line, "=") {
			return true
		}
	}
	return false
}

// longName reads the body of a GNU long name header.
func longName(body []byte) (string, error) {
	name := cString(body)
	if name == "" || !allZero(body[len(name):]) {
		return "", fmt.Errorf("the long name is empty or holds a NUL")
	}
	return name, nil
}
