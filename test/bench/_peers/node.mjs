// Runs snippets in a sandbox that lives in a node process, and times them as a
// program in node would see it: from the source text to the value in JavaScript.
//
//   node node.mjs KIND
//
// reads requests {code, n, within}, one a line of JSON: run the code at most n
// times and stop after "within" milliseconds. It answers {ns, total, value} or
// {error}: the times in nanoseconds, all of it with cleaning up, the last value.

import { createInterface } from "node:readline";

const pong = () => ({ n: 1 });
const rows = [];
for (let id = 0; id < 11000; id++) {
  rows.push({ id, name: `user number ${id}`, email: `user${id}@example.com`, score: id * 1.5, active: id % 3 === 0 });
}
const text = JSON.stringify(rows);

// A run is given the functions that it mentions, no more.
const mentioned = (code, functions) => Object.fromEntries(Object.entries(functions).filter(([name]) => code.includes(name)));

// Each kind gives run(code), which returns [value, done]: done() cleans up,
// outside the time that is measured.
const kinds = {
  async "monty-addon"() {
    const { Monty } = await import("@pydantic/monty");
    const functions = { ping: pong, text: () => text, rows: () => JSON.parse(text) };
    return (code) => [new Monty(code).run({ externalFunctions: mentioned(code, functions) }), () => {}];
  },

  // One interpreter for all; a run gets a dict of globals of its own, and
  // nothing else is fresh.
  async "pyodide-globals"() {
    const { loadPyodide } = await import("pyodide");
    return inPyodide(await loadPyodide());
  },

  async "pyodide-load"() {
    const { loadPyodide } = await import("pyodide");
    return async (code) => inPyodide(await loadPyodide())(code);
  },

  async quickjs() {
    const { getQuickJS } = await import("quickjs-emscripten");
    const quickjs = await getQuickJS();
    return (code) => {
      const context = quickjs.newContext();
      const parse = (json) => {
        const parser = context.unwrapResult(context.evalCode("JSON.parse"));
        const value = context.newString(json).consume((s) => context.unwrapResult(context.callFunction(parser, context.undefined, s)));
        parser.dispose();
        return value;
      };
      const functions = { ping: () => parse('{"n":1}'), text: () => context.newString(text), rows: () => parse(text) };
      for (const [name, answer] of Object.entries(mentioned(code, functions))) {
        context.newFunction(name, answer).consume((f) => context.setProp(context.global, name, f));
      }
      const value = context.unwrapResult(context.evalCode(code)).consume((v) => context.dump(v));
      return [value, () => context.dispose()];
    };
  },
};

function inPyodide(pyodide) {
  const functions = {
    ping: () => pyodide.toPy(pong()),
    text: () => text,
    rows: () => pyodide.toPy(JSON.parse(text)),
  };
  return (code) => {
    const globals = pyodide.toPy(mentioned(code, functions));
    let value = pyodide.runPython(code, { globals });
    if (value instanceof pyodide.ffi.PyProxy) {
      const proxy = value;
      value = proxy.toJs({ dict_converter: Object.fromEntries });
      proxy.destroy();
    }
    return [value, () => globals.destroy()];
  };
}

const plain = (value) => {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Map) return Object.fromEntries([...value].map(([k, v]) => [k, plain(v)]));
  if (Array.isArray(value)) return value.map(plain);
  return value;
};

async function measure(run, { code, n, within }) {
  const ns = [];
  const begun = process.hrtime.bigint();
  const end = begun + BigInt(Math.round(within * 1e6));
  let value;
  while (ns.length < n && (ns.length === 0 || process.hrtime.bigint() < end)) {
    const before = process.hrtime.bigint();
    let result = run(code);
    if (result instanceof Promise) result = await result;
    ns.push(Number(process.hrtime.bigint() - before));
    value = result[0];
    result[1]();
  }
  return { ns, total: Number(process.hrtime.bigint() - begun), value: plain(value) };
}

const run = await kinds[process.argv[2]]();
for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = await measure(run, JSON.parse(line));
  } catch (e) {
    answer = { error: String(e).slice(0, 2000) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
