package n8n

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"dedupedesk/exporters"
)

// A built is a generated workflow, read back.
type built struct {
	ID          *string
	Name        string
	Active      *bool
	VersionID   string `json:"versionId"`
	Nodes       []builtNode
	Connections map[string]map[string][][]target
}

type builtNode struct {
	Name, Type  string
	OnError     string
	RetryOnFail bool

	AlwaysOutputData bool
	Credentials      any
	Parameters       struct {
		URL, JSONBody, JSONOutput, ResponseMode, ErrorMessage string
		Authentication, GenericAuthType                       string
		Options                                               map[string]any
	}
}

func (b built) node(t testing.TB, name string) builtNode {
	t.Helper()
	for _, n := range b.Nodes {
		if n.Name == name {
			return n
		}
	}
	t.Fatalf("there is no node %q", name)
	return builtNode{}
}

// next returns where an exit of a node leads.
func (b built) next(from string, exit int) []string {
	var names []string
	if exits := b.Connections[from]["main"]; exit < len(exits) {
		for _, to := range exits[exit] {
			names = append(names, to.Node)
		}
	}
	return names
}

func buildOf(t testing.TB, s exporters.Setup) built {
	t.Helper()
	c, err := New().Build(s)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Files) != 1 {
		reason, _ := c.Blocked()
		t.Fatalf("no file: %s", reason)
	}
	var b built
	if err := json.Unmarshal(c.Files[0].Data, &b); err != nil {
		t.Fatal(err)
	}
	if b.ID != nil || b.Active == nil || *b.Active || b.VersionID == "" {
		t.Errorf("id %v, active %v, version %q", b.ID, b.Active, b.VersionID)
	}
	if findings := Validate(c.Files[0].Data); len(findings) > 0 {
		t.Errorf("findings %+v", findings)
	}
	return b
}

func orderSetup(details ...string) exporters.Setup {
	s := exporters.Setup{Rule: "orders", Expressible: true, Details: map[string]string{}, Parts: []exporters.Part{{Literal: "shop"}, {Path: []string{"body", "id"}}}}
	for i := 0; i+1 < len(details); i += 2 {
		s.Details[details[i]] = details[i+1]
	}
	return s
}

// everySetup are the ways in which a workflow can be laid out.
func everySetup() map[string]exporters.Setup {
	all := map[string]exporters.Setup{}
	for _, retries := range []string{exporters.RetriesSender, exporters.RetriesPlatform, exporters.RetriesNobody} {
		for _, reply := range []string{exporters.ReplyAfter, exporters.ReplyAtOnce} {
			for _, trigger := range []string{triggerWebhook, triggerSchedule, triggerOther} {
				for _, unreachable := range []string{"stop", "go_on"} {
					s := orderSetup("retries", retries, "reply", reply, "trigger", trigger)
					s.IfUnreachable = unreachable
					name := strings.Join([]string{retries, reply, trigger, unreachable}, " ")
					all[name] = s
					if trigger != triggerSchedule {
						s.Each = []string{"body", "lines"}
						s.Parts = append(slices.Clone(s.Parts), exporters.Part{Path: []string{"item", "sku"}})
						all[name+" lines"] = s
					}
				}
			}
		}
	}
	return all
}

// TestEveryWorkflowIsSafe: in each layout only the status claimed leads to the work,
// errors of the claim never do unless the rule rather runs twice, and every call carries
// rule, owner and a credential instead of a password.
func TestEveryWorkflowIsSafe(t *testing.T) {
	for name, s := range everySetup() {
		t.Run(name, func(t *testing.T) {
			b := buildOf(t, s)
			goesOn := s.IfUnreachable == "go_on"
			if got := b.next(choiceNode, exitClaimed); !slices.Equal(got, []string{workNode}) {
				t.Errorf("claimed leads to %v", got)
			}
			for _, exit := range []int{exitInProgress, exitCopy} {
				if b.reaches(choiceNode, exit, workNode) {
					t.Errorf("exit %d leads to the work", exit)
				}
			}
			for _, from := range []struct {
				node string
				exit int
			}{{claimNode, 1}, {choiceNode, exitUnknown}} {
				if b.reaches(from.node, from.exit, workNode) != goesOn {
					t.Errorf("exit %d of %s leads to the work: %v", from.exit, from.node, !goesOn)
				}
				stops := from.node == claimNode && b.node(t, claimNode).OnError == "" // the run fails there, and Retry asks again
				if len(b.next(from.node, from.exit)) == 0 && !stops {
					t.Errorf("exit %d of %s leads nowhere, so the event is lost", from.exit, from.node)
				}
			}
			checkCalls(t, b)
			checkWork(t, b, s.Details["retries"] == exporters.RetriesPlatform)
			for _, n := range b.Nodes {
				if n.OnError == errorExit && n.AlwaysOutputData {
					t.Errorf("%s goes on at both exits when it fails", n.Name)
				}
				if n.Credentials != nil {
					t.Errorf("%s carries a credential", n.Name)
				}
			}
		})
	}
}

// reaches walks from an exit and tells whether it meets a node before the loop begins anew.
func (b built) reaches(from string, exit int, to string) bool {
	seen := map[string]bool{loopNode: true, askNode: true, listNode: true} // it asks anew there
	ring := b.next(from, exit)
	for len(ring) > 0 {
		name := ring[0]
		ring = ring[1:]
		if name == to {
			return true
		}
		if seen[name] {
			continue
		}
		seen[name] = true
		for i := range b.Connections[name]["main"] {
			ring = append(ring, b.next(name, i)...)
		}
	}
	return false
}

func checkCalls(t *testing.T, b built) {
	t.Helper()
	calls := map[string]int{}
	for _, n := range b.Nodes {
		path, ours := strings.CutPrefix(n.Parameters.URL, "http://127.0.0.1:47821/v1/")
		if !ours {
			continue
		}
		calls[path]++
		if n.Parameters.Authentication != "genericCredentialType" || n.Parameters.GenericAuthType != "httpHeaderAuth" {
			t.Errorf("%s is not told which credential to take", n.Name)
		}
		if strings.Contains(fmt.Sprint(n.Parameters.Options), "neverError") || !n.RetryOnFail {
			t.Errorf("%s: options %v, tries again %v", n.Name, n.Parameters.Options, n.RetryOnFail)
		}
		for _, member := range []string{`"rule": `, `"owner": `} {
			if !strings.Contains(n.Parameters.JSONBody, member) {
				t.Errorf("%s does not send %s: %s", n.Name, member, n.Parameters.JSONBody)
			}
		}
		if strings.Contains(n.Parameters.JSONBody, "token") {
			t.Errorf("%s sends a token", n.Name)
		}
	}
	if calls["claim?answer=branch"] != 1 || calls["done"] != 1 {
		t.Errorf("calls %v", calls)
	}
	if ask := b.node(t, askNode).Parameters.JSONOutput; !strings.Contains(ask, "$execution.id") || strings.Contains(strings.Split(ask, `"owner"`)[0], "$execution") {
		t.Errorf("the run stands in the key, or not in the owner: %s", ask)
	}
}

func checkWork(t *testing.T, b built, resumes bool) {
	t.Helper()
	work := b.node(t, workNode)
	releases := slices.ContainsFunc(b.Nodes, func(n builtNode) bool { return n.Name == releaseNode })
	if resumes && (work.OnError != "" || !work.RetryOnFail || releases) {
		t.Errorf("a run that a person goes on with must keep its key: %+v", work)
	}
	if !resumes && (work.OnError != errorExit || work.RetryOnFail || !slices.Equal(b.next(workNode, 1), []string{releaseNode})) {
		t.Errorf("work that fails must give its key back: %+v leads to %v", work, b.next(workNode, 1))
	}
}

// TestTheSenderHearsHowItEnded: only where it waits, and never by a node that answers.
func TestTheSenderHearsHowItEnded(t *testing.T) {
	for name, s := range everySetup() {
		b := buildOf(t, s)
		want := "onReceived"
		if s.Details["reply"] == exporters.ReplyAfter {
			want = "lastNode"
		}
		for _, n := range b.Nodes {
			if n.Type == "n8n-nodes-base.webhook" && n.Parameters.ResponseMode != want {
				t.Errorf("%s: the webhook answers %s, want %s", name, n.Parameters.ResponseMode, want)
			}
		}
		if s.Details["retries"] == exporters.RetriesSender && want == "lastNode" && s.Details["trigger"] == triggerWebhook && s.Each == nil {
			if later := b.next(choiceNode, exitInProgress); len(later) != 1 || b.node(t, later[0]).Type != "n8n-nodes-base.stopAndError" {
				t.Errorf("%s: a copy of a run under way leads to %v, so the sender does not come back", name, later)
			}
		}
	}
}

// TestTheSameRuleMakesTheSameFile, and another rule other ids.
func TestTheSameRuleMakesTheSameFile(t *testing.T) {
	one, two, other := buildOf(t, orderSetup()), buildOf(t, orderSetup()), orderSetup()
	other.Rule = "mail"
	if one.VersionID != two.VersionID || one.VersionID == buildOf(t, other).VersionID {
		t.Error("the version does not follow the rule")
	}
}

// TestPartsAsExpressions: what is plain goes as parts, all else as the event.
func TestPartsAsExpressions(t *testing.T) {
	none := "none"
	for _, tt := range []struct {
		part exporters.Part
		want string
	}{
		{exporters.Part{Path: []string{"body", "id"}}, `"part": [$json.body?.["id"]]`},
		{exporters.Part{Path: []string{"body", "a b", "[0]", "{x}"}}, `"part": [[$json.body?.["a b"]].find(Array.isArray)?.[0]?.["\u007bx\u007d"]]`},
		{exporters.Part{Path: []string{"headers", "x-id"}}, `"part": [$json.headers?.["x-id"]]`},
		{exporters.Part{Path: []string{"query", "id"}}, `"part": [$json.query?.["id"]]`},
		{exporters.Part{Literal: "}} {{"}, `"part": ["\u007d\u007d \u007b\u007b"]`},
		{exporters.Part{Path: []string{"body", "id"}, Steps: []string{"lower"}}, `"event": $json.body, "headers": $json.headers ?? { }`},
		{exporters.Part{Path: []string{"body", "id"}, Default: &none}, `"event": $json.body`},
		{exporters.Part{Path: []string{"body", "constructor"}}, `"event": $json.body`},
		{exporters.Part{Path: []string{"body"}, Steps: []string{"digest"}}, `"event": $json.body`},
	} {
		s := orderSetup()
		s.Parts = []exporters.Part{tt.part}
		if got := buildOf(t, s).node(t, askNode).Parameters.JSONOutput; !strings.Contains(got, tt.want) {
			t.Errorf("%+v: %s, want … %s …", tt.part, got, tt.want)
		}
	}
}

// TestWhatAWorkflowCannotSay blocks the file in words.
func TestWhatAWorkflowCannotSay(t *testing.T) {
	none := "none"
	for name, tt := range map[string]struct {
		change func(*exporters.Setup)
		words  string
	}{
		"a changed query": {func(s *exporters.Setup) {
			s.Parts = []exporters.Part{{Path: []string{"query", "id"}, Steps: []string{"lower"}}}
		}, "Use a field of the body"},
		"a header, scheduled": {func(s *exporters.Setup) {
			s.Details["trigger"] = triggerSchedule
			s.Parts = []exporters.Part{{Path: []string{"headers", "x"}}}
		}, "only a webhook"},
		"two fields, scheduled": {func(s *exporters.Setup) {
			s.Details["trigger"] = triggerSchedule
			s.Parts = []exporters.Part{{Path: []string{"body", "a"}}, {Path: []string{"body", "b"}}}
		}, "several fields"},
		"a list, scheduled": {func(s *exporters.Setup) { s.Details["trigger"] = triggerSchedule; s.Each = []string{"body", "l"} }, "one field of the body"},
		"a hidden item": {func(s *exporters.Setup) {
			s.Each = []string{"body", "l"}
			s.Parts = []exporters.Part{{Path: []string{"item", "mail"}, Steps: []string{"secret"}}}
		}, "secret"},
		"a stand-in of an item": {func(s *exporters.Setup) {
			s.Each = []string{"body", "l"}
			s.Parts = []exporters.Part{{Path: []string{"item", "sku"}, Default: &none}}
		}, "stand-in"},
		"a list by formula": {func(s *exporters.Setup) {
			s.Expressible, s.Parts, s.Samples = false, nil, []exporters.Sample{{Item: json.RawMessage(`1`)}}
		}, "each item of a list"},
		"a list that is no field": {func(s *exporters.Setup) { s.Each = []string{"body"} }, "no field of the body"},
	} {
		s := orderSetup()
		tt.change(&s)
		c, err := New().Build(s)
		reason, blocked := c.Blocked()
		if err != nil || !blocked || !strings.Contains(reason, tt.words) || len(c.Files) > 0 {
			t.Errorf("%s: %q, %v, %d files, want … %s …", name, reason, err, len(c.Files), tt.words)
		}
	}
}

// TestAnyTextComesBack: rules, texts and names of fields with everything in them are read
// back from the expressions as they were.
func TestAnyTextComesBack(t *testing.T) {
	odd := rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune("'\"`\\{}$@=:%\n\r\t<>&/# \u2028\u202e😀שא")), rapid.Rune()))
	rapid.Check(t, func(rt *rapid.T) {
		s := orderSetup()
		s.Rule = odd.Draw(rt, "rule") + "r"
		literal, field := odd.Draw(rt, "literal"), odd.Draw(rt, "field")+"f"
		s.Parts = []exporters.Part{{Literal: literal}, {Path: []string{"body", field}}}
		b := buildOf(t, s)
		output := b.node(t, askNode).Parameters.JSONOutput
		code, ok := strings.CutPrefix(output, "={{ ")
		inner, ok2 := strings.CutSuffix(code, " }}")
		if !ok || !ok2 || strings.Contains(inner, "}}") || strings.Contains(inner, "{{") {
			rt.Fatalf("the expression ends too early: %s", output)
		}
		var texts []string
		for rest := inner; ; {
			i := strings.IndexByte(rest, '"')
			if i < 0 {
				break
			}
			d := json.NewDecoder(strings.NewReader(rest[i:]))
			var text string
			if err := d.Decode(&text); err != nil {
				rt.Fatalf("%v in %s", err, rest[i:])
			}
			texts = append(texts, text)
			rest = rest[i+int(d.InputOffset()):]
		}
		want := []string{"rule", s.Rule, "part", literal, field, "owner", "n8n-", "-"}
		if _, index := exporters.Index(field); index {
			want = slices.Delete(want, 4, 5)
		}
		if !slices.Equal(texts, want) {
			rt.Fatalf("texts %q, want %q", texts, want)
		}
	})
}

// TestWorkflowsNameOnlyNodesThatAreThere by what their texts say.
func TestWorkflowsNameOnlyNodesThatAreThere(t *testing.T) {
	for name, s := range everySetup() {
		b := buildOf(t, s)
		reached := map[string]bool{}
		for _, from := range slices.Sorted(maps.Keys(b.Connections)) {
			for i := range b.Connections[from]["main"] {
				for _, to := range b.next(from, i) {
					reached[to] = true
				}
			}
		}
		starts := 0
		for _, n := range b.Nodes {
			if !reached[n.Name] {
				starts++
			}
		}
		if starts != 1 {
			t.Errorf("%s: %d nodes that nothing leads to, want the trigger alone", name, starts)
		}
	}
	if len(everySetup()) < 50 {
		t.Error(fmt.Sprint(len(everySetup()), " layouts"))
	}
}
