package mcpserver

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"toolplane/adapters/mcpserver/stdio"
	"toolplane/domain/fault"
	"toolplane/domain/handle"
	"toolplane/domain/run"
)

// The addresses of resources.
const (
	namespaceURI = "toolplane://namespace"
	skillURI     = "toolplane://skill"
	resultsURI   = "toolplane://results/"
	artifactsURI = "toolplane://artifacts/"
)

const (
	markdown = "text/markdown"
	jsonType = "application/json"
	anyType  = "application/octet-stream"
)

// maxManifest is how much of the manifest is shown, in bytes.
const maxManifest = 1 << 20

func (s *Server) addResources() {
	s.mcp.AddResource(mcp.NewResource(namespaceURI, "namespace",
		mcp.WithResourceTitle("What snippets can call"), mcp.WithMIMEType(markdown),
		mcp.WithResourceDescription("Every function that a snippet can call, as of now. search_capabilities finds single ones."),
	), s.readNamespace)
	s.mcp.AddResource(mcp.NewResource(skillURI, "skill",
		mcp.WithResourceTitle("How to use toolplane"), mcp.WithMIMEType(markdown),
		mcp.WithResourceDescription("A short guide with examples for a model that has not used toolplane before."),
	), s.readSkill)
	if s.opts.ResultsOn {
		s.addStore(handle.Result, resultsURI, jsonType, "A value that a snippet saved, as JSON.")
	}
	if s.opts.ArtifactsOn {
		s.addStore(handle.Artifact, artifactsURI, anyType, "Bytes that a snippet saved. The media type of each is its own.")
	}
}

// addStore adds the templates of one store.
func (s *Server) addStore(kind handle.Kind, address, mediaType, description string) {
	s.mcp.AddResourceTemplate(mcp.NewResourceTemplate(address+"{handle}", kind.String(),
		mcp.WithTemplateMIMEType(mediaType), mcp.WithTemplateDescription(description),
	), func(ctx context.Context, req mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		return s.readKept(ctx, req, kind)
	})
	s.mcp.AddResourceTemplate(mcp.NewResourceTemplate(address+"{handle}/parts/{n}", kind.String()+" part",
		mcp.WithTemplateMIMEType(anyType),
		mcp.WithTemplateDescription(fmt.Sprintf("Part n, counted from 1, of what is too large to be read at once: %d bytes each, the last one shorter.", partBytes)),
	), func(ctx context.Context, req mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		return s.readPart(ctx, req, kind)
	})
}

func (s *Server) readNamespace(ctx context.Context, _ mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	text, err := s.deps.Catalog.Manifest(ctx)
	if err != nil {
		_, why := s.explain(ctx, err)
		return nil, stdio.Refuse(ctx, mcp.INTERNAL_ERROR, why, nil)
	}
	if len(text) > maxManifest {
		text = cut(text, maxManifest) + "\n\nThis is not all of it; search_capabilities finds the rest.\n"
	}
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: namespaceURI, MIMEType: markdown, Text: text}}, nil
}

func (s *Server) readSkill(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: skillURI, MIMEType: markdown, Text: s.surface.text("skill.md") + "\n"}}, nil
}

// readKept serves a result as JSON and an artifact as bytes.
func (s *Server) readKept(ctx context.Context, req mcp.ReadResourceRequest, kind handle.Kind) ([]mcp.ResourceContents, error) {
	kept, err := s.kept(ctx, req, kind)
	if err != nil {
		return nil, err
	}
	data := kept.Payload.Data()
	if kind == handle.Result {
		text := string(data)
		if size := encodedText(text); size > maxEncoded {
			return nil, s.tooLarge(ctx, kept, size)
		}
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: req.Params.URI, MIMEType: jsonType, Text: text}}, nil
	}
	if size := base64.StdEncoding.EncodedLen(len(data)); size > maxEncoded {
		return nil, s.tooLarge(ctx, kept, size)
	}
	mediaType := anyType
	if kept.MediaType != "" {
		mediaType = kept.MediaType
	}
	return []mcp.ResourceContents{mcp.BlobResourceContents{
		URI: req.Params.URI, MIMEType: mediaType, Blob: base64.StdEncoding.EncodeToString(data),
	}}, nil
}

// kept reads what the handle in a request's address names.
func (s *Server) kept(ctx context.Context, req mcp.ReadResourceRequest, kind handle.Kind) (run.Kept, error) {
	kept, err := s.deps.Vault.Read(ctx, kind, variable(req, "handle"))
	switch fault.CodeOf(err) {
	case "":
		return kept, nil
	case fault.ResultUnknown, fault.ArtifactUnknown, fault.ResultDisabled, fault.ArtifactDisabled:
		return run.Kept{}, s.noResource(ctx, req.Params.URI, err.Error())
	default:
		_, why := s.explain(ctx, err)
		return run.Kept{}, stdio.Refuse(ctx, mcp.INTERNAL_ERROR, why, nil)
	}
}

// variable returns what stands in a request's address for a variable of its
// template.
func variable(req mcp.ReadResourceRequest, name string) string {
	values, _ := req.Params.Arguments[name].([]string)
	return strings.Join(values, "")
}

// noResource is the protocol's error for an address that leads nowhere.
func (s *Server) noResource(ctx context.Context, uri, why string) error {
	code := mcp.RESOURCE_NOT_FOUND
	if server.IsModernRequest(ctx) {
		code = mcp.INVALID_PARAMS
	}
	return stdio.Refuse(ctx, code, why, map[string]any{"uri": cut(uri, maxName)})
}

// whyNoResource says why no resource has an address.
func (s *Server) whyNoResource(uri string) string {
	switch {
	case strings.HasPrefix(uri, resultsURI) && !s.opts.ResultsOn:
		return "results store is disabled"
	case strings.HasPrefix(uri, artifactsURI) && !s.opts.ArtifactsOn:
		return "artifacts store is disabled"
	}
	known := []string{namespaceURI, skillURI}
	if s.opts.ResultsOn {
		known = append(known, resultsURI+"{handle}")
	}
	if s.opts.ArtifactsOn {
		known = append(known, artifactsURI+"{handle}")
	}
	return fmt.Sprintf("unknown resource %.80q; there are %s", uri, strings.Join(known, ", "))
}
