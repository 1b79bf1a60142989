package mcpserver_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/mcpserver"
	"toolplane/adapters/mcpserver/fakehost"
	"toolplane/domain/handle"
	"toolplane/domain/run"
)

func TestResultIsServedVerbatim(t *testing.T) {
	is := is.New(t)
	host := &fakehost.Host{}
	value := fakehost.MustParse(`{"n":12345678901234567890123,"t":"<é>\u0001","f":1e+16}`)
	p := host.Save(handle.Result, run.JSON(value), run.Pointer{})
	r, failed := read(t, connect(t, host, all), p.URI())
	is.Equal(failed, nil)
	is.Equal(r.Contents[0].Text, string(value.Bytes())) // byte for byte
	is.Equal(r.Contents[0].MIMEType, "application/json")
	is.Equal(r.Contents[0].URI, p.URI())
}

func TestArtifactHasItsOwnMediaType(t *testing.T) {
	host := &fakehost.Host{}
	c := connect(t, host, all)
	for given, want := range map[string]string{"image/png": "image/png", "text/csv": "text/csv", "": "application/octet-stream"} {
		is := is.New(t)
		data := []byte("\x00\xff\n" + given)
		p := host.Save(handle.Artifact, run.Bytes(data), run.Pointer{MediaType: given})
		r, failed := read(t, c, p.URI())
		is.Equal(failed, nil)
		is.Equal(r.Contents[0].MIMEType, want)
		got, err := base64.StdEncoding.DecodeString(r.Contents[0].Blob)
		is.NoErr(err)
		is.True(bytes.Equal(got, data))
	}
}

func TestLargeThingsAreReadInParts(t *testing.T) {
	digits := strings.Repeat("0123456789", 600_000)
	for _, tc := range []struct {
		name    string
		kind    handle.Kind
		payload run.Payload
		parts   int
	}{
		{"artifact", handle.Artifact, run.Bytes([]byte(digits)), 2},
		{"artifact that ends with a part", handle.Artifact, run.Bytes(bytes.Repeat([]byte("x"), 8<<20)), 2},
		{"result", handle.Result, run.JSON(fakehost.MustParse(`"` + strings.Repeat("é", 4_000_000) + `"`)), 2},
		{"result that escapes make large", handle.Result, run.JSON(fakehost.MustParse(`"` + strings.Repeat("<", 3_000_000) + `"`)), 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			host := &fakehost.Host{}
			c := connect(t, host, all)
			p := host.Save(tc.kind, tc.payload, run.Pointer{})
			_, failed := read(t, c, p.URI())
			is.True(failed != nil)                                                                            // not in one message
			is.True(containsAll(failed.Message, fmt.Sprint(p.Bytes), p.URI()+"/parts/1", "join their bytes")) // size and way out
			var data struct {
				Bytes int64
				Parts []string
			}
			is.NoErr(json.Unmarshal(failed.Data, &data))
			is.Equal(data.Bytes, p.Bytes)
			is.Equal(len(data.Parts), tc.parts)
			var whole []byte
			for _, uri := range data.Parts {
				r, failed := read(t, c, uri)
				is.Equal(failed, nil)
				part, err := base64.StdEncoding.DecodeString(r.Contents[0].Blob)
				is.NoErr(err)
				is.True(len(part) <= 4<<20)
				whole = append(whole, part...)
			}
			is.True(bytes.Equal(whole, tc.payload.Data())) // nothing is lost
			for _, n := range []string{"0", "-1", fmt.Sprint(tc.parts + 1), "x", "99999999999999999999"} {
				_, failed := read(t, c, p.URI()+"/parts/"+n)
				is.True(failed != nil && failed.Code == -32002)
				is.True(strings.Contains(failed.Message, fmt.Sprintf("its parts are 1 to %d", tc.parts)))
			}
		})
	}
}

func TestWhatFitsIsNotRefused(t *testing.T) {
	is := is.New(t)
	host := &fakehost.Host{}
	c := connect(t, host, all)
	data := bytes.Repeat([]byte("x"), 5<<20) // 6.7 MiB in base64
	p := host.Save(handle.Artifact, run.Bytes(data), run.Pointer{})
	r, failed := read(t, c, p.URI())
	is.Equal(failed, nil)
	is.Equal(len(r.Contents[0].Blob), base64.StdEncoding.EncodedLen(len(data)))
	empty := host.Save(handle.Artifact, run.Bytes(nil), run.Pointer{})
	r, failed = read(t, c, empty.URI()+"/parts/1")
	is.Equal(failed, nil)
	is.Equal(r.Contents[0].Blob, "")
}

func TestWhatIsNotThere(t *testing.T) {
	unknown := "res_" + strings.Repeat("A", 24)
	off := mcpserver.Options{}
	for _, tc := range []struct {
		name, uri string
		opts      mcpserver.Options
		says      string
	}{
		{"expired result", "toolplane://results/" + unknown, all, "unknown or expired result handle " + unknown},
		{"expired artifact", "toolplane://artifacts/art_x", all, "unknown or expired artifact handle art_x"},
		{"escaped handle", "toolplane://results/a%20b", all, "unknown or expired result handle a b"},
		{"part of an unknown result", "toolplane://results/" + unknown + "/parts/1", all, "unknown or expired result handle " + unknown},
		{"handle of the other kind", "toolplane://artifacts/" + unknown, all, "unknown or expired artifact handle " + unknown},
		{"store that is off", "toolplane://results/" + unknown, off, "results store is disabled"},
		{"artifacts that are off", "toolplane://artifacts/art_x", off, "artifacts store is disabled"},
		{"another address", "toolplane://nothing", all, `unknown resource "toolplane://nothing"; there are toolplane://namespace, toolplane://skill, toolplane://results/{handle}, toolplane://artifacts/{handle}`},
		{"another address with nothing on", "file:///etc/passwd", off, `there are toolplane://namespace, toolplane://skill`},
		{"no address", "", all, "unknown resource"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			c := connect(t, &fakehost.Host{ResultsOff: !tc.opts.ResultsOn}, tc.opts)
			_, failed := read(t, c, tc.uri)
			is.True(failed != nil)
			is.Equal(failed.Code, -32002)                      // the protocol's "not found"
			is.True(strings.Contains(failed.Message, tc.says)) // in the store's words
			is.True(strings.Contains(string(failed.Data), `"uri":`))

			modern := c.Call("resources/read", map[string]any{"uri": tc.uri, "_meta": map[string]any{
				"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
				"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "x", "version": "1"},
				"io.modelcontextprotocol/clientCapabilities": map[string]any{},
			}})
			is.Equal(modern.Error.Code, -32602) // the same in the newest version
			is.Equal(modern.Error.Message, failed.Message)
		})
	}
}

func TestLiveEntriesAreListedForASingleClient(t *testing.T) {
	is := is.New(t)
	host := &fakehost.Host{}
	c := connect(t, host, all)
	list := func() []string {
		var l struct {
			Resources []struct {
				URI, Title, MIMEType string
				Size                 int64
			}
		}
		is.NoErr(json.Unmarshal(c.Call("resources/list", nil).Result, &l))
		var lines []string
		for _, r := range l.Resources {
			lines = append(lines, fmt.Sprintf("%s %s %s %d", r.URI, r.Title, r.MIMEType, r.Size))
		}
		return lines
	}
	is.Equal(len(list()), 2) // namespace and skill
	result := host.Save(handle.Result, run.JSON(fakehost.MustParse("[1]")), run.Pointer{Label: "ones"})
	plot := host.Save(handle.Artifact, run.Bytes([]byte("png")), run.Pointer{Label: "a plot", Filename: "p.png", MediaType: "image/png"})
	raw := host.Save(handle.Artifact, run.Bytes([]byte("x")), run.Pointer{Label: "raw"})
	is.Equal(list()[2:], []string{
		result.URI() + " ones application/json 3",
		plot.URI() + " p.png image/png 3",
		raw.URI() + " raw application/octet-stream 1",
	}) // as of now
}

func TestHandlesAreCompleted(t *testing.T) {
	is := is.New(t)
	host := &fakehost.Host{}
	c := connect(t, host, all)
	result := host.Save(handle.Result, run.JSON(fakehost.MustParse("[1]")), run.Pointer{})
	large := host.Save(handle.Artifact, run.Bytes(make([]byte, 9<<20)), run.Pointer{})
	for range 150 {
		host.Save(handle.Result, run.JSON(fakehost.MustParse("1")), run.Pointer{})
	}
	complete := func(uri, name, value string, known map[string]string) (values []string, total int) {
		m := c.Call("completion/complete", map[string]any{
			"ref":      map[string]any{"type": "ref/resource", "uri": uri},
			"argument": map[string]any{"name": name, "value": value}, "context": map[string]any{"arguments": known},
		})
		var r struct {
			Completion struct {
				Values  []string
				Total   int
				HasMore bool
			}
		}
		is.NoErr(json.Unmarshal(m.Result, &r))
		is.Equal(r.Completion.HasMore, r.Completion.Total > len(r.Completion.Values))
		return r.Completion.Values, r.Completion.Total
	}
	values, total := complete("toolplane://results/{handle}", "handle", "", nil)
	is.Equal(total, 151)
	is.Equal(len(values), 100) // no more at once
	is.True(slices.Contains(values, result.Handle.Reveal()))
	values, _ = complete("toolplane://artifacts/{handle}", "handle", "art_", nil)
	is.Equal(values, []string{large.Handle.Reveal()})
	values, _ = complete("toolplane://artifacts/{handle}/parts/{n}", "n", "", map[string]string{"handle": large.Handle.Reveal()})
	is.Equal(values, []string{"1", "2", "3"})
	values, _ = complete("toolplane://artifacts/{handle}", "handle", "res_", nil)
	is.Equal(values, []string{})
	values, _ = complete("toolplane://other/{handle}", "handle", "", nil)
	is.Equal(values, []string{})

	shared := connect(t, host, mcpserver.Options{ResultsOn: true})
	m := shared.Call("completion/complete", map[string]any{
		"ref": map[string]any{"type": "ref/resource", "uri": "toolplane://results/{handle}"}, "argument": map[string]any{"name": "handle", "value": ""},
	})
	is.True(!strings.Contains(string(m.Result), "res_")) // not where clients may be many
}

func TestTextsFitWhatIsOn(t *testing.T) {
	host := &fakehost.Host{Capabilities: capabilities()}
	for _, tc := range []struct {
		name         string
		opts         mcpserver.Options
		says, silent []string
	}{
		{"all", all, []string{"save_result", "load_result", "save_artifact", "toolplane://artifacts/{handle}", "30 seconds"}, nil},
		{"results only", mcpserver.Options{ResultsOn: true}, []string{"save_result"}, []string{"save_artifact", "toolplane://artifacts"}},
		{"nothing", mcpserver.Options{}, []string{"call_tool", "execute_code"}, []string{"save_result", "load_result", "save_artifact", "toolplane://results"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			c := connect(t, host, tc.opts)
			skill, failed := read(t, c, "toolplane://skill")
			is.Equal(failed, nil)
			is.Equal(skill.Contents[0].MIMEType, "text/markdown")
			every := skill.Contents[0].Text + string(c.Initialize().Result) +
				string(c.Call("tools/list", nil).Result) + string(c.Call("resources/templates/list", nil).Result)
			for _, part := range tc.says {
				is.True(strings.Contains(every, part))
			}
			for _, part := range tc.silent {
				is.True(!strings.Contains(every, part)) // points only at what there is
			}
			is.True(!strings.Contains(every, "<no value>"))
		})
	}
}

func TestNamespaceIsLiveAndBounded(t *testing.T) {
	is := is.New(t)
	host := &fakehost.Host{Capabilities: capabilities()}
	c := connect(t, host, all)
	r, failed := read(t, c, "toolplane://namespace")
	is.Equal(failed, nil)
	is.True(strings.Contains(r.Contents[0].Text, "mcp:up/find"))
	host.ManifestText = strings.Repeat("é", 5_000_000)
	r, failed = read(t, c, "toolplane://namespace")
	is.Equal(failed, nil)
	is.True(len(r.Contents[0].Text) < 2<<20)
	is.True(strings.HasSuffix(r.Contents[0].Text, "search_capabilities finds the rest.\n"))
}
