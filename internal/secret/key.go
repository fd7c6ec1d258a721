package secret

import (
	"bytes"
	"strings"
)

// keyText is how much of a key's text must look like one: a line of base64.
const keyText = 40

// pemKey finds private keys in PEM armour (RFC 7468, OpenPGP, OpenSSH) and in
// the one of ssh.com, also with the line ends of a JSON or JavaScript string.
// The first line alone is no key: parsers of keys hold it.
func pemKey(data []byte, at int, _ bool) (match, bool) {
	start, from := at, at+len("BEGIN ")
	if start > 0 && data[start-1] == ' ' {
		start--
	}
	dashes := 0
	for start > 0 && data[start-1] == '-' && dashes < 5 {
		start--
		dashes++
	}
	if dashes < 4 {
		return match{}, false
	}
	labelEnd := span(data, from, func(c byte) bool { return isUpperDigit(c) || c == ' ' })
	label := strings.TrimSpace(string(data[from:labelEnd]))
	if len(label) > 60 || !strings.Contains(label, "PRIVATE KEY") {
		return match{}, false
	}
	end := len(data)
	if i := bytes.Index(data[labelEnd:min(len(data), labelEnd+lookAhead/2)], []byte("END ")); i >= 0 {
		end = labelEnd + i
	} else {
		end = min(end, labelEnd+1024)
	}
	if !keyBody(data[labelEnd:end]) {
		return match{}, false
	}
	end = span(data, end, func(c byte) bool { return isUpperDigit(c) || c == ' ' || c == '-' })
	return match{start, end, "a private key (" + label + ")"}, true
}

// keyBody reports whether b holds a line of base64 that looks random.
func keyBody(b []byte) bool {
	for at := 0; at < len(b); {
		end := span(b, at, isBase64)
		if end-at >= keyText && plausible(b[at:end]) {
			return true
		}
		at = end + 1
	}
	return false
}

func puttyKey(data []byte, at int, _ bool) (match, bool) {
	from := at + len("PuTTY-User-Key-File-")
	end := min(len(data), at+lookAhead/2)
	i := bytes.Index(data[from:end], []byte("Private-Lines: "))
	if i < 1 || !isDigit(data[from]) || !keyBody(data[from+i:end]) {
		return match{}, false
	}
	if mac := bytes.Index(data[from+i:end], []byte("Private-MAC")); mac >= 0 {
		end = from + i + mac
	}
	return match{at, end, "a private key (PuTTY)"}, true
}

// container recognises files that hold private keys in binary: Java key
// stores, PKCS #12 (RFC 7292) and DER keys (RFC 5208, RFC 8017), and KeePass
// databases. data starts with the file. The hit has no place in it.
func container(data []byte) (Hit, bool) {
	what := ""
	switch {
	case bytes.HasPrefix(data, []byte("\xfe\xed\xfe\xed\x00\x00\x00")), bytes.HasPrefix(data, []byte("\xce\xce\xce\xce\x00\x00\x00")):
		what = "a Java key store"
	case bytes.HasPrefix(data, []byte("\x03\xd9\xa2\x9a")):
		what = "a KeePass database"
	default:
		what = der(data)
	}
	if what == "" {
		return Hit{}, false
	}
	return Hit{Code: PrivateKey, Message: what, Hint: keyHint}, true
}

// der tells what a DER sequence at the start of a file is, "" for nothing of
// interest. All of them start with a version number.
func der(data []byte) string {
	if len(data) < 32 || data[0] != 0x30 {
		return ""
	}
	head := 2
	if data[1] > 0x80 && data[1] < 0x84 {
		head += int(data[1] & 0x7f)
	}
	body := data[head:]
	if body[0] != 2 || body[1] != 1 {
		return ""
	}
	version, rest := body[2], body[3:]
	near := rest[:min(len(rest), 64)]
	switch {
	case version == 3 && rest[0] == 0x30 && bytes.Contains(near, []byte("\x2a\x86\x48\x86\xf7\x0d\x01\x07")):
		return "a PKCS #12 key store"
	case version == 0 && rest[0] == 0x30 && bytes.Contains(near, []byte("\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01")),
		version <= 1 && rest[0] == 0x30 && bytes.Contains(near, []byte("\x06\x07\x2a\x86\x48\xce\x3d\x02\x01")),
		version == 0 && rest[0] == 0x30 && bytes.Contains(near, []byte("\x06\x03\x2b\x65\x70\x04\x22\x04\x20")):
		return "a private key (PKCS #8)"
	case version == 0 && rest[0] == 2 && rest[1] == 0x82 && len(data) > 300:
		return "a private key (RSA)"
	case version == 1 && rest[0] == 4 && rest[1] >= 28 && rest[1] <= 66 && len(rest) > int(rest[1])+2 && rest[2+int(rest[1])] == 0xa0:
		return "a private key (EC)"
	}
	return ""
}
