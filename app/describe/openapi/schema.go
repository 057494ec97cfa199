package openapi

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"dedupedesk/app/describe"
)

// schemaName returns what a type of the house is called in a document.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.PkgPath() == "dedupedesk/app/problem" && name == "Body" {
		return "Problem"
	}
	return name
}

// schemaOf returns the schema of a value's type.
func (w *writer) schemaOf(v any) *huma.Schema {
	if list, ok := v.(describe.Results); ok {
		return &huma.Schema{
			Type: huma.TypeObject, Required: []string{"results"}, AdditionalProperties: false,
			Properties: map[string]*huma.Schema{"results": {Type: huma.TypeArray, Items: w.either(list), Description: "The answers, in input order."}},
		}
	}
	return w.schemas.Schema(reflect.TypeOf(v), true, "")
}

// either returns the schema of a value that has one of several types.
func (w *writer) either(values []any) *huma.Schema {
	if len(values) == 1 {
		return w.schemaOf(values[0])
	}
	s := &huma.Schema{}
	for _, v := range values {
		s.AnyOf = append(s.AnyOf, w.schemaOf(v))
	}
	return s
}

// notNull says of all lists that they are never null, as the house writes them.
func notNull(schemas huma.Registry) {
	for _, s := range schemas.Map() {
		for _, p := range s.Properties {
			p.Nullable = false
		}
	}
}

// members returns the schema of an object with exactly these members.
func members(fields []describe.Field, of func(describe.Field) *huma.Schema) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{}, AdditionalProperties: false}
	for _, f := range fields {
		p := of(f)
		p.Title, p.Description = f.Title, f.Text
		if f.Example != nil && p.Type != huma.TypeString {
			p.Examples = []any{f.Example}
		}
		s.Properties[f.Name] = p
	}
	return s
}

// typed returns the schema of a member of a JSON object.
func typed(f describe.Field) *huma.Schema {
	text, number := &huma.Schema{Type: huma.TypeString}, &huma.Schema{Type: huma.TypeNumber}
	switch f.Kind {
	case describe.Text, describe.Duration:
		s := &huma.Schema{AnyOf: []*huma.Schema{text, number}}
		if f.Null {
			s.AnyOf = append(s.AnyOf, &huma.Schema{Type: "null"})
		}
		return s
	case describe.Whole:
		return &huma.Schema{Type: huma.TypeInteger}
	case describe.Flag:
		return &huma.Schema{Type: huma.TypeBoolean}
	case describe.Parts:
		one := []*huma.Schema{text, number, {Type: huma.TypeBoolean}}
		list := &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{AnyOf: one}}
		return &huma.Schema{AnyOf: append([]*huma.Schema{list}, one...)}
	case describe.Map:
		return &huma.Schema{AnyOf: []*huma.Schema{{Type: huma.TypeObject}, text}}
	case describe.List:
		return &huma.Schema{AnyOf: []*huma.Schema{{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeObject}}, text}}
	case describe.Any:
		return &huma.Schema{}
	}
	return plain(f)
}

// plain returns the schema of a field in a form or in the address, where all is text.
func plain(f describe.Field) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	switch f.Kind {
	case describe.Whole:
		s.Type = huma.TypeInteger
	case describe.Moment:
		s.Format = "date-time"
	case describe.Choice:
		for _, c := range f.Choices {
			s.Enum = append(s.Enum, c)
		}
	case describe.Parts:
		s = &huma.Schema{Type: huma.TypeArray, Items: s}
	}
	return s
}
