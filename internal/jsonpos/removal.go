package jsonpos

import "github.com/wuu-plugins/wuu/internal/diag"

// Removal takes the member or element n out of what holds it, with the comma
// and the white space that belong to it, so that the lines around it keep
// their layout. It is nil for the root.
func (n *Node) Removal() []diag.Edit {
	if n.parent == nil {
		return nil
	}
	list, start := n.parent.Children, n.Start
	if n.KeySpan.End > 0 {
		start = n.KeySpan.Start
	}
	switch {
	case n.index > 0:
		return []diag.Edit{{Start: list[n.index-1].End, End: n.End}}
	case len(list) > 1 && list[1].KeySpan.End > 0:
		return []diag.Edit{{Start: start, End: list[1].KeySpan.Start}}
	case len(list) > 1:
		return []diag.Edit{{Start: start, End: list[1].Start}}
	}
	return []diag.Edit{{Start: start, End: n.End}}
}
