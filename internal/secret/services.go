package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
)

// openAI finds the keys that carry "OpenAI" in base64 in their middle, which
// all of that service do.
func openAI(data []byte, at int, _ bool) (match, bool) {
	start := back(data, at, 200, isWord)
	if i := bytes.Index(data[start:at], []byte("sk-")); i >= 0 {
		start += i
	} else {
		return match{}, false
	}
	end := span(data, at, isWord)
	if end-start < 40 || end-start > 400 || !plausible(data[start+3:end]) {
		return match{}, false
	}
	return named(data, start, end, "an OpenAI API key"), true
}

// awsID finds key ids. Alone they are half of a credential, and say whose.
func awsID(data []byte, at int, _ bool) (match, bool) {
	end := span(data, at, isBase32)
	if end-at != 20 || end < len(data) && isWord(data[end]) || !begins(data, at) || !plausible(data[at+4:end]) {
		return match{}, false
	}
	m := named(data, at, end, "an AWS access key id")
	near := data[end:min(len(data), end+400)]
	for i := 0; i < len(near); {
		to := span(near, i, isBase64)
		if isAWSSecret(near[i:to]) {
			m.what += " with its secret key behind it"
			break
		}
		i = to + 1
	}
	return m, true
}

// awsSecret finds the secret key by the name that it is given.
func awsSecret(data []byte, at int, _ bool) (match, bool) {
	from := span(data, at, func(c byte) bool { return isAlnum(c) || c == '_' })
	from = span(data, from, func(c byte) bool { return bytes.IndexByte([]byte(" \t:='\"`>,"), c) >= 0 })
	end := span(data, from, isBase64)
	if from-at > 40 || !isAWSSecret(data[from:end]) {
		return match{}, false
	}
	return named(data, from, end, "an AWS secret access key"), true
}

func isAWSSecret(b []byte) bool {
	if len(b) != 40 || !plausible(b) || entropy(b) < 4 {
		return false
	}
	return bytes.ContainsFunc(b, func(r rune) bool { return isUpper(byte(r)) }) &&
		bytes.ContainsFunc(b, func(r rune) bool { return isLower(byte(r)) }) &&
		bytes.ContainsFunc(b, func(r rune) bool { return isDigit(byte(r)) })
}

// jwt finds signed web tokens (RFC 7519). The header has to be one; the token
// that the makers of the format show everywhere is none.
func jwt(data []byte, at int, _ bool) (match, bool) {
	dot := span(data, at, isWord)
	if !begins(data, at) || dot-at < 16 || dot-at > 2048 || dot >= len(data) || data[dot] != '.' {
		return match{}, false
	}
	second := span(data, dot+1, isWord)
	if second-dot < 8 || second >= len(data) || data[second] != '.' {
		return match{}, false
	}
	end := span(data, second+1, isWord)
	var header struct{ Alg string }
	var claims map[string]any
	if end-second < 32 || !decode(data[at:dot], &header) || header.Alg == "" || !decode(data[dot+1:second], &claims) {
		return match{}, false
	}
	if claims["sub"] == "1234567890" || !plausible(data[second+1:end]) {
		return match{}, false
	}
	return named(data, at, end, "a JSON web token"), true
}

func decode(part []byte, into any) bool {
	b, err := base64.RawURLEncoding.DecodeString(string(part))
	return err == nil && json.Unmarshal(b, into) == nil
}

// Digits in base64 repeat every four characters: the first is one of three,
// and so on. The first part of a Discord token is a number of 17 to 20 digits.
var discordCycle = [4]string{"MNO", "DTjz", "AEIMQUYcgk", "wxyz012345"}

func discordPairs() []uint16 {
	var list []uint16
	for _, at := range []int{0, 3} {
		for _, a := range []byte(discordCycle[at]) {
			for _, b := range []byte(discordCycle[(at+1)%4]) {
				list = append(list, pairOf(a, b))
			}
		}
	}
	return list
}

func discordToken(data []byte, at int, _ bool) (match, bool) {
	phase := 0
	if bytes.IndexByte([]byte(discordCycle[0]), data[at]) < 0 {
		phase = 3
	}
	for i := 2; i < 8; i++ { // most pairs set off nothing: six more characters say so
		if at+i >= len(data) || bytes.IndexByte([]byte(discordCycle[(phase+i)%4]), data[at+i]) < 0 {
			return match{}, false
		}
	}
	start := back(data, at, 28, isWord)
	dot := span(data, at, isWord)
	if dot-start < 23 || dot-start > 28 || dot+8 > len(data) || data[dot] != '.' || data[dot+7] != '.' {
		return match{}, false
	}
	end := span(data, dot+8, isWord)
	id, err := base64.RawURLEncoding.DecodeString(string(data[start:dot]))
	if err != nil || bytes.ContainsFunc(id, func(r rune) bool { return r < '0' || r > '9' }) {
		return match{}, false
	}
	if n := end - dot - 8; n < 27 || n > 45 || span(data, dot+1, isWord) != dot+7 || !plausible(data[dot+8:end]) {
		return match{}, false
	}
	return named(data, start, end, "a Discord bot token"), true
}
