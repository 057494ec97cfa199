package flowdef

// A Connection is the inputs of a step or trigger of a connector. Names of connectors,
// operations and parameters are those of public exports, read 2026-12-01.
type Connection struct {
	Host           Host           `json:"host"`
	Parameters     map[string]any `json:"parameters"`
	Authentication string         `json:"authentication"`
	Retry          *Retry         `json:"retryPolicy,omitempty"`
}

// A Host says what is called.
type Host struct {
	ConnectionName string `json:"connectionName"`
	OperationID    string `json:"operationId"`
	APIID          string `json:"apiId"`
}

// Connected is a call of a connector: SharePoint, or another of these.
func Connected(connector, operation string, parameters map[string]any) Connection {
	return Connection{
		Host:       Host{connector, operation, "/providers/Microsoft.PowerApps/apis/" + connector},
		Parameters: parameters, Authentication: "@parameters('$authentication')",
	}
}

// The connectors that the exporters use.
const (
	SharePoint = "shared_sharepointonline"
	Dataverse  = "shared_commondataserviceforapps"
	Outlook    = "shared_office365"
	Forms      = "shared_microsoftforms"
)

// Once is a step of a connector that the platform sends no second time.
func Once(name string, call Connection) Action {
	call.Retry = &Retry{Type: "none"}
	return Action{Name: name, Type: "OpenApiConnection", Inputs: call}
}

// Repeated is a step of a connector that may be sent again.
func Repeated(name string, call Connection, retry Retry) Action {
	call.Retry = &retry
	return Action{Name: name, Type: "OpenApiConnection", Inputs: call}
}
