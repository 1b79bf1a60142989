package mcp_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/matryer/is"
)

// TestConformance runs the server scenarios of the official suite against a
// fixture with the names that they ask for, on this program's own transport.
// testdata/conformance.json lists those that cannot pass, each with its reason;
// one that passes though it is listed fails the test too.
func TestConformance(t *testing.T) {
	is := is.New(t)
	node := script(t, filepath.FromSlash("conformance/node_modules/node/bin/node"))
	suite := script(t, filepath.FromSlash("conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js"))
	text, err := os.ReadFile(filepath.Join("testdata", "conformance.json"))
	is.NoErr(err)
	var expected struct {
		Scenarios int               `json:"scenarios"`
		Failures  map[string]string `json:"failures"`
	}
	is.NoErr(json.Unmarshal(text, &expected))
	var baseline strings.Builder
	baseline.WriteString("server:\n")
	for scenario, reason := range expected.Failures {
		is.True(reason != "") // each has its reason
		fmt.Fprintf(&baseline, "  - %s\n", scenario)
	}
	dir := t.TempDir()
	is.NoErr(os.WriteFile(filepath.Join(dir, "expected.yml"), []byte(baseline.String()), 0o600))

	web := httptest.NewServer(newBridge(t, fixture()))
	defer web.Close()
	stdout, stderr, err := runCommand(t, node, suite, "server", "--url", web.URL+"/mcp", "--suite", "all",
		"--expected-failures", filepath.Join(dir, "expected.yml"), "-o", filepath.Join(dir, "out"))
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, stdout, stderr)
	}
	ran := regexp.MustCompile(`(?m)^[✓✗] [a-z0-9-]+:`).FindAllString(stdout, -1)
	t.Logf("%d scenarios, %d expected failures\n%s", len(ran), len(expected.Failures), stdout)
	is.Equal(len(ran), expected.Scenarios) // none was left out
}

// pixel is a PNG of one red pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

// fixture is a server with what the suite's scenarios look for, as far as it is
// of the kinds that toolplane's own server has.
func fixture() *server.MCPServer {
	s := server.NewMCPServer("fixture", "1",
		server.WithToolCapabilities(false), server.WithResourceCapabilities(false, false), server.WithCompletions())
	silence := base64.StdEncoding.EncodeToString([]byte("RIFF\x24\x00\x00\x00WAVEfmt "))
	resource := func(uri, mime, text string) mcp.Content {
		return mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: uri, MIMEType: mime, Text: text})
	}
	for name, content := range map[string][]mcp.Content{
		"test_simple_text":       {mcp.NewTextContent("This is a simple text response for testing.")},
		"test_image_content":     {mcp.NewImageContent(pixel, "image/png")},
		"test_audio_content":     {mcp.NewAudioContent(silence, "audio/wav")},
		"test_embedded_resource": {resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")},
		"test_multiple_content_types": {
			mcp.NewTextContent("Multiple content types test:"), mcp.NewImageContent(pixel, "image/png"),
			resource("test://mixed-content-resource", "application/json", `{"test":"data","value":123}`),
		},
		"json_schema_2020_12_tool": {mcp.NewTextContent("done")},
	} {
		schema := `{"type":"object"}`
		if name == "json_schema_2020_12_tool" {
			schema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",` +
				`"$defs":{"address":{"type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},` +
				`"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"}},"additionalProperties":false}`
		}
		s.AddTool(mcp.NewToolWithRawSchema(name, "Answers with fixed content.", json.RawMessage(schema)),
			func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{Content: content}, nil
			})
	}
	s.AddTool(mcp.NewTool("test_error_handling", mcp.WithDescription("Fails.")), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultError("This tool intentionally returns an error for testing"), nil
	})
	s.AddTool(mcp.NewTool("test_tool_with_progress", mcp.WithDescription("Reports progress.")), func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var failed error
		for _, progress := range []int{0, 50, 100} { // without pauses, which is harder for a transport
			if meta := req.Params.Meta; meta != nil && meta.ProgressToken != nil {
				failed = errors.Join(failed, s.SendNotificationToClient(ctx, "notifications/progress", map[string]any{
					"progressToken": meta.ProgressToken, "progress": progress, "total": 100,
				}))
			}
		}
		return mcp.NewToolResultText("done"), failed
	})
	addFixtureResources(s)
	return s
}

func addFixtureResources(s *server.MCPServer) {
	s.AddResource(mcp.NewResource("test://static-text", "text", mcp.WithMIMEType("text/plain"), mcp.WithResourceDescription("Text.")),
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{mcp.TextResourceContents{
				URI: "test://static-text", MIMEType: "text/plain", Text: "This is the content of the static text resource.",
			}}, nil
		})
	s.AddResource(mcp.NewResource("test://static-binary", "binary", mcp.WithMIMEType("image/png"), mcp.WithResourceDescription("Bytes.")),
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{mcp.BlobResourceContents{URI: "test://static-binary", MIMEType: "image/png", Blob: pixel}}, nil
		})
	s.AddResourceTemplate(mcp.NewResourceTemplate("test://template/{id}/data", "template"),
		func(_ context.Context, req mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			id, _ := req.Params.Arguments["id"].([]string)
			text, err := json.Marshal(map[string]any{"id": strings.Join(id, ""), "templateTest": true, "data": "Data for ID: " + strings.Join(id, "")})
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: req.Params.URI, MIMEType: "application/json", Text: string(text)}}, err
		})
}
