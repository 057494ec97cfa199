package n8n

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"dedupedesk/exporters"
	"dedupedesk/rules"
)

// inNode evaluates expressions with the event of each as $json.
func inNode(t *testing.T, expressions, events []string) []*string {
	t.Helper()
	in, err := json.Marshal([][]string{expressions, events})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "-e", `const [texts, events] = JSON.parse(require("fs").readFileSync(0));
console.log(JSON.stringify(texts.map((text, i) => new Function("$json", "return " + text)(JSON.parse(events[i])) ?? null)))`)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node, which build/test installs: %v", err)
	}
	var got []*string
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return got
}

// TestLettersOfAnItemAreChangedAsTheRuleDoes, or the part is refused; never is another
// value made into text.
func TestLettersOfAnItemAreChangedAsTheRuleDoes(t *testing.T) {
	var expressions, events, want []string
	for _, step := range []string{"lower", "upper"} {
		text, err := value(0, exporters.Part{Path: []string{"item", "sku"}, Steps: []string{step}}, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []string{"ΑΣ", "straße", "İ", "ı", "aÄé😀ŉǆ", "ᾳ", `{"code":"A"}`, "7", "true", `["x"]`, "null"} {
			event, made := v, ""
			if !json.Valid([]byte(v)) {
				data, _ := json.Marshal(v)
				change := strings.ToLower
				if step == "upper" {
					change = strings.ToUpper
				}
				event, made = string(data), change(v)
			}
			if step == "upper" && v == "ᾳ" {
				made = "" // JavaScript makes two letters of it
			}
			expressions, events, want = append(expressions, text), append(events, `{"item":{"sku":`+event+`}}`), append(want, made)
		}
	}
	for i, got := range inNode(t, expressions, events) {
		if (got == nil) != (want[i] == "") || got != nil && *got != want[i] {
			t.Errorf("%s: %s gives %v, want %q", events[i], expressions[i], got, want[i])
		}
	}
	var all []rune
	for r := rune(0xa0); r <= 0x1ffff; r++ {
		rare := r >= 0x1f80 && r <= 0x1faf || r == 0x1fb3 || r == 0x1fc3 || r == 0x1ff3
		if utf8.ValidRune(r) && !rare && (unicode.ToLower(r) != r || unicode.ToUpper(r) != r) {
			all = append(all, r)
		}
	}
	text, _ := json.Marshal(string(all))
	got := inNode(t, []string{letters("$json", "lower"), letters("$json", "upper")}, []string{string(text), string(text)})
	for i, change := range []func(string) string{strings.ToLower, strings.ToUpper} {
		made := []rune(*got[i])
		for n, want := range []rune(change(string(all))) {
			if n < len(made) && made[n] != want {
				t.Errorf("%d: %c becomes %c, the rule makes %c", i, all[n], made[n], want)
			}
		}
		if len(made) != len(all) {
			t.Errorf("%d: %d letters of %d", i, len(made), len(all))
		}
	}
}

// TestAPlaceOfATextIsNoPlaceOfAList: "10001" and "10002" are not both "1".
func TestAPlaceOfATextIsNoPlaceOfAList(t *testing.T) {
	text := read("$json.body", []string{"ids", "[0]"})
	got := inNode(t, []string{text, text, text, text}, []string{`{"body":{"ids":"10001"}}`, `{"body":{"ids":["a","b"]}}`, `{"body":{}}`, `{"body":{"ids":[]}}`})
	if got[0] != nil || got[1] == nil || *got[1] != "a" || got[2] != nil || got[3] != nil {
		t.Errorf("%v", got)
	}
	for _, name := range []string{"length", "0"} {
		if _, err := value(0, exporters.Part{Path: []string{"item", "sku", name}}, true); err == nil {
			t.Errorf("%s of a text is read", name)
		}
	}
	if _, err := rules.JoinParts([]any{nil}, false, ""); err == nil {
		t.Error("this program takes a part that is missing")
	}
}

// TestAWayThatSendsTooLittleIsBlocked: the address is not sent with a whole event, a
// schedule and an app's trigger have no headers, and a condition needs the event.
func TestAWayThatSendsTooLittleIsBlocked(t *testing.T) {
	none := "none"
	for name, tt := range map[string]struct {
		change func(*exporters.Setup)
		words  string
	}{
		"an address with a stand-in": {func(s *exporters.Setup) { s.Parts[1] = exporters.Part{Path: []string{"query", "id"}, Default: &none} }, "query.id"},
		"an address in a condition":  {func(s *exporters.Setup) { s.When, s.Outside = "query.a == \"b\"", [][]string{{"query", "a"}} }, "query.a"},
		"a header of an app": {func(s *exporters.Setup) {
			s.Expressible, s.Outside, s.Details["trigger"] = false, [][]string{{"headers", "x"}}, triggerOther
		}, "headers.x"},
		"a schedule with one":    {func(s *exporters.Setup) { s.When, s.Details["trigger"] = "body.paid", triggerSchedule }, "a schedule has no event"},
		"a list that is no path": {func(s *exporters.Setup) { s.Expressible, s.Splits = false, true }, "each item of a list"},
	} {
		s := orderSetup()
		tt.change(&s)
		c, err := New().Build(s)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(c.Steps, func(s exporters.Step) bool { return s.ID == "import" })
		if !strings.Contains(c.Steps[i].Blocked, tt.words) || len(c.Files) > 0 {
			t.Errorf("%s: blocked %q, %d files", name, c.Steps[i].Blocked, len(c.Files))
		}
	}
	s := orderSetup()
	s.When = "body.paid"
	if ask := buildOf(t, s).node(t, askNode).Parameters.JSONOutput; !strings.Contains(ask, `"event": $json.body`) {
		t.Errorf("with a condition it asks %s", ask)
	}
}

// TestRetryAsksAgain: a claim that nobody answered fails in its own node, where Retry goes
// on, and no path that can be retried there is taken for an answer.
func TestRetryAsksAgain(t *testing.T) {
	b := buildOf(t, orderSetup("retries", exporters.RetriesPlatform))
	if got := b.node(t, claimNode).OnError; got != "" || len(b.next(claimNode, 1)) != 0 {
		t.Errorf("on error %q, then %v", got, b.next(claimNode, 1))
	}
	for _, retries := range []string{exporters.RetriesNobody, exporters.RetriesPlatform} {
		c, err := New().Build(orderSetup("retries", retries, "reply", exporters.ReplyAtOnce))
		if err != nil || !strings.Contains(c.Text(), retryWords) {
			t.Errorf("%s: %v, no word of how the event is done again", retries, err)
		}
	}
	for _, each := range [][]string{nil, {"body", "lines"}} {
		s := orderSetup("retries", exporters.RetriesNobody)
		s.Each = each
		b, to := buildOf(t, s), askNode
		if each != nil {
			to = listNode
		}
		failing := b.node(t, "Fail the run")
		if !b.reaches(failing.Name, 0, to) || !strings.Contains(failing.Parameters.JSONOutput, `startsWith("n8n-" + $execution.id + "-") ?`) {
			t.Errorf("list %v: %s leads to %v", each, failing.Parameters.JSONOutput, b.next(failing.Name, 0))
		}
	}
	if !b.node(t, workNode).AlwaysOutputData {
		t.Error("work that gives nothing ends the run without a word")
	}
	if _, whole := b.node(t, claimNode).Parameters.Options["response"]; !whole {
		t.Error("an empty list in place of an answer ends the run without a word")
	}
}
