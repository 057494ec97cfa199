package admin

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dedupedesk/app/deliveries"
	"dedupedesk/app/guard"
	"dedupedesk/frontend/page"
	"dedupedesk/rules"
)

// The bounds of a file that the page sends, in bytes: as base64 three are four.
const (
	maxTestFile = 20 << 20
	maxTestForm = 28 << 20
)

// maxTestTime bounds a test. What a listener allows for a page is less.
const maxTestTime = 30 * time.Second

// onCommandLine is what has no such bounds.
const onCommandLine = "`dedupe rule key FILE --rule NAME --groups` on the command line"

func (p *designer) fileRoutes() []guard.Route {
	routes := []guard.Route{{Pattern: "GET /design/test", Access: guard.Look, Handler: p.handle(p.filePage)}}
	for path, h := range map[string]handler{"": p.testFile, "/table": p.saveTable, "/add": p.addFromFile} {
		routes = append(routes, guard.Route{Pattern: "POST /design/test" + path, Access: guard.Change, MaxBody: maxTestForm, Handler: p.handle(h)})
	}
	return routes
}

// filePage is where many deliveries are run through a key at once.
func (p *designer) filePage(w http.ResponseWriter, r *http.Request) error {
	d, err := p.load(r.Context(), r.URL.Query().Get("draft"))
	if err != nil {
		return err
	}
	v := page.FileTestView{Draft: d.ID, Title: d.title(), May: mayChange(r), Most: maxTestFile}
	if _, fault := p.program(d); fault != nil {
		v.Off = fault.Error()
	}
	return p.show(w, r, http.StatusOK, place{Title: "Test with a file · " + d.title(), Active: "design"}, page.FileTest(v))
}

// program compiles a draft's rule, or says why it cannot be tested.
func (p *designer) program(d *draft) (*rules.Program, error) {
	if strings.TrimSpace(d.Rule.Key) == "" {
		return nil, &deliveries.Fault{Msg: "The key has no part yet. Make it from one or two samples first; then test it with a file."}
	}
	full := d.Rule.WithDefaults()
	if full.Rule == "" {
		full.Rule = "draft"
	}
	program, issues := p.Rules.Compile(&full)
	if len(issues) > 0 {
		return nil, &deliveries.Fault{Msg: "The rule has a fault, so nothing can be tested. " + issues[0].String()}
	}
	return program, nil
}

// A sentFile is a file as a form of the page carries it, opened.
type sentFile struct {
	*deliveries.File
	name  string
	draft *draft
}

// sent opens the file of a form. It returns a [*deliveries.Fault] for what the person
// can mend.
func (p *designer) sent(r *http.Request) (*sentFile, error) {
	if err := r.ParseForm(); err != nil {
		return nil, err
	}
	form := r.PostForm
	d, err := p.load(r.Context(), form.Get("draft"))
	if err != nil {
		return nil, err
	}
	data, err := dataOf(form)
	if err != nil {
		return nil, err
	}
	// A rule that goes through the body takes a list as one delivery.
	opt := deliveries.Options{Whole: strings.TrimSpace(d.Rule.Each) == "body", Column: strings.TrimSpace(form.Get("column")), Sheet: strings.TrimSpace(form.Get("sheet"))}
	name := filepath.Base(form.Get("name"))
	file, err := deliveries.Open(name, data, opt)
	if err != nil {
		return nil, err
	}
	return &sentFile{file, name, d}, nil
}

// dataOf returns the bytes that the page sent as base64, in the alphabet of addresses.
func dataOf(form url.Values) ([]byte, error) {
	if !form.Has("file") {
		return nil, &deliveries.Fault{Msg: "Choose a file first."}
	}
	data, err := base64.RawURLEncoding.DecodeString(form.Get("file"))
	switch {
	case err != nil:
		return nil, &deliveries.Fault{Msg: "The file did not arrive whole. Choose it again."}
	case len(data) > maxTestFile:
		return nil, &deliveries.Fault{Msg: "The file has more than 20 MB. Use " + onCommandLine + "."}
	}
	return data, nil
}

// run tests the file of a form.
func (p *designer) run(w http.ResponseWriter, r *http.Request) (*sentFile, *rules.Bulk, error) {
	// Where no listener stands behind w, nothing bounds it.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(maxTestTime + 10*time.Second))
	file, err := p.sent(r)
	if err != nil {
		return nil, nil, err
	}
	program, err := p.program(file.draft)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), maxTestTime)
	defer cancel()
	bulk, err := runAll(ctx, file.File, program)
	return file, bulk, err
}

// runAll runs all deliveries of a file through a rule.
func runAll(ctx context.Context, file *deliveries.File, program *rules.Program) (*rules.Bulk, error) {
	bulk := rules.NewBulk(program)
	for d := range file.All() {
		_, err := bulk.Add(ctx, d.Place(), d.Sample, d.Fault)
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			return nil, &deliveries.Fault{Msg: "The test took longer than 30 seconds and was stopped. Cut the file in two, or use " + onCommandLine + ", which takes its time."}
		case err != nil:
			return nil, err
		}
	}
	return bulk, nil
}

// testFile runs a file through the rule and answers with what was found.
func (p *designer) testFile(w http.ResponseWriter, r *http.Request) error {
	file, bulk, err := p.run(w, r)
	if err != nil {
		return p.fileFault(w, r, err)
	}
	return p.fragment(w, r, http.StatusOK, page.FileFound(foundView(file, bulk, guard.InWindow(r))))
}

// fileFault answers with a fault in words, and gives other errors back. A person who
// cancelled is told nothing.
func (d Desk) fileFault(w http.ResponseWriter, r *http.Request, err error) error {
	fault, ok := errors.AsType[*deliveries.Fault](err)
	switch {
	case ok:
		return d.fragment(w, r, http.StatusUnprocessableEntity, page.FileFault(fault.Msg))
	case errors.Is(err, context.Canceled) && r.Context().Err() != nil:
		return nil
	}
	return err
}

// addFromFile puts the two deliveries that a suspicion is about into the draft, as
// what they probably are: different events, or copies of one.
func (p *designer) addFromFile(w http.ResponseWriter, r *http.Request) error {
	file, err := p.sent(r)
	if err != nil {
		return p.fileFault(w, r, err)
	}
	var found []rules.Sample
	for d := range file.All() {
		if err := r.Context().Err(); err != nil {
			return p.fileFault(w, r, err)
		}
		if d.Fault == nil && slices.Contains(r.PostForm["place"], d.Place()) {
			d.Sample.Name = d.Place() + " of " + firstWords(file.name)
			found = append(found, d.Sample)
		}
	}
	if len(found) == 0 {
		return p.fileFault(w, r, &deliveries.Fault{Msg: "These deliveries are not in the file any more. Choose the file again."})
	}
	return p.fileFault(w, r, p.onDraft(func(w http.ResponseWriter, r *http.Request, t *turn) error {
		found := t.draft.grouped(found, t.form.Get("as") == "copies")
		editor := "/design/rule?draft=" + url.QueryEscape(t.draft.ID)
		if len(found) == 0 { // the person sees where they stand
			goTo(w, editor)
			return p.answer(w, r, t.draft, said{})
		}
		return p.apply(w, r, t, "samples/add", func(t *turn) error {
			full, err := p.addAll(t, found)
			if full {
				return &deliveries.Fault{Msg: fullDraft}
			}
			t.said.goTo = editor
			return err
		})
	})(w, r))
}

// grouped sorts new samples as copies of one event, or each as an event of its own. What
// is a sample already stays where the person put it, and is left out.
func (d *draft) grouped(found []rules.Sample, copies bool) []rules.Sample {
	trial := draft{Rule: rules.Rule{Samples: slices.Clone(d.Rule.Samples)}, Asked: d.Asked}
	trial.settle()
	var out []rules.Sample
	group := ""
	for _, s := range found {
		if at := slices.IndexFunc(trial.Rule.Samples, func(k rules.Sample) bool { return textOf(k) == textOf(s) }); at >= 0 {
			group = trial.Rule.Samples[at].Group
			continue
		}
		out = append(out, s)
	}
	for i := range out {
		if group == "" || !copies {
			group = trial.freeGroup()
		}
		out[i].Group = group
		trial.Rule.Samples = append(trial.Rule.Samples, out[i])
	}
	return out
}
