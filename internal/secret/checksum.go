package secret

import "hash/crc32"

// randomPart and checkPart are the two parts of a GitHub or npm token behind
// its prefix, in characters.
const (
	randomPart = 30
	checkPart  = 6
)

// githubToken goes by the checksum alone: what fails it never was a token.
func githubToken(data []byte, at int, _ bool) (match, bool) {
	from := at + 4
	end := span(data, from, isAlnum)
	if end-from != randomPart+checkPart || !begins(data, at) || !checksumHolds(data[from:end]) {
		return match{}, false
	}
	m := named(data, at, end, "a GitHub token")
	m.what += ", its checksum holds"
	return m, true
}

// npmToken knows the checksum too, but npm documents only that there is one,
// so a token that fails it and looks random is a find all the same.
func npmToken(data []byte, at int, _ bool) (match, bool) {
	from := at + 4
	end := span(data, from, isAlnum)
	if end-from != randomPart+checkPart || !begins(data, at) {
		return match{}, false
	}
	m := named(data, at, end, "an npm access token")
	if checksumHolds(data[from:end]) {
		m.what += ", its checksum holds"
		return m, true
	}
	return m, plausible(data[from:end])
}

// checksumHolds compares the last six characters with the CRC-32 of the rest,
// in base 62 with leading zeros.
func checksumHolds(body []byte) bool {
	return string(body[randomPart:]) == Checksum(body[:randomPart])
}

// Checksum is the last part of a token with this random part.
func Checksum(random []byte) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	var out [checkPart]byte
	sum := crc32.ChecksumIEEE(random)
	for i := checkPart - 1; i >= 0; i-- {
		out[i] = digits[sum%62]
		sum /= 62
	}
	return string(out[:])
}
