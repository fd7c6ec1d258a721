package catalog

import "github.com/wuu-plugins/wuu/internal/nearest"

// nearestID returns the id that was probably meant, "" when none is close.
func nearestID(id string, all []Record) string {
	ids := make([]string, len(all))
	for i, r := range all {
		ids[i] = r.ID
	}
	return nearest.Name(id, ids)
}
