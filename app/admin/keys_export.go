package admin

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"time"

	"dedupedesk/app/problem"
	"dedupedesk/app/transfer"
	"dedupedesk/ledger"
)

// exportPace is how long a part of an export may take on its way.
const exportPace = time.Minute

// exportKeys answers with a file of exactly the keys that the address lists on all of its
// pages, in their order. It is sent while it is read, a spreadsheet when it is whole.
func (d Desk) exportKeys(w http.ResponseWriter, r *http.Request) error {
	f, err := parseKeysFilter(r.URL.Query())
	if err != nil {
		return err
	}
	f.Cursor, f.Back = "", false
	format := transfer.Format(r.URL.Query().Get("as"))
	kind, err := tableKind(format)
	if err != nil {
		return err
	}
	name := "keys-" + d.Clock.Now().UTC().Format("2006-01-02") + "." + string(format)
	if format == transfer.XLSX {
		var book bytes.Buffer
		if err := d.writeSheet(r, f, &book); err != nil {
			return err
		}
		save(w, name, kind, book.Bytes())
		return nil
	}
	// What is wrong with the filter is told before a byte of the file is sent.
	if _, err := d.findKeys(r, f); err != nil {
		return err
	}
	slow := &patient{w, http.NewResponseController(w)}
	save(slow, name, kind, nil)
	out, err := transfer.NewWriter(slow, format)
	if err == nil {
		err = d.walkKeys(r, f, out.Write)
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		// The file has begun: to break it off is the only way left to say that it is not
		// whole.
		if r.Context().Err() == nil {
			d.Log.Error("keys not exported", "cause", err)
		}
		panic(http.ErrAbortHandler)
	}
	return nil
}

// A patient writer lets each part of an answer take its time.
type patient struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (p *patient) Write(b []byte) (int, error) {
	// Where no listener stands behind it, nothing bounds it.
	_ = p.control.SetWriteDeadline(time.Now().Add(exportPace))
	return p.ResponseWriter.Write(b)
}

// writeSheet writes the keys as a spreadsheet.
func (d Desk) writeSheet(r *http.Request, f keysFilter, to io.Writer) error {
	var read error
	rows := func(yield func([]any) bool) {
		n := 0
		read = d.walkKeys(r, f, func(k ledger.Key) error {
			if n++; n > transfer.MaxSheetRows {
				return problem.New(http.StatusUnprocessableEntity, "too_many", "A spreadsheet has no room for so many keys. Save them as CSV, or narrow the filter.")
			}
			if !yield(transfer.KeyCells(k)) {
				return errors.New("the spreadsheet was not written")
			}
			return nil
		})
	}
	err := transfer.WriteTable(to, transfer.XLSX, transfer.KeyColumns(), rows)
	if read != nil {
		return read
	}
	return err
}

// walkKeys hands every key that f lists to each.
func (d Desk) walkKeys(r *http.Request, f keysFilter, each func(ledger.Key) error) error {
	if f.Query != "" && f.Match == matchExact {
		found, err := d.findKeys(r, f)
		for _, k := range found.Keys {
			err = errors.Join(err, each(k))
		}
		return err
	}
	q := ledger.KeyQuery{Rule: f.Rule, View: f.View, Since: f.from(d.Clock.Now()), Limit: 200}
	if f.Match == matchStart {
		q.Prefix = f.Query
	}
	for {
		found, err := d.Ledger.Keys(r.Context(), q)
		if err != nil {
			return err
		}
		for _, k := range found.Keys {
			if !f.holds(k.Key) {
				continue
			}
			if err := each(k); err != nil {
				return err
			}
		}
		if q.Cursor = found.Next; q.Cursor == "" {
			return nil
		}
	}
}
