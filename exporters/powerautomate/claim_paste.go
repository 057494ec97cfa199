package powerautomate

import (
	"encoding/json"

	"github.com/google/uuid"

	"dedupedesk/exporters/flowdef"
)

// A clipping is what the classic designer keeps of a copied step under My clipboard, as
// the public browser extension mkm17/powerautomate-actions-extension writes it (read
// 2026-10-31).
type clipping struct {
	ID         string         `json:"id"`
	BrandColor string         `json:"brandColor"`
	Icon       string         `json:"icon"`
	IsTrigger  bool           `json:"isTrigger"`
	Name       string         `json:"operationName"`
	Definition flowdef.Action `json:"operationDefinition"`
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

// classicPaste is the scope for the classic designer. The rule's name makes its id, so
// that the same rule gives the same text.
func (c claim) classicPaste() (string, error) {
	data, err := flowdef.Marshal(clipping{
		ID:         uuid.NewSHA1(uuid.NameSpaceURL, []byte("dedupedesk:"+c.rule)).String(),
		BrandColor: "#8C3900", Icon: "data:image/svg+xml;base64,PHN2Zy8+", Name: guardName, Definition: c.scope(),
	})
	return string(data), err
}

// newPaste is the scope for the new designer.
func (c claim) newPaste() (string, error) {
	scope, err := flowdef.Marshal(c.scope())
	if err != nil {
		return "", err
	}
	data, err := flowdef.Marshal(copied{NodeID: guardName, Operation: scope, Value: scope, IsScope: true, IsNode: true})
	return string(data), err
}
