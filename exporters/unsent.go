package exporters

import "strings"

// Unsent returns an [Inexpressible] that names the first thing which the rule of s reads
// of an event beside its body and which sends does not take, nil where there is none.
// platform is a title. A way with such a rule must not be taken: a stand-in hides that the
// value is missing, and different events get one key.
func (s Setup) Unsent(platform string, sends func(path []string) bool) error {
	paths := s.Outside
	for _, p := range s.Parts {
		paths = append(paths[:len(paths):len(paths)], p.Path)
	}
	for _, path := range paths {
		if len(path) == 0 || path[0] != "headers" && path[0] != "query" || sends(path) {
			continue
		}
		what := "the address of a call (" + strings.Join(path, ".") + ")"
		if path[0] == "headers" {
			what = "a header of the call (" + strings.Join(path, ".") + ")"
		}
		return Cannot("The rule reads %s, and %s does not send that to this program. A value in its place would hide that it is missing, and different events would be taken for copies. Use a field of the body.", what, platform)
	}
	return nil
}
