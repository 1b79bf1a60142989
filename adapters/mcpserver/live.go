package mcpserver

import (
	"context"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"toolplane/domain/handle"
	"toolplane/domain/run"
)

// maxCompletions is the protocol's limit on the values of one completion.
const maxCompletions = 100

// live returns what is saved now, nothing where that cannot be told: a list
// without it is better than none.
func (s *Server) live(ctx context.Context) []run.Pointer {
	pointers, err := s.deps.Vault.Live(ctx)
	if err != nil {
		_, _ = s.explain(ctx, err) // logs what is a defect
		return nil
	}
	return pointers
}

// listLive adds what is saved now to a list of resources, for the one client
// that may see it.
func (s *Server) listLive(ctx context.Context, _ any, _ *mcp.ListResourcesRequest, list *mcp.ListResourcesResult) {
	for _, p := range s.live(ctx) {
		mediaType, title := jsonType, p.Label
		if p.Handle.Kind() == handle.Artifact {
			mediaType = p.MediaType
			if mediaType == "" {
				mediaType = anyType
			}
			if p.Filename != "" {
				title = p.Filename
			}
		}
		list.Resources = append(list.Resources, mcp.NewResource(p.URI(), p.Handle.Reveal(),
			mcp.WithMIMEType(cut(mediaType, maxName)), mcp.WithResourceTitle(cut(title, maxName)), mcp.WithResourceSize(p.Bytes)))
	}
}

// completer completes the variables of the templates.
type completer struct{ *Server }

// CompleteResourceArgument completes a handle by those that are alive, and a
// part by the numbers there are.
func (c completer) CompleteResourceArgument(ctx context.Context, uri string, arg mcp.CompleteArgument, known mcp.CompleteContext) (*mcp.Completion, error) {
	var all []string
	for _, p := range c.live(ctx) {
		address := resultsURI
		if p.Handle.Kind() == handle.Artifact {
			address = artifactsURI
		}
		switch {
		case !strings.HasPrefix(uri, address+"{handle}"):
		case arg.Name == "handle":
			all = append(all, p.Handle.Reveal())
		case arg.Name == "n" && known.Arguments["handle"] == p.Handle.Reveal():
			for n := range min(parts(p.Bytes), maxCompletions) {
				all = append(all, fmt.Sprint(n+1))
			}
		}
	}
	completion := &mcp.Completion{Values: []string{}}
	for _, value := range all {
		if !strings.HasPrefix(value, arg.Value) {
			continue
		}
		completion.Total++
		if len(completion.Values) < maxCompletions {
			completion.Values = append(completion.Values, value)
		}
	}
	completion.HasMore = completion.Total > len(completion.Values)
	return completion, nil
}
