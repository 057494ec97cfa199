package exporters

// A Finding is what a validator has to say about one place of a file that a platform
// imports.
type Finding struct {
	Where  string // flow[2].branches[0].flow[1]; "" for the file as a whole
	Result string // Fail: the platform would not take or not run it; Warn: look at it
	Text   string // a plain sentence
}
