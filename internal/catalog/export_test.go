package catalog

// The tests of this package stand outside of it; these are the seams they use.

// WithHook returns c with at called before each step that touches the disk.
func (c *Catalog) WithHook(at func(step string) error) *Catalog {
	d := *c
	d.at = at
	return &d
}

// WithExchange returns c with another way to swap two folders.
func (c *Catalog) WithExchange(exchange func(a, b string) error) *Catalog {
	d := *c
	d.exchange = exchange
	return &d
}

// Abandon is what is left of a transaction when its process has died: the
// system gives the lease back, nobody tidies.
func (t *Tx) Abandon() {
	for _, s := range t.own {
		s.Abandon()
	}
	t.lease.Unlock()
	t.lease = nil
}

// Abandon is what is left of a stage when its process has died.
func (s *Stage) Abandon() {
	if s.owner != nil {
		s.release()
		s.owner.Unlock()
		s.owner = nil
	}
}

var (
	ParseState   = parseState
	DocumentName = documentName
	UserSubject  = userSubject
)

// ParseJournal reads and checks a journal document, and lists the places that
// following it would touch.
func ParseJournal(b []byte) (paths []string, err error) {
	var j journal
	if err := decodeStrict(b, &j); err != nil {
		return nil, err
	}
	for _, m := range j.Moves {
		paths = append(paths, m.Live, m.Previous, m.Previous+discarded)
		if m.Staged != "" {
			paths = append(paths, m.Staged)
		}
	}
	return append(paths, j.Purge...), j.check()
}

// Marshal gives the canonical bytes of what ParseState returned.
func (d document) Marshal() []byte { return d.marshal() }
