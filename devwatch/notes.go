package devwatch

// notes says each thing once while it lasts.
type notes struct {
	tell func(code, message string)
	said map[[2]string]bool
}

func newNotes(tell func(code, message string)) *notes {
	return &notes{tell, map[[2]string]bool{}}
}

// say tells message unless code was already told about subject.
func (n *notes) say(code, subject, message string) {
	key := [2]string{code, subject}
	if n.said[key] {
		return
	}
	n.said[key] = true
	n.tell(code, message)
}

// over ends an episode: the same may be said when it comes back.
func (n *notes) over(code, subject string) { delete(n.said, [2]string{code, subject}) }
