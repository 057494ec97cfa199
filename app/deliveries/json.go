package deliveries

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"dedupedesk/rules"
)

// made returns a delivery of a text, or its fault where it is too large.
func made(unit string, number int, text string) Delivery {
	d := Delivery{Unit: unit, Number: number}
	if len(text) > MaxBody {
		d.Fault = fault("This delivery has more than %d KB.", MaxBody>>10)
		return d
	}
	d.Sample = rules.Sample{Name: d.Place(), Body: strings.Clone(text)} // not the whole file with it
	return d
}

func one(text string) *File {
	return &File{Kind: "one delivery", all: func(yield func(Delivery) bool) { yield(made("", 0, text)) }}
}

// lines returns a delivery for each line with text.
func lines(text, kind string) *File {
	return &File{Kind: kind, all: func(yield func(Delivery) bool) {
		number := 0
		for line := range strings.Lines(text) {
			number++
			if line = strings.TrimSpace(line); line != "" && !yield(made("line", number, line)) {
				return
			}
		}
	}}
}

// list returns the items of a JSON list, as they are written. A fault between two
// items ends it, and is told as that of the next one.
func list(text string) *File {
	return &File{Kind: "a JSON list", all: func(yield func(Delivery) bool) {
		in := json.NewDecoder(strings.NewReader(text))
		_, err := in.Token()
		number := 0
		for err == nil && in.More() {
			number++
			var item json.RawMessage
			if err = in.Decode(&item); err == nil && !yield(made("item", number, string(item))) {
				return
			}
		}
		if err == nil {
			number++
			if err = closed(in); err == nil && number > 1 {
				return
			}
		}
		yield(Delivery{Unit: "item", Number: number, Fault: brokenList(text, in.InputOffset(), err)})
	}}
}

var errAfter = errors.New("text after the list")

// closed reads the end of a list, after which nothing may follow.
func closed(in *json.Decoder) error {
	if _, err := in.Token(); err != nil {
		return err
	}
	switch _, err := in.Token(); {
	case errors.Is(err, io.EOF):
		return nil
	default:
		return errAfter
	}
}

// brokenList says what ended a list; without an error, it is empty.
func brokenList(text string, offset int64, err error) error {
	line := func(at int64) int { return 1 + strings.Count(text[:min(int(at), len(text))], "\n") }
	at, broken := errors.AsType[*json.SyntaxError](err)
	switch {
	case err == nil:
		return fault("The list is empty, so there is no delivery in it.")
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return fault("The list ends in the middle, at line %d: the file is cut off. What stands before was read.", line(int64(len(text))))
	case broken:
		offset = max(at.Offset, offset)
	}
	return fault("The list is broken at line %d, so nothing after it can be read.", line(offset))
}
