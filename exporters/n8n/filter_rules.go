package n8n

import (
	"maps"
	"slices"
)

// filters looks at the conditions of If, Filter and Switch wherever they stand among a
// node's parameters. An operator that n8n does not know counts as false without a word.
func (v *validator) filters(value any, at string) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			v.filters(item, at)
		}
	case map[string]any:
		list, isFilter := value["conditions"].([]any)
		if combinator, ok := value["combinator"].(string); ok && isFilter {
			if combinator != "and" && combinator != "or" {
				v.fail(at, "The conditions are joined by %q. It is and or or.", combinator)
			}
			for _, item := range list {
				v.condition(item, at)
			}
			return
		}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			v.filters(value[name], at)
		}
	}
}

func (v *validator) condition(value any, at string) {
	c, _ := value.(map[string]any)
	o, ok := c["operator"].(map[string]any)
	if !ok {
		v.fail(at, "A condition has no operator.")
		return
	}
	kind, _ := o["type"].(string)
	operation, _ := o["operation"].(string)
	if !slices.Contains(operations(kind), operation) {
		v.fail(at, "There is no operator %s of the type %q. n8n counts the condition as false and says nothing.", operation, kind)
	}
}

// operations follows n8n-workflow's filter-parameter of n8n 2.8.4, read 2026-12-01.
func operations(kind string) []string {
	all := []string{"exists", "notExists"}
	switch kind {
	case "string":
		return append(all, "empty", "notEmpty", "equals", "notEquals", "contains", "notContains", "startsWith", "notStartsWith", "endsWith", "notEndsWith", "regex", "notRegex")
	case "number":
		return append(all, "empty", "notEmpty", "equals", "notEquals", "gt", "lt", "gte", "lte")
	case "dateTime":
		return append(all, "empty", "notEmpty", "equals", "notEquals", "after", "before", "afterOrEquals", "beforeOrEquals")
	case "boolean":
		return append(all, "empty", "notEmpty", "true", "false", "equals", "notEquals")
	case "array":
		return append(all, "contains", "notContains", "lengthEquals", "lengthNotEquals", "lengthGt", "lengthLt", "lengthGte", "lengthLte", "empty", "notEmpty")
	case "object":
		return append(all, "empty", "notEmpty")
	}
	return nil
}
