package capability

import (
	"fmt"

	"toolplane/domain/canon"
)

// The ids of toolplane's own capabilities. Each run's bridge carries them out on
// the stores of its own runtime; no Source offers them.
const (
	SaveResult   = "toolplane:results/save"
	LoadResult   = "toolplane:results/load"
	SaveArtifact = "toolplane:artifacts/save"
	LoadArtifact = "toolplane:artifacts/load"
)

// own holds toolplane's own capabilities as text: id, title, description and
// the schemas of arguments and answer.
var own = [...]struct{ id, title, description, input, output string }{
	{
		SaveResult, "Save a result",
		"Keeps a JSON value on the host and returns its handle, \"res_…\". A later run of the same client gets the value " +
			"back with load_result(handle); MCP clients read it as the resource toolplane://results/{handle}. " +
			"In a snippet: await save_result(value, label=None).",
		`{"type":"object","properties":{` +
			`"value":{"description":"The value to keep: whatever JSON can hold, NaN and Infinity excluded."},` +
			`"label":{"type":["string","null"],"default":null,"description":"A note for people, up to 1024 bytes. It is not a key: the handle alone finds the value."}},` +
			`"required":["value"],"additionalProperties":false}`,
		`{"type":"string","description":"The handle. The resource toolplane://results/{handle} serves the value as JSON."}`,
	},
	{
		LoadResult, "Load a result",
		"Returns the JSON value kept under a handle. The same value is the MCP resource toolplane://results/{handle}. " +
			"An unknown or expired handle is a ValueError. In a snippet: await load_result(handle).",
		`{"type":"object","properties":{` +
			`"handle":{"type":"string","description":"What save_result returned, \"res_…\"."}},` +
			`"required":["handle"],"additionalProperties":false}`,
		`{"description":"The value as it was saved."}`,
	},
	{
		SaveArtifact, "Save an artifact",
		"Keeps bytes on the host and returns their handle, \"art_…\". A later run of the same client gets them back with " +
			"load_artifact(handle); MCP clients read them as the resource toolplane://artifacts/{handle}. " +
			"In a snippet: await save_artifact(data, filename=None, label=None, media_type=None), where data is bytes.",
		`{"type":"object","properties":{` +
			`"data":{"type":"string","contentEncoding":"base64","description":"The bytes in base64. save_artifact takes bytes as they are."},` +
			`"filename":{"type":["string","null"],"default":null,"description":"A name to suggest when the bytes are stored elsewhere, up to 255 bytes."},` +
			`"label":{"type":["string","null"],"default":null,"description":"A note for people, up to 1024 bytes. It is not a key."},` +
			`"media_type":{"type":["string","null"],"default":null,"description":"What the bytes are, such as image/png."}},` +
			`"required":["data"],"additionalProperties":false}`,
		`{"type":"string","description":"The handle. The resource toolplane://artifacts/{handle} serves the bytes."}`,
	},
	{
		LoadArtifact, "Load an artifact",
		"Returns the bytes kept under a handle. The same bytes are the MCP resource toolplane://artifacts/{handle}. " +
			"An unknown or expired handle is a ValueError. In a snippet: await load_artifact(handle).",
		`{"type":"object","properties":{` +
			`"handle":{"type":"string","description":"What save_artifact returned, \"art_…\"."}},` +
			`"required":["handle"],"additionalProperties":false}`,
		`{"type":"string","contentEncoding":"base64","description":"The bytes; a snippet gets them as bytes."}`,
	},
}

// helpers are the functions of a snippet that call toolplane's own capabilities.
var helpers = map[string]string{
	"save_result": SaveResult, "load_result": LoadResult,
	"save_artifact": SaveArtifact, "load_artifact": LoadArtifact,
}

// OwnID returns the id of what a helper of snippets, such as save_result, calls.
func OwnID(helper string) (id string, ok bool) {
	id, ok = helpers[helper]
	return id, ok
}

// Own returns the descriptors of toolplane's own capabilities. They are hidden:
// absent from lists and namespaces, callable by id, and their schemas resolve.
func Own() []Descriptor {
	descriptors := make([]Descriptor, 0, len(own))
	for _, o := range own {
		id, err := ParseID(o.id)
		if err != nil {
			panic(fmt.Sprintf("capability: %s: %v", o.id, err))
		}
		descriptors = append(descriptors, Descriptor{
			ID: id, Title: o.title, Description: o.description, Hidden: true,
			Input: mustParse(o.input), Output: mustParse(o.output),
		})
	}
	return descriptors
}

// mustParse parses a schema of ours; that all are JSON is tested.
func mustParse(text string) canon.Value {
	v, err := canon.Parse([]byte(text))
	if err != nil {
		panic(fmt.Sprintf("capability: %v", err))
	}
	return v
}
