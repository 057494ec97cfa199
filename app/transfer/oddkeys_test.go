package transfer

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// TestKeysWithEndsThatCannotBeSeenAreNotImported: they would be other keys than those
// that they look like.
func TestKeysWithEndsThatCannotBeSeenAreNotImported(t *testing.T) {
	for format, file := range map[Format]string{
		CSV:   "key,state\nevt_1,done\nevt_1 ,done\n\"\u200bevt_1\",done\n\ufeffevt_1,done\n\u2060,done\n",
		Lines: "evt_0\nevt_1\nevt_1 \n\u200bevt_1\n\ufeffevt_1\n\u2060\n",
		JSONL: "\n" + `{"key":"evt_1"}` + "\n" + `{"key":"evt_1 "}` + "\n" + `{"key":"\u200bevt_1"}` + "\n" + `{"key":"\ufeffevt_1"}` + "\n" + `{"key":"\u2060"}`,
	} {
		terms := Terms{Now: now, Find: func(context.Context, string) (bool, bool, error) { return false, true, nil }}
		s, err := Check(t.Context(), NewReader(strings.NewReader(file), format), terms, nil)
		if err != nil {
			t.Fatal(err)
		}
		told := make([]string, len(s.Faults))
		for i, f := range s.Faults {
			told[i] = f.Error()
		}
		const trim = " with a space or a character that cannot be seen; trim it."
		want := []string{
			"Line 3, column key: The event key ends" + trim,
			"Line 4, column key: The event key begins" + trim,
			"Line 5, column key: The event key holds a control character that cannot be seen.",
			"Line 6, column key: The event key is empty. Check the field it is built from.",
		}
		if fmt.Sprint(told) != fmt.Sprint(want) {
			t.Errorf("%s: %s", format, strings.Join(told, "\n"))
		}
	}
}
