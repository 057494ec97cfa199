package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPairs proves, for every pair of deliveries, that the rule file it names
// gives the expected keys: one event stays one, two stay two.
func TestPairs(t *testing.T) {
	e := newEngine(t)
	dirs, err := os.ReadDir("testdata/pairs")
	if err != nil || len(dirs) < 10 {
		t.Fatalf("%d pairs, %v", len(dirs), err)
	}
	for _, dir := range dirs {
		t.Run(dir.Name(), func(t *testing.T) {
			p := mustPair(t, filepath.Join("testdata/pairs", dir.Name()))
			check := func(file string, want []string) {
				r := mustRule(t, file)
				for i, s := range p.samples {
					key, code := keyOf(t, e, r, s)
					if code != "" || key != want[i] {
						t.Errorf("%s, delivery %d: %q %s, want %q", file, i+1, key, code, want[i])
					}
				}
			}
			check(p.expect.Rule, p.expect.ExpectedKeys)
			if same := p.expect.ExpectedKeys[0] == p.expect.ExpectedKeys[1]; same != p.expect.SameEvent {
				t.Errorf("expect.json contradicts itself: %+v", p.expect)
			}
			if p.expect.BusinessRule != "" {
				check(p.expect.BusinessRule, p.expect.BusinessKeys)
			}
		})
	}
}

// TestImportedRulesPassTheirSamples judges every rule file of testdata/import.
func TestImportedRulesPassTheirSamples(t *testing.T) {
	e := newEngine(t)
	files, err := filepath.Glob("testdata/import/*.yaml")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		r := mustRule(t, filepath.Base(file))
		j := e.Judge(t.Context(), r)
		if !j.OK || j.Verdicts[0].Code != "all_good" {
			t.Errorf("%s: %+v", file, j.Verdicts)
		}
		for _, s := range j.Samples {
			if s.Outcome == "copy_stopped" && j.Samples[s.Same].Group != s.Group {
				t.Errorf("%s: sample %d stopped as a copy of another event", file, s.Index+1)
			}
		}
	}
}

// samples writes "A {...}" as samples; the first word is the group, - for none.
func samples(lines ...string) []Sample {
	var out []Sample
	for _, line := range lines {
		group, body, _ := strings.Cut(line, " ")
		out = append(out, Sample{Group: strings.Trim(group, "-"), Body: body})
	}
	return out
}

func find(j Judgement, code string) (Verdict, bool) {
	i := slices.IndexFunc(j.Verdicts, func(v Verdict) bool { return string(v.Code) == code })
	if i < 0 {
		return Verdict{}, false
	}
	return j.Verdicts[i], true
}

// TestVerdicts has a case for every verdict of the screen, with the words and the
// formula that one click makes.
func TestVerdicts(t *testing.T) {
	e := newEngine(t)
	for _, tt := range []struct {
		name, key string
		samples   []Sample
		code      string
		fail, ok  bool
		says, fix string
		outcomes  string
	}{
		{"all good", `key("s", body.id)`, samples(`A {"id":1}`, `A {"id":1}`, `B {"id":2}`),
			"all_good", false, true, "Both copies of A share one key. A and B differ.", "", "first copy_stopped kept_apart"},
		{"copies missed", `key("s", body.id, body.created)`, samples(`A {"id":1,"created":10}`, `A {"id":1,"created":11}`, `B {"id":2,"created":12}`),
			"copies_missed", true, false, "Copies 1 and 2 of event A get different keys, because `created` changes on each try.", `key("s", body.id)`, "first missed kept_apart"},
		{"bug 8, events merged", `key("s", body.type)`, samples(`A {"id":1,"type":"paid"}`, `A {"id":1,"type":"paid"}`, `B {"id":2,"type":"paid"}`),
			"events_merged", true, false, "Events A and B would share one key, so B would be dropped. Add a field that differs: `id`.", `key("s", body.type, body.id)`, "first copy_stopped merged"},
		{"bug 7, constant key", `key("orderNumber")`, samples(`A {"id":1}`, `B {"id":2}`),
			"constant_key", true, false, "the same for every event", `key("event", body.id)`, "first merged"},
		{"bug 7, constant field", `key("s", body.type)`, samples(`A {"id":1,"type":"x"}`, `B {"id":2,"type":"x"}`, `C {"id":3,"type":"x"}`),
			"constant_key", true, false, "the same for every event", `key("event", body.id)`, "first merged merged"},
		{"bug 23, empty part", `key("s", body.order.id)`, samples(`A {"order":{"id":1},"ref":"p"}`, `B {"order":{"id":2},"ref":"q"}`, `C {"order":{},"ref":"r"}`),
			"empty_part", true, false, "Sample 3 has no `order.id`. This event would be refused with an error, not skipped.", `key("event", body.ref)`, "first kept_apart refused"},
		{"bug 20, one slot and two invitees", `key("calendly", body.event)`, samples(`A {"event":"E1","uri":"I1"}`, `B {"event":"E1","uri":"I2"}`),
			"events_merged", true, false, "so B would be dropped", `key("calendly", body.event, body.uri)`, "first merged"},
		{"list as a part", `key("s", body.l)`, samples(`A {"l":[1]}`, `B {"l":[2]}`),
			"bad_part", true, false, "Samples 1 and 2 would be refused: Part 2 (body.l) is a list.", "", "refused refused"},
		{"only a time", `key("s", body.created_at)`, samples(`A {"id":7,"created_at":"2024-01-01T00:00:00Z"}`, `A {"id":7,"created_at":"2024-01-01T00:00:00Z"}`, `B {"id":8,"created_at":"2024-01-02T00:00:00Z"}`),
			"only_time", false, true, "A time alone is risky", `key("event", body.id)`, "first copy_stopped kept_apart"},
		{"N6, an amount alone", `key("s", body.amount)`, samples(`A {"id":7,"amount":1990}`, `A {"id":7,"amount":1990}`, `B {"id":8,"amount":2400}`),
			"only_amount", false, false, "Two different orders can have the same amount. Add the id of the event or of the order.", `key("event", body.id)`, "first copy_stopped kept_apart"},
		{"N6, a free number", `key("s", body.n)`, samples(`A {"n":1}`, `B {"n":2}`),
			"only_amount", false, false, "Two different orders can have the same `n`.", "", "first kept_apart"},
		{"N6, a state and a currency", `key("s", body.status, body.currency)`, samples(`A {"status":"paid","currency":"EUR"}`, `B {"status":"open","currency":"EUR"}`),
			"only_amount", false, false, "Two different orders can have the same `currency`.", "", "first kept_apart"},
		{"N6, yes or no", `key("s", body.paid)`, samples(`A {"paid":true}`, `B {"paid":false}`),
			"only_amount", false, false, "Two different orders can have the same `paid`.", "", "first kept_apart"},
		{"N6, a state", `key("s", body.status)`, samples(`A {"status":"paid"}`, `B {"status":"open"}`),
			"only_amount", false, false, "Many events have the same `status`.", "", "first kept_apart"},
		{"an account alone", `key("s", body.user_id)`, samples(`A {"user_id":1,"event_id":"a"}`, `B {"user_id":2,"event_id":"b"}`),
			"only_place", false, true, "All events with the same `user_id` share this key", `key("event", body.event_id)`, "first kept_apart"},
		{"N5, a batch", `key("s", body[0].sg_event_id)`, samples(`A [{"sg_event_id":"a"},{"sg_event_id":"b"},{"sg_event_id":"c"},{"sg_event_id":"d"}]`),
			"batch", true, false, "This sample holds 4 events. Only the first is named, so the others share its fate. Give each item of `body` a key of its own.", `key("s", item.sg_event_id)`, "first"},
		{"N5, a batch in a member", `key("s", body.value[1].id)`, samples(`A {"value":[{"id":1}]}`, `B {"value":[{"id":2},{"id":3}]}`),
			"batch", true, false, "Sample 2 holds 2 events. Only one of them is named", `key("s", item.id)`, "refused first"},
		{"N23, null", `key("s", body.ref)`, samples(`A {"ref":"x"}`, `B {"ref":null}`),
			"empty_part", true, false, "Sample 2 has null for `ref`. This event would be refused", "", "first refused"},
		{"N23, empty", `key("s", body.ref)`, samples(`A {"ref":"x"}`, `B {"ref":" "}`),
			"empty_part", true, false, "Sample 2 has nothing in `ref`.", "", "first refused"},
		{"attempt counter", `key("s", body.id, body.delivery_attempts)`, samples(`A {"id":1,"delivery_attempts":1}`, `B {"id":2,"delivery_attempts":1}`),
			"changes_on_every_try", false, true, "`delivery_attempts` usually changes on every try", `key("s", body.id)`, "first kept_apart"},
		{"list position", `key("s", body.l[0].id)`, samples(`A {"l":[{"id":1}]}`, `B {"l":[{"id":2}]}`),
			"list_position", false, true, "a place in a list", "", "first kept_apart"},
		{"personal data", `key("s", body.email)`, samples(`A {"email":"a@example.com"}`, `B {"email":"b@example.com"}`),
			"personal_data", false, true, "Email addresses do not belong in keys.", `key("s", digest(body.email))`, "first kept_apart"},
		{"no source", `key(body.id)`, samples(`A {"id":"evt_1","object":"event"}`, `B {"id":"evt_2","object":"event"}`),
			"no_source_prefix", false, true, "name of its source", `key("event", body.id)`, "first kept_apart"},
		{"no source, and no key(…)", `body.id`, samples(`A {"id":"evt_1","object":"event"}`, `B {"id":"evt_2","object":"event"}`),
			"no_source_prefix", false, true, "name of its source", `key("event", body.id)`, "first kept_apart"},
		{"peers 39, only capitals", `key("s", body.id)`, samples(`A {"id":"evt_A"}`, `B {"id":"evt_a"}`),
			"only_case", false, true, "Sample 2 differs from 1 only in capitals.", `key("s", digest(body.id))`, "first kept_apart"},
		{"copies differ in capitals", `key("s", body.id)`, samples(`A {"id":"x-A"}`, `A {"id":"X-a"}`, `B {"id":"y"}`),
			"copies_missed", true, false, "`id` differs in capitals", `key("s", fold(body.id))`, "first missed kept_apart"},
		{"peers 40, one time in two zones", `key("s", body.t)`, samples(`A {"t":"2024-01-01T02:00:00+02:00"}`, `A {"t":"2024-01-01T00:00:00Z"}`, `B {"t":"2025-01-01T00:00:00Z"}`),
			"copies_missed", true, false, "writes the same time in different ways", `key("s", time(body.t))`, "first missed kept_apart"},
		{"one sample", `key("s", body.id)`, samples(`A {"id":1}`),
			"few_samples", false, false, "With one sample nothing can be proved.", "", "first"},
		{"no sample", `key("s", body.id)`, nil,
			"few_samples", false, false, "There is no sample yet.", "", ""},
		{"one event", `key("s", body.id)`, samples(`A {"id":1}`, `A {"id":1}`),
			"few_samples", false, false, "Add a different event", "", "first copy_stopped"},
		{"bad sample", `key("s", body.id)`, samples(`A {"id":1}`, `B {"id":`),
			"bad_sample", true, false, "We could not read sample 2: line 1, column 7", "", "first refused"},
		{"formula error", `key("s", bdy.id)`, samples(`A {"id":1}`),
			"formula_error", true, false, "I do not know the field `bdy`. Did you mean `body`?", "", "refused"},
		{"samples without a group are events", `key("s", body.id)`, samples(`- {"id":1}`, `- {"id":1}`),
			"events_merged", true, false, "Events sample 1 and sample 2 would share one key", "", "first merged"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := e.Judge(t.Context(), &Rule{Key: tt.key, Samples: tt.samples})
			v, ok := find(j, tt.code)
			if !ok {
				t.Fatalf("no verdict %s: %+v", tt.code, j.Verdicts)
			}
			if v.Fail != tt.fail || j.OK != tt.ok || !strings.Contains(v.Text, tt.says) {
				t.Errorf("fail %v, OK %v, %q; want %v, %v, %q", v.Fail, j.OK, v.Text, tt.fail, tt.ok, tt.says)
			}
			fix := ""
			if v.Fix != nil {
				fix = v.Fix.Formula
			}
			if fix != tt.fix {
				t.Errorf("fix %q, want %q", fix, tt.fix)
			}
			var outcomes []string
			for _, s := range j.Samples {
				outcomes = append(outcomes, string(s.Outcome))
			}
			if got := strings.Join(outcomes, " "); got != tt.outcomes {
				t.Errorf("outcomes %q, want %q", got, tt.outcomes)
			}
		})
	}
}

// TestWhatIsNotProvedIsNotGood: the green line stands only where the samples prove
// something.
func TestWhatIsNotProvedIsNotGood(t *testing.T) {
	e := newEngine(t)
	for _, tt := range []struct {
		key     string
		samples []Sample
		want    string // codes
	}{
		{`key("s", body.event_id)`, samples(`A {"event_id":"x"}`), "few_samples stable_on_resend"},
		{`key("s", body.event_id)`, samples(`A {"event_id":"x"}`, `A {"event_id":"x"}`), "few_samples stable_on_resend"},
		{`key("s", body.event_id)`, samples(`A {"event_id":"x"}`, `B {"event_id":"y"}`), "all_good few_samples stable_on_resend"},
		{`key("s", body.amount)`, samples(`A {"amount":1}`, `B {"amount":2}`), "only_amount few_samples stable_on_resend"},
		{`key("s", body.user_id, body.event)`, samples(`A {"user_id":1,"event":"created"}`, `B {"user_id":2,"event":"created"}`), "all_good few_samples stable_on_resend"},
		{`key("s", body.customer_id, day(body.at, "UTC"))`, samples(`A {"customer_id":1,"at":"2024-01-01"}`, `B {"customer_id":1,"at":"2024-01-02"}`), "all_good few_samples stable_on_resend"},
		{`key("s", body.id, body.amount)`, samples(`A {"id":1,"amount":5}`, `B {"id":2,"amount":5}`), "all_good few_samples stable_on_resend"},
		{`key("s", body.lines[0].id)`, samples(`A {"lines":[{"id":1},{"id":2}]}`, `B {"lines":[{"id":3}]}`), "all_good list_position few_samples stable_on_resend"},
	} {
		j := e.Judge(t.Context(), &Rule{Key: tt.key, Samples: tt.samples})
		var codes []string
		for _, v := range j.Verdicts {
			codes = append(codes, string(v.Code))
		}
		if got := strings.Join(codes, " "); got != tt.want || j.OK != strings.HasPrefix(tt.want, "all_good") {
			t.Errorf("%s: %s, OK %v; want %s", tt.key, got, j.OK, tt.want)
		}
	}
}

// TestAFixMendsItsVerdict applies each fix and judges again.
func TestAFixMendsItsVerdict(t *testing.T) {
	e := newEngine(t)
	for _, key := range []string{`key("s", body.id, body.created)`, `key("s", body.type)`, `key("x")`, `key("s", body.created)`} {
		r := &Rule{Key: key, Samples: samples(`A {"id":1,"created":1700000010,"type":"p"}`, `A {"id":1,"created":1700000011,"type":"p"}`, `B {"id":2,"created":1700000012,"type":"p"}`)}
		j := e.Judge(t.Context(), r)
		if j.OK || j.Verdicts[0].Fix == nil {
			t.Errorf("%s: %+v", key, j.Verdicts)
			continue
		}
		r.Key = j.Verdicts[0].Fix.Formula
		if j = e.Judge(t.Context(), r); !j.OK {
			t.Errorf("%s became %s: %+v", key, r.Key, j.Verdicts)
		}
	}
}

// TestBug22ShowsWhereEachPartCameFrom: the parts' values stand beside the key.
func TestBug22ShowsWhereEachPartCameFrom(t *testing.T) {
	r := &Rule{Key: `key("s", body.id, lower(headers["x-id"]))`, Samples: []Sample{
		{Group: "A", Body: `{"id":1}`, Headers: map[string]string{"X-Id": "NEW:1"}}, {Group: "B", Body: `{"id":1}`, Headers: map[string]string{"X-Id": "NEW:2"}}}}
	j := newEngine(t).Judge(t.Context(), r)
	if got := fmt.Sprint(j.Samples[0].PartValues, j.Samples[1].PartValues); got != "[s 1 new%3A1] [s 1 new%3A2]" {
		t.Errorf("part values are %s", got)
	}
}

// TestPeers65TwentySamples: two real copies, one accidental collision.
func TestPeers65TwentySamples(t *testing.T) {
	r := &Rule{Key: `key("shop", body.number)`}
	for i := range 16 {
		r.Samples = append(r.Samples, Sample{Group: fmt.Sprint("order ", i), Body: fmt.Sprintf(`{"id":"o%d","number":%d}`, i, 100+i)})
	}
	for _, i := range []int{3, 7} {
		r.Samples = append(r.Samples, r.Samples[i])
	}
	r.Samples = append(r.Samples, Sample{Group: "order 90", Body: `{"id":"o90","number":104}`}, Sample{Group: "order 91", Body: `{"id":"o91","number":191}`})
	j := newEngine(t).Judge(t.Context(), r)
	shared := map[string][]int{}
	for _, s := range j.Samples {
		shared[s.Key] = append(shared[s.Key], s.Index)
	}
	groups := 0
	for _, s := range shared {
		if len(s) > 1 {
			groups++
		}
	}
	v, ok := find(j, "events_merged")
	if groups != 3 || !ok || !slices.Equal(v.Samples, []int{4, 18}) || v.Fix == nil || v.Fix.Formula != `key("shop", body.number, body.id)` {
		t.Errorf("%d groups share a key; verdict %+v", groups, v)
	}
	if j.Samples[16].Outcome != "copy_stopped" || j.Samples[17].Outcome != "copy_stopped" || j.Samples[18].Outcome != "merged" {
		t.Errorf("outcomes are %+v", j.Samples[16:])
	}
}

// TestBug59And60AMissingMemberIsNamed: the deepest path is named, and the optional
// form works.
func TestBug59And60AMissingMemberIsNamed(t *testing.T) {
	e := newEngine(t)
	with := samples(`A {"a":{"b":{"c":1}}}`, `B {}`)
	j := e.Judge(t.Context(), &Rule{Key: `key("s", body.a.b.c)`, Samples: with})
	if v, ok := find(j, "empty_part"); !ok || v.Path != "body.a.b.c" {
		t.Errorf("%+v", j.Verdicts)
	}
	j = e.Judge(t.Context(), &Rule{Key: `key("s", body.?a.?b.?c.orValue("none"))`, Samples: with})
	if !j.OK || j.Samples[1].Key != "s:none" {
		t.Errorf("%+v %+v", j.Samples, j.Verdicts)
	}
}

func TestJudgeWithEach(t *testing.T) {
	e := newEngine(t)
	r := &Rule{Key: `key("shop", body.id, item.line)`, Each: "body.lines", When: "item.qty > 0", Samples: samples(
		`A {"id":1,"lines":[{"line":1,"qty":1},{"line":2,"qty":1},{"line":3,"qty":0}]}`,
		`A {"id":1,"lines":[{"line":1,"qty":1},{"line":2,"qty":1},{"line":3,"qty":0}]}`,
		`B {"id":2,"lines":[{"line":1,"qty":1}]}`, `C {"id":3,"lines":[{"line":1,"qty":0}]}`)}
	j := e.Judge(t.Context(), r)
	if !j.OK || j.Samples[0].Key != "shop:1:1 · shop:1:2" || j.Samples[3].Outcome != "ignored" {
		t.Errorf("%+v %+v", j.Samples, j.Verdicts)
	}
	r.Key = `key("shop", body.id)`
	if v, ok := find(e.Judge(t.Context(), r), "events_merged"); !ok || !strings.Contains(v.Text, "Two items of sample 1 would share the key shop:1") {
		t.Errorf("%+v", v)
	}
}

// Where no sender is known, the rule's own name stands for the source.
func TestSourceOfTheRule(t *testing.T) {
	e := newEngine(t)
	for want, r := range map[string]Rule{
		`key("new-orders", body.id)`:           {Rule: "new-orders", Title: "Orders"},
		`key("bestellungen-pruefen", body.id)`: {Title: "Bestellungen prüfen"},
		`key("paypal", body.id)`:               {Rule: "new-orders", Sender: "paypal"},
		`key("event", body.id)`:                {},
	} {
		r.Key, r.Samples = `key(body.id)`, []Sample{{Body: `{"id":1}`}}
		v := verdictOf(e.Judge(t.Context(), &r), VerdictNoSourcePrefix)
		if v == nil || v.Fix == nil || v.Fix.Formula != want {
			t.Errorf("%+v, want %s", v, want)
		}
	}
}

func verdictOf(j Judgement, code VerdictCode) *Verdict {
	for i := range j.Verdicts {
		if j.Verdicts[i].Code == code {
			return &j.Verdicts[i]
		}
	}
	return nil
}
