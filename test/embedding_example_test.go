package test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"toolplane/adapters/hostfuncs"
	"toolplane/cmd/compose"
)

// weather is a function of the embedding program.
func weather(_ context.Context, in struct {
	City string `json:"city" jsonschema:"the city's name"`
},
) (map[string]any, error) {
	return map[string]any{"city": in.City, "celsius": 21}, nil
}

func Example_serveMCP() {
	ctx := context.Background()
	runtime, err := compose.NewRuntime(compose.Options{})
	must(err)
	defer runtime.Close()
	tools, err := hostfuncs.New("weather")
	must(err)
	must(hostfuncs.Add(tools, "now", "Tells the weather in a city.", weather))
	must(runtime.Connect(ctx, tools))
	var out bytes.Buffer
	must(compose.ServeMCP(ctx, runtime, strings.NewReader(session), &out))
	fmt.Println(lastValue(out.String()))
	// Output: {"city":"Oslo","celsius":21}
}

// session is what an MCP client sends.
const session = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"execute_code","arguments":{"code":"r = await weather.now(city='Oslo')\nreturn {'city': r['city'], 'celsius': r['celsius']}"}}}
`

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// lastValue returns the value in the last answer of a server.
func lastValue(answers string) string {
	lines := strings.Split(strings.TrimSpace(answers), "\n")
	var answer struct {
		Result struct {
			StructuredContent struct {
				Value json.RawMessage `json:"value"`
			} `json:"structuredContent"`
		} `json:"result"`
	}
	must(json.Unmarshal([]byte(lines[len(lines)-1]), &answer))
	return string(answer.Result.StructuredContent.Value)
}
