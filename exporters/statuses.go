package exporters

// Claimed is the one status of an answer that lets the work go on.
const Claimed = "claimed"

// Statuses returns every status that this program answers a claim of one event with, as
// the first [Claimed], then those that end an event quietly. An answer with any other,
// or with none, came from somebody else: it must never end an event in silence.
func Statuses() []string {
	return []string{Claimed, "done", "in_progress", "held", "mismatch", "ignored"}
}
