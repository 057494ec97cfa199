package wdl

// Misnamed says of the first function in line that does not exist, as far as is known
// here, that there is none, and what may be meant. It returns "" where all exist, and
// for a line that is no expression or cannot be read.
func Misnamed(line string) string {
	return firstFault(line, func(name string) bool {
		_, exists := find(name)
		_, reads := named(actionFunctions, name)
		return !exists && !reads
	})
}

// ReadsSteps says of the first function in a condition that reads a step of the flow,
// that a trigger has none before it. It returns "" in the same cases as [Misnamed].
func ReadsSteps(line string) string {
	return firstFault(line, func(name string) bool {
		_, reads := named(actionFunctions, name)
		return reads
	})
}

func firstFault(line string, wrong func(name string) bool) string {
	t, err := parseLine(line)
	if err != nil {
		return ""
	}
	reason := ""
	t.nodes(func(n node) {
		if c, ok := n.(call); ok && reason == "" && wrong(c.name) {
			reason = unknown(c.name)
		}
	})
	return reason
}
