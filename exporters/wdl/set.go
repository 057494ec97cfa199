package wdl

import (
	"slices"
	"strings"
)

var setFunctions = map[string]function{
	"union":          {name: "union", min: 2, max: -1, call: union},
	"intersection":   {name: "intersection", min: 1, max: -1, call: intersection},
	"reverse":        {name: "reverse", min: 1, max: 1, call: reverse},
	"sort":           {name: "sort", min: 1, max: 2, call: sortList},
	"chunk":          {name: "chunk", min: 2, max: 2, call: chunk},
	"addproperty":    {name: "addProperty", min: 3, max: 3, call: addProperty},
	"setproperty":    {name: "setProperty", min: 3, max: 3, call: setProperty},
	"removeproperty": {name: "removeProperty", min: 2, max: 2, call: removeProperty},
}

func argList(name string, args []value, i int) ([]value, error) {
	if list, ok := args[i].([]value); ok {
		return list, nil
	}
	return nil, fault(i, "%s needs a list here, but this is %s.", name, noun(args[i]))
}

func argObject(name string, args []value, i int) (*object, error) {
	if o, ok := args[i].(*object); ok {
		return o, nil
	}
	return nil, fault(i, "%s needs an object here, but this is %s.", name, noun(args[i]))
}

func holds(list []value, v value) bool {
	return slices.ContainsFunc(list, func(other value) bool { return equal(other, v) })
}

// compared bounds the work of comparing each element with each other, which a line
// can ask for a few hundred times.
const compared = 250

// lists reads all arguments as lists that are short enough to compare.
func lists(name string, args []value) ([][]value, error) {
	var all [][]value
	for i := range args {
		list, err := argList(name, args, i)
		if err != nil {
			return nil, err
		}
		if len(list) > compared {
			return nil, fault(i, "%s: this checker compares at most %d elements.", name, compared)
		}
		all = append(all, list)
	}
	return all, nil
}

func union(_ *evaluator, args []value) (value, error) {
	if _, ok := args[0].(*object); ok {
		return mergeObjects(args)
	}
	all, err := lists("union", args)
	if err != nil {
		return nil, err
	}
	result := []value{}
	for _, v := range slices.Concat(all...) {
		if !holds(result, v) {
			result = append(result, v)
		}
		if len(result) > compared {
			return nil, fault(-1, "union: this checker compares at most %d elements.", compared)
		}
	}
	return result, nil
}

// mergeObjects takes the last of two members with one name.
func mergeObjects(args []value) (value, error) {
	result := newObject()
	for i := range args {
		o, err := argObject("union", args, i)
		if err != nil {
			return nil, err
		}
		for _, name := range o.names {
			result.set(name, o.values[name])
		}
	}
	return result, nil
}

func intersection(e *evaluator, args []value) (value, error) {
	if first, ok := args[0].(*object); ok {
		return commonMembers(first, args)
	}
	all, err := lists("intersection", args)
	if err != nil {
		return nil, err
	}
	result := []value{}
	for _, v := range all[0] {
		everywhere := !holds(result, v)
		for _, list := range all[1:] {
			everywhere = everywhere && holds(list, v)
		}
		if everywhere {
			result = append(result, v)
		}
	}
	return result, nil
}

func commonMembers(first *object, args []value) (value, error) {
	result := newObject()
	for _, name := range first.names {
		everywhere := true
		for i := range args {
			o, err := argObject("intersection", args, i)
			if err != nil {
				return nil, err
			}
			v, ok := o.values[name]
			everywhere = everywhere && ok && equal(v, first.values[name])
		}
		if everywhere {
			result.set(name, first.values[name])
		}
	}
	return result, nil
}

func reverse(_ *evaluator, args []value) (value, error) {
	list, err := argList("reverse", args, 0)
	if err != nil {
		return nil, err
	}
	list = slices.Clone(list)
	slices.Reverse(list)
	return list, nil
}

// sortList orders numbers, or texts, or objects by one of their members. How the
// service orders texts that are no plain letters is not confirmed.
func sortList(e *evaluator, args []value) (value, error) {
	list, err := argList("sort", args, 0)
	if err != nil {
		return nil, err
	}
	keys := list
	if len(args) == 2 {
		if keys, err = membersOf(list, args); err != nil {
			return nil, err
		}
	}
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
		if kind(keys[i]) != kind(keys[0]) || kind(keys[i]) != "number" && kind(keys[i]) != "text" {
			return nil, fault(0, "sort: this checker orders numbers or texts, and all elements have to be of one kind.")
		}
		if s, ok := keys[i].(string); ok && strings.ContainsFunc(s, func(r rune) bool { return r > 'z' || r < '0' }) || ok && strings.ToLower(s) != s {
			e.warn("How the service orders capitals, accents and other marks is not confirmed.")
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if n, ok := keys[a].(number); ok {
			return n.rat.Cmp(keys[b].(number).rat)
		}
		return compareUnits(keys[a].(string), keys[b].(string))
	})
	result := make([]value, len(list))
	for i, at := range order {
		result[i] = list[at]
	}
	return result, nil
}

func membersOf(list, args []value) ([]value, error) {
	name, err := argText("sort", args, 1)
	if err != nil {
		return nil, err
	}
	var keys []value
	for _, v := range list {
		o, ok := v.(*object)
		if !ok {
			return nil, fault(0, "sort by a name needs a list of objects.")
		}
		key, _ := o.get(name)
		keys = append(keys, key)
	}
	return keys, nil
}

func chunk(_ *evaluator, args []value) (value, error) {
	size, err := argInt("chunk", args, 1)
	if err != nil {
		return nil, err
	}
	if size < 1 {
		return nil, fault(1, "chunk needs a length of 1 or more.")
	}
	result := []value{}
	switch of := args[0].(type) {
	case string:
		for units := range slices.Chunk(unitsOf(of), int(min(size, maxResult))) {
			result = append(result, textOfUnits(units))
		}
	case []value:
		for part := range slices.Chunk(of, int(min(size, maxResult))) {
			result = append(result, slices.Clone(part))
		}
	default:
		return nil, fault(0, "chunk needs text or a list here, but this is %s.", noun(of))
	}
	return result, nil
}

// copyOf is o with room for a change.
func copyOf(o *object) *object {
	c := newObject()
	for _, name := range o.names {
		c.set(name, o.values[name])
	}
	return c
}

func addProperty(_ *evaluator, args []value) (value, error) {
	o, name, err := property("addProperty", args)
	if err != nil {
		return nil, err
	}
	if _, there := o.get(name); there {
		return nil, fault(1, "addProperty: there is a property %s already. Use setProperty.", Quote(name))
	}
	o.set(name, args[2])
	return o, nil
}

func setProperty(_ *evaluator, args []value) (value, error) {
	o, name, err := property("setProperty", args)
	if err != nil {
		return nil, err
	}
	o.set(o.spelled(name), args[2])
	return o, nil
}

func removeProperty(_ *evaluator, args []value) (value, error) {
	o, name, err := property("removeProperty", args)
	if err != nil {
		return nil, err
	}
	o.remove(o.spelled(name))
	return o, nil
}

// property reads (object, name) and copies the object.
func property(name string, args []value) (*object, string, error) {
	o, err := argObject(name, args, 0)
	if err != nil {
		return nil, "", err
	}
	member, err := argText(name, args, 1)
	return copyOf(o), member, err
}
