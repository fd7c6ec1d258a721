package secret

func isDigit(c byte) bool { return c-'0' < 10 }
func isUpper(c byte) bool { return c-'A' < 26 }
func isLower(c byte) bool { return c-'a' < 26 }
func isAlnum(c byte) bool { return isDigit(c) || isUpper(c) || isLower(c) }

// isWord is the alphabet of base64url.
func isWord(c byte) bool   { return isAlnum(c) || c == '_' || c == '-' }
func isHex(c byte) bool    { return isDigit(c) || c-'a' < 6 || c-'A' < 6 }
func isBase64(c byte) bool { return isAlnum(c) || c == '+' || c == '/' || c == '=' }

// isBase32 is the alphabet of AWS key ids.
func isBase32(c byte) bool { return isUpper(c) || c-'2' < 6 }

// span returns the end of the run of bytes from at that are in set.
func span(data []byte, at int, set func(byte) bool) int {
	for at < len(data) && set(data[at]) {
		at++
	}
	return at
}

// back returns the start of the run of bytes before at that are in set, at most
// limit of them, without the letter of an escape such as \n.
func back(data []byte, at, limit int, set func(byte) bool) int {
	start := at
	for start > 0 && set(data[start-1]) && at-start < limit {
		start--
	}
	if start > 0 && start < at && data[start-1] == '\\' {
		start++
	}
	return start
}

// begins reports whether a word can begin at: before it stands no letter,
// digit or underscore, except those of an escape such as \n.
func begins(data []byte, at int) bool {
	if at == 0 {
		return true
	}
	c := data[at-1]
	if !isAlnum(c) && c != '_' {
		return true
	}
	return at > 1 && data[at-2] == '\\' && (c == 'n' || c == 'r' || c == 't')
}
