package body

// CaughtStatus is the status of an event that an editor took as a sample.
const CaughtStatus = "caught"

// Caught is the answer to an event that was sent to an editor.
type Caught struct {
	Status string `json:"status" enum:"caught" doc:"The editor has it."`
	Run    bool   `json:"run" doc:"Always false: nothing was claimed."`
	Reason string `json:"reason" doc:"One plain sentence."`
}
