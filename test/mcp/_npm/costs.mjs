// What a model reads and writes for three tasks, with toolplane and with the
// same tools given to it directly. Prints bytes as JSON.
//
//   node costs.mjs COMMAND CACHE
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, cache] = process.argv.slice(2);
const size = (value) => Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value));

// open connects to a server and counts what a model would write and read.
async function open(mode) {
  const client = new Client({ name: "costs", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command, args: [mode, cache], stderr: "inherit" }));
  const { tools } = await client.listTools();
  const costs = { calls: 0, written: 0, read: 0 };
  return {
    tools: tools.reduce((sum, t) => sum + size({ name: t.name, description: t.description, inputSchema: t.inputSchema }), 0),
    async call(name, input) {
      costs.calls++;
      costs.written += size({ name, arguments: input });
      const answer = await client.callTool({ name, arguments: input });
      if (answer.isError) throw new Error(answer.content[0].text);
      costs.read += size(answer.content[0].text);
      return answer.structuredContent;
    },
    // take returns what was counted since it was called last.
    take() {
      const taken = { ...costs };
      Object.assign(costs, { calls: 0, written: 0, read: 0 });
      return taken;
    },
    close: () => client.close(),
  };
}

// counted runs a task and returns its costs.
async function counted(server, task) {
  await task();
  return server.take();
}

const plane = await open("serve-mcp");
const direct = await open("serve-direct");
const tasks = [];

tasks.push({
  task: "count the issues of each author, of 500",
  toolplane: await counted(plane, async () => {
    await plane.call("search_capabilities", { query: "issues" });
    await plane.call("execute_code", {
      code: `from collections import Counter\nissues = await tracker.list_issues(state="open")\nreturn Counter(i["author"] for i in issues)`,
    });
  }),
  direct: await counted(direct, () => direct.call("list_issues", { state: "open" })),
});

tasks.push({
  task: "find the longest title among 20 issues",
  toolplane: await counted(plane, () =>
    plane.call("execute_code", {
      code: `import asyncio\nissues = await asyncio.gather(*[tracker.get_issue(id=i) for i in range(20)])\nreturn max((i["title"] for i in issues), key=len)`,
    })),
  direct: await counted(direct, async () => {
    for (let id = 0; id < 20; id++) await direct.call("get_issue", { id });
  }),
});

tasks.push({
  task: "two questions about one list, the second later",
  toolplane: await counted(plane, async () => {
    const first = await plane.call("execute_code", {
      code: `issues = await tracker.list_issues(state="closed")\nhandle = await save_result(issues)\nreturn {"count": len(issues), "handle": handle}`,
    });
    await plane.call("execute_code", {
      code: `issues = await load_result("${first.value.handle}")\nreturn [i["title"] for i in issues if i["author"] == "user3"][:5]`,
    });
  }),
  direct: await counted(direct, async () => {
    await direct.call("list_issues", { state: "closed" });
    await direct.call("list_issues", { state: "closed" });
  }),
});

console.log(JSON.stringify({ tools: { toolplane: plane.tools, direct: direct.tools }, tasks }));
await plane.close();
await direct.close();
