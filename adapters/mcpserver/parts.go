package mcpserver

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"toolplane/adapters/mcpserver/stdio"
	"toolplane/domain/handle"
	"toolplane/domain/run"
)

const (
	// maxEncoded bounds contents as they are sent; a common client breaks at a
	// message of 10 MiB.
	maxEncoded = 7 << 20

	// partBytes is the size of a part before it is encoded.
	partBytes = 4 << 20

	// maxNamed is how many parts an error lists.
	maxNamed = 32
)

// parts is how many parts a payload has; an empty one has one.
func parts(size int64) int64 { return max(1, (size+partBytes-1)/partBytes) }

// readPart serves a part of a payload as bytes, so that its size is known
// beforehand and parts may end between the bytes of a character.
func (s *Server) readPart(ctx context.Context, req mcp.ReadResourceRequest, kind handle.Kind) ([]mcp.ResourceContents, error) {
	kept, err := s.kept(ctx, req, kind)
	if err != nil {
		return nil, err
	}
	count := parts(kept.Payload.Len())
	n, err := strconv.ParseInt(variable(req, "n"), 10, 64)
	if err != nil || n < 1 || n > count {
		return nil, s.noResource(ctx, req.Params.URI, fmt.Sprintf(
			"the %v has no part %.20q; its parts are 1 to %d", kind, variable(req, "n"), count))
	}
	data := kept.Payload.Data()[(n-1)*partBytes:]
	data = data[:min(len(data), partBytes)]
	return []mcp.ResourceContents{mcp.BlobResourceContents{
		URI: req.Params.URI, MIMEType: anyType, Blob: base64.StdEncoding.EncodeToString(data),
	}}, nil
}

// tooLarge is the error for what cannot be read at once, with the way to read
// it.
func (s *Server) tooLarge(ctx context.Context, kept run.Kept, encoded int) error {
	size, count := kept.Payload.Len(), parts(kept.Payload.Len())
	part := func(n int64) string { return fmt.Sprintf("%s/parts/%d", kept.URI(), n) }
	var uris []string
	for n := range min(count, maxNamed) {
		uris = append(uris, part(n+1))
	}
	message := fmt.Sprintf("the %v has %d bytes, which are %d when they are sent, and the limit is %d; read its parts %s to %s and join their bytes, or have a snippet load it",
		kept.Handle.Kind(), size, encoded, maxEncoded, part(1), part(count))
	return stdio.Refuse(ctx, mcp.INVALID_PARAMS, message, map[string]any{"bytes": size, "parts": uris, "count": count})
}

// encodedText returns the size of a text as a JSON string, at most: with every
// escape that an encoder may use.
func encodedText(text string) int {
	size := 2
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t':
			size += 2
		case c < ' ' || c == '<' || c == '>' || c == '&' || c == 0x7f:
			size += 6
		case c < utf8.RuneSelf:
			size++
		case c == 0xe2: // may begin U+2028 or U+2029, three bytes that become six
			size += 4
		default:
			size++
		}
	}
	return size
}
