package rules

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/ref"
)

// maxTaken is how many bytes a formula may take altogether before it is stopped.
const maxTaken = 64 << 20

// hostileEvent has 2,000 items, 5,000 fields and texts of 20, 64 and 200 KB.
func hostileEvent(tb testing.TB) Event {
	tb.Helper()
	fields := Object{}
	for i := range 5000 {
		fields[fmt.Sprintf("field%d", i)] = int64(i)
	}
	items := make([]any, 2000)
	for i := range items {
		items[i] = "item"
	}
	return Event{Body: Object{
		"l": items, "o": fields, "t": strings.Repeat("a", 20_000), "text": strings.Repeat("a", 64<<10), "big": strings.Repeat("é", 100_000),
	}}
}

// taken runs f and returns the bytes that it took, given back or not.
func taken(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// hostile are formulas that are small and cost much: three loops and more in one
// another are refused before they run.
var hostile = []string{
	// loops
	`key(body.l.map(x, body.l.map(y, x + y)).size())`,
	`key(body.l.all(x, body.l.all(y, x in body.l)))`,
	`key(lists.range(1000000).size())`,
	`key(lists.range(10000).map(x, lists.range(10000).size()).size())`,
	`key(lists.range(10000).map(x, lists.range(30).map(y, {"a": x, "b": y})).size())`,
	`key(body.l.map(x, math.greatest(lists.range(10000))).size())`,
	// text that grows
	`key(body.t.replace("", body.t).size())`,
	`key(body.t.replace("a", body.t).size())`,
	`key(body.l.map(x, body.big + body.big).size())`,
	`key(body.l.map(x, body.big.lowerAscii()).size())`,
	`key(body.l.map(x, body.big.replace("é", "éé")).size())`,
	`key(body.l.join(body.t).size())`,
	`key(body.l.map(x, body.t.split("")).size())`,
	`key(body.l.map(x, body.t.reverse()).size())`,
	`key(body.l.map(x, fold(body.big)).size())`,
	`key("%s%s%s".format([body.l.map(x, body.big), 1, 2]).size())`,
	`key(digest("<%.1000000f x 100>".format([1.5])))`,
	`key("%%%.101f".format([1.5]))`,
	// searches that start over at every letter
	`key(body.big.indexOf(body.big.substring(0, 50000) + "b"))`,
	`key(body.big.lastIndexOf("b" + body.big.substring(0, 50000)))`,
	`key(body.text.matches("(a?){120}b"))`,
	`key(body.l.all(x, body.text.matches("(a?){20}b")))`,
	`key(body.big.matches("(é*)*x"))`,
	`key(body.t.matches("a{1000}" + body.l[0]))`,
	`key(regex.extract(body.text, "(a?){120}b").hasValue())`,
	`key(regex.extractAll(body.text, "a*b|a").size())`,
	`key(regex.extractAll(body.text, "()()()()()()()()()()()()()()()()()()()()()()()()").size())`,
	`key(regex.replace(body.text, "^a|a*b|a", "x").size())`,
	`key(regex.replace(body.text, "\\Ba*b|a", "x", 1).size())`,
	`key(regex.replace(body.t, "a", body.t).size())`,
	// lists in lists, cheap to make and long to walk
	`key(body.l.map(x, body) == body.l.map(x, body))`,
	`key(body.l.map(x, body) != body.l.map(x, body))`,
	`key(body.l.map(x, body) in [body.l.map(x, body)])`,
	`key(body in body.l.map(x, body))`,
	`key(body.l.map(x, digest(body.big)).size())`,
	`key(json(body.lists).size())`,
	`key(body.l.map(x, json(body.maps)).size())`,
	`key(body.l.map(x, [body.l, body.l, body.l].flatten()).size())`,
	`key(body.l.map(x, body.l.distinct()).size())`,
	`key(body.l.map(x, body.big).sort().size())`,
	`key(body.l.map(x, omit(body.o, ["field1"])).size())`,
	// time zones
	`key(body.l.map(x, day("2024-01-01", "America/New_York")).size())`,
	`key(lists.range(10000).map(x, timestamp("2024-01-01T00:00:00Z").getHours("America/New_York")).size())`,
}

// TestPeers66HeavyFormulasAreStopped demands the right code and little memory; how
// long it took is printed.
func TestPeers66HeavyFormulasAreStopped(t *testing.T) {
	e, event := newEngine(t), hostileEvent(t)
	body, _ := event.Body.(Object)
	body["lists"], body["maps"] = "["+strings.Repeat("[],", 300_000)+"1]", "["+strings.Repeat("{},", 20_000)+"1]"
	for _, formula := range hostile {
		p := mustCompile(t, e, &Rule{Key: formula})
		var keyed []Keyed
		var err error
		start := time.Now()
		made := taken(func() { keyed, err = p.Keys(t.Context(), event) })
		t.Logf("%v, %d MB: %s", time.Since(start).Round(time.Millisecond), made>>20, formula)
		if err == nil {
			t.Errorf("%s was not stopped: %v", formula, keyed)
			continue
		}
		if code := codeOf(t, err); code != "too_much_work" || made > maxTaken {
			t.Errorf("%s: %s and %d MB, want too_much_work and at most %d", formula, code, made>>20, maxTaken>>20)
		}
	}
}

// TestPeers66TheOtherFormulasOfARuleAreStopped: condition, list and fingerprint have
// the same bounds, and what they hand on too.
func TestPeers66TheOtherFormulasOfARuleAreStopped(t *testing.T) {
	e, event := newEngine(t), hostileEvent(t)
	many := strings.TrimSuffix(strings.Repeat("a,", 600), ",")
	nested := `[1].map(a, [` + many + `]).map(a, [` + many + `])` // 360,000 items
	for _, r := range []*Rule{
		{Key: `key("a")`, When: `body.l.map(x, body) == body.l.map(x, body)`},
		{Key: `key("a")`, Fingerprint: []string{`body.l.map(x, body)`}},
		{Key: `key("a")`, Fingerprint: []string{nested}},
		{Key: `key("a")`, Fingerprint: slicesOf(`body`, maxFingerprint)},
		{Key: `key("a")`, Each: `lists.range(400).map(x, [body.l, body.l, body.l])`},
		{Key: `key("a")`, Each: `lists.range(501)`},
	} {
		p := mustCompile(t, e, r)
		var err error
		made := taken(func() { _, err = p.Keys(t.Context(), event) })
		if err == nil || codeOf(t, err) != "too_much_work" || made > maxTaken {
			t.Errorf("%.80v: %v and %d MB", r, err, made>>20)
		}
	}
}

// TestPeers66TheEditorStopsToo: it does not wait for every sample in turn.
func TestPeers66TheEditorStopsToo(t *testing.T) {
	body := string(EncodeJSON(hostileEvent(t).Body))
	r := &Rule{Key: `key(body.l.all(x, body.l.all(y, x in body.l)), body.t)`}
	for range 20 {
		r.Samples = append(r.Samples, Sample{Body: body})
	}
	stopped := 0
	for _, s := range newEngine(t).Judge(t.Context(), r).Samples {
		if s.Err == nil || s.Err.Code != KeyTooMuchWork {
			t.Errorf("sample %d: %v", s.Index+1, s.Err)
		} else if strings.Contains(s.Err.Msg, "before this sample") {
			stopped++
		}
	}
	if stopped == 0 {
		t.Error("every sample was tried")
	}
}

// TestPeers66HeavyFormulasAreRefusedWhileWritten: what the parser and the checker take.
func TestPeers66HeavyFormulasAreRefusedWhileWritten(t *testing.T) {
	e := newEngine(t)
	long := func(head, repeated, tail string) string {
		return head + strings.Repeat(repeated, (MaxFormula-len(head)-len(tail))/len(repeated)) + tail
	}
	for _, r := range []*Rule{
		{Key: strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300)},
		{Key: `key("` + strings.Repeat("x", 200_000) + `")`},
		{Key: `key(body.a.map(x, body.a.map(y, body.a.map(z, 1))).size())`},
		{Key: long(`key(`, `1,`, `2)`)},
		{Key: long(`key([`, `1,`, `2].size())`)},
		{Key: long(`key({`, `1:1,`, `2:2}.size())`)},
		{Key: long(`key(body`, `.a`, `)`)},
		{Key: long(`key(body`, `[0]`, `)`)},
		{Key: long(`key(1`, `+1`, `)`)},
		{Key: long(`key(`, `true?1:`, `2)`)},
		{Key: long(`key(body`, `.map(x,x)`, `)`)},
		{Key: long(`key(`, `body.a.matches("(a{100}){10}")&&`, `true)`)},
		{Key: long(`key(`, `key(`, ``)},
		{Key: `key("a")`, Fingerprint: slicesOf(long(`[`, `1,`, `1]`), maxFingerprint)},
		{Key: `key("a")`, Fingerprint: slicesOf(long(`[`, `1,`, `1]`), 1000)},
	} {
		var p *Program
		var issues []Issue
		made := taken(func() { p, issues = e.Compile(r) })
		if p != nil || len(issues) == 0 || made > maxTaken {
			t.Errorf("%.60q and %d more: %v after %d MB", r.Key, len(r.Fingerprint), issues, made>>20)
		}
	}
}

func slicesOf(s string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}

// TestWhatIsNotHostilePasses: the same calls on what events hold.
func TestWhatIsNotHostilePasses(t *testing.T) {
	mail := strings.Repeat("Dear Robin, your order #1042 of 2026-01-31 is paid. ", 300) // 15 KB
	p := mustCompile(t, newEngine(t), &Rule{
		Key: `key(regex.extract(body.mail, "#([0-9]+)").orValue("none"), regex.extractAll(body.mail, "[0-9]{4}-[0-9]{2}-[0-9]{2}").size(),
			regex.replace(body.mail, "\\s+", " ").size(), body.mail.indexOf("order #1042 of"), body.mail.matches("(?i)PAID\\.\\s*$"),
			body.list == body.list, "a" in body.list, digest(body), body.list.map(x, lower(x)).sort().join("-").size())`,
		Fingerprint: []string{"body"},
	})
	list := make([]any, 500)
	for i := range list {
		list[i] = fmt.Sprintf("Line %d", i)
	}
	keyed, err := p.Keys(t.Context(), Event{Body: Object{"mail": mail, "list": list}})
	for try := 0; err != nil && try < 20; try++ { // a busy machine may take the time of an evaluation away
		keyed, err = p.Keys(t.Context(), Event{Body: Object{"mail": mail, "list": list}})
	}
	if err != nil || !strings.HasPrefix(keyed[0].Key, "1042:300:15600:17:true:true:false:") {
		t.Errorf("%v, %v", keyed, err)
	}
}

// TestAPanicInsideIsAnError: a fault of a library stops one event, not the program.
func TestAPanicInsideIsAnError(t *testing.T) {
	f := &formula{place: "key", program: panics{}}
	_, err := f.run(t.Context(), &scope{})
	if fault, ok := errors.AsType[*KeyError](err); !ok || fault.Code != KeyFormula {
		t.Errorf("%v", err)
	}
}

// panics is a program that breaks whenever it runs.
type panics struct{ cel.Program }

func (panics) ContextEval(context.Context, any) (ref.Val, *cel.EvalDetails, error) { panic("broken") }

// BenchmarkHostile prints how long each takes until it is stopped.
func BenchmarkHostile(b *testing.B) {
	e, event := newEngine(b), hostileEvent(b)
	for _, formula := range hostile {
		p := mustCompile(b, e, &Rule{Key: formula})
		b.Run(formula, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Keys(b.Context(), event); err == nil {
					b.Fatal("not stopped")
				}
			}
		})
	}
}
