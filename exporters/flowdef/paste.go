package flowdef

import (
	"encoding/json"

	"github.com/google/uuid"
)

// A clipping is what the classic designer keeps of a copied step under My clipboard, as
// the public browser extension mkm17/powerautomate-actions-extension writes it (read
// 2026-10-31).
type clipping struct {
	ID         string `json:"id"`
	BrandColor string `json:"brandColor"`
	Icon       string `json:"icon"`
	IsTrigger  bool   `json:"isTrigger"`
	Name       string `json:"operationName"`
	Definition Action `json:"operationDefinition"`
}

// A copied is a scope as the new designer keeps it. Microsoft's open-source designer
// reads serializedOperation, and the extension writes serializedValue; which of the two
// Power Automate reads is not confirmed, so both hold the scope.
type copied struct {
	NodeID      string          `json:"nodeId"`
	Operation   json.RawMessage `json:"serializedOperation"`
	Value       json.RawMessage `json:"serializedValue"`
	Connections struct{}        `json:"allConnectionData"`
	Results     struct{}        `json:"staticResults"`
	IsScope     bool            `json:"isScopeNode"`
	IsNode      bool            `json:"mslaNode"`
}

// ClassicPaste is the scope for My clipboard of the classic designer. seed makes its id,
// so that the same rule gives the same text.
func ClassicPaste(seed string, scope Action) (string, error) {
	data, err := Marshal(clipping{
		ID:         uuid.NewSHA1(uuid.NameSpaceURL, []byte("dedupedesk:"+seed)).String(),
		BrandColor: "#8C3900", Icon: "data:image/svg+xml;base64,PHN2Zy8+", Name: scope.Name, Definition: scope,
	})
	return string(data), err
}

// NewPaste is the scope for Paste an action of the new designer.
func NewPaste(scope Action) (string, error) {
	text, err := Marshal(scope)
	if err != nil {
		return "", err
	}
	data, err := Marshal(copied{NodeID: scope.Name, Operation: text, Value: text, IsScope: true, IsNode: true})
	return string(data), err
}
