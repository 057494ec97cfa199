package wdl

import (
	"fmt"
	"strings"
)

// access reads a member or an element. With a question mark a missing one, or a
// parent that is null, gives null; a parent of the wrong kind is always a fault.
func (e *evaluator) access(a access) (value, error) {
	of, err := e.eval(a.of)
	if err != nil {
		return nil, err
	}
	key, err := e.eval(a.key)
	if err != nil {
		return nil, err
	}
	if c, ok := a.of.(call); ok && strings.EqualFold(c.name, "trigger") && !isText(key, "outputs") {
		at, _ := a.key.span()
		return nil, &evalError{at, fmt.Sprintf("Of trigger() this checker knows the outputs alone, not %s. Try the line in Power Automate itself.", render(key, shown))}
	}
	if name, ok := key.(string); ok && strings.Contains(name, "/") {
		return e.slash(a, of, name)
	}
	return e.read(a, of, key)
}

func isText(v value, text string) bool {
	s, ok := v.(string)
	return ok && strings.EqualFold(s, text)
}

// slash reads 'body/Editor/Email': a member of just that name, else step by step
// where the trigger's generation knows such paths.
func (e *evaluator) slash(a access, of value, path string) (value, error) {
	if o, ok := of.(*object); ok {
		if v, ok := o.get(path); ok {
			return v, nil
		}
	}
	if c, ok := a.of.(call); !ok || !strings.EqualFold(c.name, "triggerOutputs") {
		e.warn("A path with slashes (%s) works only directly behind triggerOutputs(). Here it is taken as one name.", Quote(path))
		return e.read(a, of, path)
	}
	if e.classic {
		e.warn("This trigger is of the classic kind, which takes %s as one name. Write triggerBody()?['…']?['…'].", Quote(path))
		return e.read(a, of, path)
	}
	v := of
	for _, name := range strings.Split(path, "/") {
		var err error
		if v, err = e.read(a, v, name); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (e *evaluator) read(a access, of, key value) (value, error) {
	at, _ := a.key.span()
	switch of := of.(type) {
	case nil:
		if a.safe {
			return nil, nil
		}
		return nil, &evalError{at, fmt.Sprintf("%s is empty (null), so %s cannot be read from it. Write ?[ instead of [.", e.t.text(a.of), render(key, shown))}
	case *object:
		return e.member(a, of, key)
	case []value:
		return e.element(a, of, key)
	default:
		return nil, &evalError{at, fmt.Sprintf("%s cannot be read from %s: it is %s, not an object. %s", render(key, shown), e.t.text(a.of), noun(of), sourceHint(key))}
	}
}

func sourceHint(key value) string {
	if s, ok := key.(string); ok && (strings.EqualFold(s, "Value") || strings.EqualFold(s, "Email")) {
		return "This column arrived as plain text: leave this step of the path out."
	}
	return "A question mark does not help here."
}

func (e *evaluator) member(a access, o *object, key value) (value, error) {
	at, _ := a.key.span()
	name, ok := key.(string)
	if !ok {
		return nil, &evalError{at, fmt.Sprintf("%s is an object; its properties are read by name, not by %s.", e.t.text(a.of), noun(key))}
	}
	if v, ok := o.get(name); ok {
		return v, nil
	}
	if internal := internalName(name); internal != name {
		if _, ok := o.get(internal); ok {
			e.warn("There is no property %s; the column's internal name is %s.", Quote(name), Quote(internal))
		}
	}
	if a.safe {
		return nil, nil
	}
	return nil, &evalError{at, fmt.Sprintf("%s has no property %s. Write ?[ if it may be missing. There are: %s.", e.t.text(a.of), Quote(name), some(o.names))}
}

func (e *evaluator) element(a access, list []value, key value) (value, error) {
	at, _ := a.key.span()
	n, ok := key.(number)
	if !ok {
		return nil, &evalError{at, fmt.Sprintf("%s is a list; its elements are read by number ([0] is the first), not by %s.", e.t.text(a.of), noun(key))}
	}
	i, ok := n.int64()
	if !ok || i < 0 {
		return nil, &evalError{at, fmt.Sprintf("%s is no place in a list. The first is 0.", n.text)}
	}
	if i < int64(len(list)) {
		return list[i], nil
	}
	if a.safe {
		return nil, nil
	}
	return nil, &evalError{at, fmt.Sprintf("%s has %d elements, so there is no element %d. The first is 0.", e.t.text(a.of), len(list), i)}
}

// internalName writes a column's display name as SharePoint stores it: a space
// is _x0020_.
func internalName(display string) string {
	return strings.ReplaceAll(display, " ", "_x0020_")
}

// some lists the first names.
func some(names []string) string {
	const most = 12
	if len(names) == 0 {
		return "none"
	}
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
