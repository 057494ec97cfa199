package makecom

import "encoding/json"

// What stands in the mappers and parameters of the modules that are written here.

type none struct{}

// null is the mapper of modules that Make wants with an explicit null.
func null() json.RawMessage { return json.RawMessage("null") }

type httpParameters struct {
	AuthenticationType string `json:"authenticationType"`
}

// An httpCall is the mapper of HTTP > Make a request, version 4.
type httpCall struct {
	URL                      string `json:"url"`
	Method                   string `json:"method"`
	Headers                  []pair `json:"headers"`
	QueryParameters          []pair `json:"queryParameters"`
	ContentType              string `json:"contentType"`
	URLEncodedBodyContent    []pair `json:"urlEncodedBodyContent"`
	ParseResponse            bool   `json:"parseResponse"`
	StopOnHTTPError          bool   `json:"stopOnHttpError"`
	AllowRedirects           bool   `json:"allowRedirects"`
	ShareCookies             bool   `json:"shareCookies"`
	RequestCompressedContent bool   `json:"requestCompressedContent"`
	Timeout                  int    `json:"timeout"` // seconds
}

type pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A response is the mapper of Webhooks > Webhook response. Its headers have a
// key where those of the HTTP module have a name.
type response struct {
	Status  string     `json:"status"`
	Body    string     `json:"body"`
	Headers []keyValue `json:"headers"`
}

type keyValue struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

type compose struct {
	Value string `json:"value"`
}

// A breakRule is the mapper of the directive Break. Exports write its numbers as
// text.
type breakRule struct {
	Retry    bool   `json:"retry"`
	Count    string `json:"count"`
	Interval string `json:"interval"` // minutes
}

// resumed is the substitute output of the directive Resume behind an HTTP call.
type resumed struct {
	StatusCode string `json:"statusCode"`
}

// variables is the mapper of Tools > Set multiple variables.
type variables struct {
	Variables []pair `json:"variables"`
	Scope     string `json:"scope"`
}

// bundles is the parameter of Tools > Basic trigger, which stands where the
// person's own trigger belongs.
type bundles struct {
	Values []bundle `json:"values"`
}

type bundle struct {
	Spec []pair `json:"spec"`
}

// JSON > Parse JSON, which fails on purpose where a run has to end with an error: the
// module Throw cannot have an error route, and a webhook's scenario is switched off at
// the first error that nobody handles.
type (
	jsonType struct {
		Type string `json:"type"`
	}
	jsonText struct {
		JSON string `json:"json"`
	}
)

// feeder is the mapper of the iterator.
type feeder struct {
	Array string `json:"array"`
}

// The mappers of the data store modules. The store itself belongs to an account and
// is chosen after the import.
type (
	addRecord struct {
		Key       string `json:"key"`
		Data      any    `json:"data"`
		Overwrite bool   `json:"overwrite"`
	}
	getRecord struct {
		Key           string `json:"key"`
		ReturnWrapped bool   `json:"returnWrapped"`
	}
	updateRecord struct {
		Key             string `json:"key"`
		Upsert          bool   `json:"upsert"`
		OverwriteArrays bool   `json:"overwriteArrays"`
		Data            any    `json:"data"`
	}
	deleteRecord struct {
		Key string `json:"key"`
	}
	searchParameters struct {
		ContinueWhenNoRes bool `json:"continueWhenNoRes"`
		Limit             int  `json:"limit"`
	}
	searchRecord struct {
		Filter [][]test `json:"filter"`
		Sort   []none   `json:"sort"`
	}
)

// The fields of a record: as it is written first, and when the work is over.
type (
	taken struct {
		State     string `json:"state"`
		Run       string `json:"run"`
		ClaimedAt string `json:"claimed_at"`
	}
	finished struct {
		State  string `json:"state"`
		DoneAt string `json:"done_at"`
		Result string `json:"result"`
	}
)
