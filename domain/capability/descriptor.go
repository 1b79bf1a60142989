package capability

import "toolplane/domain/canon"

// Descriptor is what is known of a capability. Description, titles and schemas
// may come from outside and are untrusted text.
type Descriptor struct {
	ID          ID
	Title       string
	Description string
	Input       canon.Value // JSON Schema of the arguments, an object; null if unknown
	Output      canon.Value // JSON Schema of the answer; null if unknown
	Tags        []string
	Hidden      bool // callable by id, absent from lists and without friendly names
}
