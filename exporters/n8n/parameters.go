package n8n

// none is a parameter group without entries, which n8n writes as {}.
type none struct{}

type webhookParameters struct {
	HTTPMethod   string `json:"httpMethod"`
	Path         string `json:"path"`
	ResponseMode string `json:"responseMode"`
	ResponseData string `json:"responseData,omitempty"`
	Options      none   `json:"options"`
}

type scheduleParameters struct {
	Rule scheduleRule `json:"rule"`
}

type scheduleRule struct {
	Interval []interval `json:"interval"`
}

type interval struct {
	Field string `json:"field"`
}

// setParameters makes one object of an expression that gives its JSON.
type setParameters struct {
	Mode       string `json:"mode"` // raw
	JSONOutput string `json:"jsonOutput"`
	Options    none   `json:"options"`
}

type httpParameters struct {
	Method          string      `json:"method"`
	URL             string      `json:"url"`
	Authentication  string      `json:"authentication,omitempty"`
	GenericAuthType string      `json:"genericAuthType,omitempty"`
	SendBody        bool        `json:"sendBody"`
	SpecifyBody     string      `json:"specifyBody"`
	JSONBody        string      `json:"jsonBody"`
	Options         httpOptions `json:"options"`
}

type httpOptions struct {
	Timeout  int           `json:"timeout,omitempty"` // milliseconds
	Response *httpResponse `json:"response,omitempty"`
}

type httpResponse struct {
	Response httpWhole `json:"response"`
}

// httpWhole makes one item of an answer, with its body under body.
type httpWhole struct {
	FullResponse bool `json:"fullResponse"`
}

// filter is a group of conditions.
type filter struct {
	Options    filterOptions `json:"options"`
	Combinator string        `json:"combinator"` // and, or
	Conditions []condition   `json:"conditions"`
}

type filterOptions struct {
	CaseSensitive  bool   `json:"caseSensitive"`
	LeftValue      string `json:"leftValue"`
	TypeValidation string `json:"typeValidation"`
	Version        int    `json:"version"`
}

type condition struct {
	ID         string   `json:"id"`
	LeftValue  string   `json:"leftValue"`
	RightValue string   `json:"rightValue"`
	Operator   operator `json:"operator"`
}

type operator struct {
	Type        string `json:"type"`
	Operation   string `json:"operation"`
	SingleValue bool   `json:"singleValue,omitempty"`
}

type ifParameters struct {
	Conditions filter `json:"conditions"`
	Options    none   `json:"options"`
}

type switchParameters struct {
	Mode    string        `json:"mode"`
	Rules   switchRules   `json:"rules"`
	Options switchOptions `json:"options"`
}

type switchRules struct {
	Values []switchRule `json:"values"`
}

type switchRule struct {
	Conditions   filter `json:"conditions"`
	RenameOutput bool   `json:"renameOutput"`
	OutputKey    string `json:"outputKey"`
}

type switchOptions struct {
	FallbackOutput       string `json:"fallbackOutput"` // extra
	RenameFallbackOutput string `json:"renameFallbackOutput"`
}

type stopParameters struct {
	ErrorMessage string `json:"errorMessage"`
}

type splitParameters struct {
	FieldToSplitOut string `json:"fieldToSplitOut"`
	Include         string `json:"include,omitempty"`
	Options         none   `json:"options"`
}

type loopParameters struct {
	BatchSize int         `json:"batchSize"`
	Options   loopOptions `json:"options"`
}

type loopOptions struct {
	Reset string `json:"reset"` // an expression: begin anew
}

// equals is a group whose conditions compare a text with others; one of them is enough.
func equals(left string, rights ...string) filter {
	f := filter{Options: filterOptions{CaseSensitive: true, TypeValidation: "strict", Version: 2}, Combinator: "or"}
	for _, right := range rights {
		f.Conditions = append(f.Conditions, condition{ID: right, LeftValue: left, RightValue: right, Operator: operator{Type: "string", Operation: "equals"}})
	}
	return f
}

// holds is a group that asks whether an expression is true.
func holds(expression string) filter {
	f := filter{Options: filterOptions{CaseSensitive: true, TypeValidation: "strict", Version: 2}, Combinator: "and"}
	f.Conditions = []condition{{ID: "holds", LeftValue: expression, Operator: operator{Type: "boolean", Operation: "true", SingleValue: true}}}
	return f
}
