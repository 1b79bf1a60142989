// A scripted session of an agent, over stdio, with the TypeScript SDK: it finds
// a tool, reads its schema, runs snippets, saves, loads in a later run, reads
// resources and cancels. Ends with status 0 and a line of JSON when all is as it
// should be.
//
//   node session.mjs COMMAND ARG...
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, ...args] = process.argv.slice(2);
const transport = new StdioClientTransport({ command, args, stderr: "inherit" });
const client = new Client({ name: "session", version: "1.0.0" });
client.onerror = (error) => {
  console.error("the client complains:", error);
  process.exitCode = 1;
};
const steps = [];
const step = async (name, body) => {
  try {
    await body();
  } catch (error) {
    console.error(`step "${name}" failed`);
    throw error;
  }
  steps.push(name);
};
const call = (name, input, options) => client.callTool({ name, arguments: input }, undefined, options);
const run = async (code, inputs, options) => {
  const answer = await call("execute_code", inputs ? { code, inputs } : { code }, options);
  assert.equal(answer.isError ?? false, !answer.structuredContent.ok);
  return { ...answer.structuredContent, text: answer.content[0].text };
};

await client.connect(transport);

await step("surface", async () => {
  assert.equal(client.getServerVersion().name, "toolplane");
  assert.match(client.getInstructions(), /search_capabilities/);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((t) => t.name).sort(), ["execute_code", "get_capability_schemas", "search_capabilities"]);
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.equal(resourceTemplates.length, 4);
});

let shape;
await step("discover", async () => {
  const all = await call("search_capabilities", { query: "" });
  assert.ok(all.structuredContent.total >= 2);
  const found = await call("search_capabilities", { query: "list the issues" });
  const hit = found.structuredContent.capabilities[0];
  assert.equal(hit.id, "host:tracker/list_issues");
  shape = hit.call;
  assert.match(shape, /tracker.list_issues\(/);
});

await step("schema", async () => {
  const answer = await call("get_capability_schemas", { names: ["tracker.list_issues", "host:tracker/list_isues"], detail: "full" });
  const [issues] = answer.structuredContent.capabilities;
  assert.equal(issues.input_schema.properties.state.type, "string");
  const [unknown] = answer.structuredContent.unknown;
  assert.deepEqual(unknown.near[0], "host:tracker/list_issues");
});

let handle;
await step("run and save", async () => {
  const o = await run(`
issues = await tracker.list_issues(state="open")
handle = await save_result(issues, label="issues")
print("saved", len(issues))
return {"count": len(issues), "first": issues[0]["title"], "big": 2**70, "handle": handle}
`);
  assert.equal(o.value.count, 500);
  assert.equal(o.stdout, "saved 500\n");
  assert.match(o.text, /1180591620717411303424/);
  assert.equal(o.calls, 2);
  assert.equal(o.results.length, 1);
  handle = o.value.handle;
  assert.equal(o.results[0].handle, handle);
});

await step("a second run is fresh and loads", async () => {
  const o = await run(`
try:
    issues
except NameError:
    fresh = True
rows = await load_result(which)
return {"fresh": fresh, "open": sum(r["state"] == "open" for r in rows)}
`, { which: handle });
  assert.deepEqual(o.value, { fresh: true, open: 500 });
});

await step("read the result", async () => {
  const { contents } = await client.readResource({ uri: `toolplane://results/${handle}` });
  assert.equal(contents[0].mimeType, "application/json");
  assert.equal(JSON.parse(contents[0].text).length, 500);
  const { resources } = await client.listResources();
  assert.ok(resources.some((r) => r.uri === `toolplane://results/${handle}`));
  const { completion } = await client.complete({
    ref: { type: "ref/resource", uri: "toolplane://results/{handle}" },
    argument: { name: "handle", value: "res_" },
  });
  assert.ok(completion.values.includes(handle));
});

await step("namespace and skill", async () => {
  const namespace = await client.readResource({ uri: "toolplane://namespace" });
  assert.match(namespace.contents[0].text, /tracker/);
  const skill = await client.readResource({ uri: "toolplane://skill" });
  assert.match(skill.contents[0].text, /execute_code/);
});

await step("artifact", async () => {
  const o = await run(`await save_artifact(bytes(range(256)), filename="all.bin", media_type="application/x-test")`);
  const [artifact] = o.artifacts;
  assert.equal(artifact.bytes, 256);
  const { contents } = await client.readResource({ uri: artifact.uri });
  assert.equal(contents[0].mimeType, "application/x-test");
  assert.deepEqual([...Buffer.from(contents[0].blob, "base64")], [...Array(256).keys()]);
});

await step("a large artifact in parts", async () => {
  const o = await run(`await save_artifact(bytes(9_000_000))`);
  const { uri } = o.artifacts[0];
  await assert.rejects(client.readResource({ uri }), (error) => error.data.count === 3 && /9000000 bytes/.test(error.message));
  let size = 0;
  for (const n of [1, 2, 3]) {
    const { contents } = await client.readResource({ uri: `${uri}/parts/${n}` });
    size += Buffer.from(contents[0].blob, "base64").length;
  }
  assert.equal(size, 9_000_000);
});

await step("a large value", async () => {
  const o = await run(`return [{"i": i, "t": "é" * 10} for i in range(5000)]`);
  assert.equal(o.value, null);
  assert.equal(o.results.length, 1);
  const { contents } = await client.readResource({ uri: o.large_value.uri });
  assert.equal(JSON.parse(contents[0].text).length, 5000);
});

await step("large output", async () => {
  const o = await run(`print("é" * 3_000_000)`);
  assert.equal(o.stdout_bytes, 6_000_001);
  assert.ok(Buffer.byteLength(o.stdout) < 17000);
  assert.doesNotMatch(o.stdout, /\ufffd/);
});

await step("oversized everything (c06)", async () => {
  const printed = await run(`print("é" * 30_000_000)`);
  assert.equal(printed.error.code, "output.too_large");
  assert.ok(Buffer.byteLength(JSON.stringify(printed)) < 200_000);
  assert.doesNotMatch(printed.stdout, /\ufffd/);
  const value = await run(`return [{"i": i, "t": "é" * 100} for i in range(30_000)]`);
  assert.ok(value.large_value.bytes > 6_000_000);
  assert.match(value.large_value.handle, /^res_/);
  const huge = await run(`return [{"i": i, "t": "é" * 100} for i in range(200_000)]`);
  assert.ok(huge.ok);
  assert.ok(huge.large_value.bytes > 40_000_000);
  assert.match(huge.large_value.handle, /^art_/); // more than the results store takes
  assert.match(huge.notes[0], /json\.loads\(await load_artifact\("art_/);
  for (const o of [value, huge]) {
    assert.match(o.large_value.preview, /^\[\{"i":0,"t":"éé/);
    assert.ok(Buffer.byteLength(o.text) < 65536);
  }
});

await step("recursive and union schemas (c07)", async () => {
  const schema = JSON.parse(`{"type":"object","properties":{"q":{"$ref":"#/$defs/Q"},"n":{"anyOf":[{"type":"integer"},{"type":"null"}]}},"required":["q"],"$defs":{"Q":{"type":"object","properties":{"all":{"type":"array","items":{"$ref":"#/$defs/Q"}},"f":{"enum":["a","b"]}}}}}`);
  const describe = async (detail) => {
    const answer = await call("get_capability_schemas", { names: ["host:tracker/find"], detail });
    return { ...answer.structuredContent.capabilities[0], shown: answer.content[0].text };
  };
  const full = await describe("full");
  assert.deepEqual(full.input_schema, schema);
  assert.ok(full.shown.includes(JSON.stringify(schema)), "the schema is not shown byte for byte");
  for (const detail of ["brief", "detailed"]) {
    const { shown } = await describe(detail);
    assert.match(shown, /all/);
    assert.match(shown, /"a" \| "b"|'a' \| 'b'|"a", "b"|'a', 'b'/);
  }
  const o = await run(`return await tracker.find(q={"all": [{"f": "a"}]})`);
  assert.equal(o.value, `{"q":{"all":[{"f":"a"}]}}`);
});

await step("failures", async () => {
  const o = await run(`x = 1\n\nraise KeyError("missing")\n`);
  assert.equal(o.error.type, "KeyError");
  assert.equal(o.error.line, 3);
  const tool = await run(`
try:
    await tracker.get_issue(id=-1)
except ToolError as error:
    return str(error)
`);
  assert.match(tool.value, /no issue/);
  const bad = await call("execute_code", { code: 7 });
  assert.equal(bad.isError, true);
  assert.match(bad.content[0].text, /expected string/);
  await assert.rejects(client.readResource({ uri: "toolplane://results/res_gone" }), { code: -32002 });
  const nan = await run(`return {"mean": float("nan")}`);
  assert.equal(nan.value.mean, "NaN");
});

await step("progress", async () => {
  const seen = [];
  const o = await run(`import asyncio\nawait asyncio.sleep(1.5)\nreturn "slept"`, undefined, { onprogress: (p) => seen.push(p) });
  assert.equal(o.value, "slept");
  assert.equal(seen.length, 1);
  assert.equal(seen[0].progress, 1);
});

await step("cancel", async () => {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 100);
  await assert.rejects(run(`while True: pass`, undefined, { signal: abort.signal }));
  const at_once = new AbortController();
  const calling = run(`while True: pass`, undefined, { signal: at_once.signal });
  at_once.abort();
  await assert.rejects(calling);
  const begun = performance.now();
  assert.equal((await run("return 1 + 1")).value, 2);
  assert.ok(performance.now() - begun < 10_000, "the cancelled runs still hold the sandbox");
});

await step("many at once", async () => {
  const all = await Promise.all(Array.from({ length: 20 }, (_, i) => run("return i * i", { i })));
  assert.deepEqual(all.map((o) => o.value), Array.from({ length: 20 }, (_, i) => i * i));
});

await client.close();
console.log(JSON.stringify({ steps }));
