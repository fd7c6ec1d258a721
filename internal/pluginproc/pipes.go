package pluginproc

import "os"

// pipes are the three streams of a child, both ends each.
type pipes struct {
	in, out, err                *os.File // ours
	childIn, childOut, childErr *os.File // the child's
}

func (p *pipes) open() (err error) {
	if p.childIn, p.in, err = os.Pipe(); err == nil {
		if p.out, p.childOut, err = os.Pipe(); err == nil {
			if p.err, p.childErr, err = os.Pipe(); err == nil {
				return nil
			}
		}
	}
	p.closeChild()
	p.closeParent()
	return err
}

// closeChild drops our copies of the child's ends: without that its exit would
// not end the streams.
func (p *pipes) closeChild() { closeAll(p.childIn, p.childOut, p.childErr) }

func (p *pipes) closeParent() { closeAll(p.in, p.out, p.err) }

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close() // a pipe end; nothing is buffered in it
		}
	}
}
