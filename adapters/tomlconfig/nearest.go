package tomlconfig

import (
	"fmt"
	"slices"
	"strings"

	"toolplane/domain/spelling"
)

func isTable(name string) bool {
	return slices.ContainsFunc(settings, func(s setting) bool { return s.table == name })
}

func find(table, key string) *setting {
	for i := range settings {
		if settings[i].table == table && settings[i].key == key {
			return &settings[i]
		}
	}
	return nil
}

// unknown is the fault for a table or key that does not exist, with what its
// author may have meant. part is the part of the path that is not known.
func (d *document) unknown(e entry, part int) error {
	name := e.path[part]
	if part == 1 {
		table := e.path[0]
		return d.fault(e, part, "unknown key \"%s\" in [%s]%s", shown(name), table, hint(name, table))
	}
	if len(e.path) == 1 && e.kind == valueEntry {
		return d.fault(e, part, "unknown key \"%s\" outside of any table%s", shown(name), hint(name, ""))
	}
	var tables []string
	for _, s := range settings {
		if !slices.Contains(tables, s.table) {
			tables = append(tables, s.table)
		}
	}
	if near := nearest(name, tables); near != "" {
		return d.fault(e, part, "unknown table [%s]; did you mean [%s]?", shown(name), near)
	}
	return d.fault(e, part, "unknown table [%s]; the tables are [%s]", shown(name), strings.Join(tables, "], ["))
}

// hint suggests a key: one of the table that is spelt almost so, or one of
// another table that is spelt so.
func hint(name, table string) string {
	var keys, elsewhere []string
	for _, s := range settings {
		switch {
		case s.table == table:
			keys = append(keys, s.key)
		case s.key == name:
			elsewhere = append(elsewhere, "["+s.table+"]")
		}
	}
	if near := nearest(name, keys); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	if len(elsewhere) > 0 {
		return "; it belongs to " + strings.Join(elsewhere, " or ")
	}
	if len(keys) > 0 {
		return "; the keys are " + strings.Join(keys, ", ")
	}
	return "; put it below its table"
}

// nearest returns the name that is spelt almost as what was written, or else one
// that it is the beginning or the end of, or that it begins or ends with; "" where
// none is near.
func nearest(written string, names []string) string {
	const least, most = 3, 40 // bytes of what is worth comparing
	if len(written) < least || len(written) > most {
		return ""
	}
	if near := spelling.Nearest(written, names); near != "" {
		return near
	}
	for _, name := range names {
		if strings.HasPrefix(name, written) || strings.HasSuffix(name, written) ||
			strings.HasPrefix(written, name) || strings.HasSuffix(written, name) {
			return name
		}
	}
	return ""
}
