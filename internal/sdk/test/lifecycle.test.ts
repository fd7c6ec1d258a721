import assert from "node:assert/strict";
import { test } from "node:test";
import { deferred, Gates, Host, text } from "./host.ts";

const safe = {
  tools: [{ id: "safe", description: "safe", input_schema: { type: "object" }, activity: { concurrency_safe: true } }],
};

test("lifecycle frames are answered in order, also by a plugin without the callbacks", async () => {
  const log: string[] = [];
  const host = new Host({
    async initialize(params, _host, lifecycle) {
      log.push(`initialize ${params.plugin_id} ${lifecycle.signal.aborted}`);
      await null;
      return {};
    },
    prepare: () => log.push("prepare"),
    activate: () => log.push("activate"),
    shutdown: () => log.push("shutdown"),
  });
  const [initialize, prepare, activate] = host.send(
    ["initialize", { plugin_id: "p" }],
    ["prepare"],
    ["activate"],
  );
  assert.deepEqual((await host.answer(initialize!)).result, { lifecycle_version: 2 });
  assert.equal((await host.answer(prepare!)).result, null);
  assert.equal((await host.answer(activate!)).result, null);
  assert.equal((await host.call("shutdown")).result, null);
  assert.deepEqual(log, ["initialize p false", "prepare", "activate", "shutdown"]);
  await host.close();

  const bare = await Host.start({});
  for (const method of ["prepare", "activate", "shutdown"]) {
    assert.deepEqual(await bare.call(method), { id: bare.frames.at(-1)!.id, result: null });
  }
  await bare.close();
});

test("tools behind initialize know whether they are safe", async () => {
  const gates = new Gates();
  const host = new Host({
    initialize: async () => safe,
    async executeTool(params) {
      await gates.enter(params.execution_id);
      return text("");
    },
  });
  host.send(
    ["initialize", {}],
    ["tool.execute", { tool_id: "safe", execution_id: "a" }],
    ["tool.execute", { tool_id: "safe", execution_id: "b" }],
  );
  await host.settle();
  assert.deepEqual(gates.entered, ["a", "b"]);
  gates.release("a");
  gates.release("b");
  await host.close();
});

test("a barrier waits for everything before it, and nothing passes it", async () => {
  const gates = new Gates();
  const host = await Host.start(
    {
      concurrentServices: ["own.free"],
      activate: () => gates.enter("activate"),
      invokeService: (params) => gates.enter(`${params.service} ${params.execution_id}`),
      async executeTool(params) {
        await gates.enter(params.execution_id);
        return text("");
      },
    },
    safe,
  );
  host.tool("safe", "tool");
  host.service("own.free", "before");
  const [activate] = host.send(["activate"]);
  host.service("own.free", "after");
  host.tool("safe", "later");
  await host.settle();
  assert.deepEqual(gates.entered, ["tool", "own.free before"]);
  gates.release("tool");
  await host.settle();
  assert.equal(gates.entered.length, 2, "the free service still runs");
  gates.release("own.free before");
  await host.settle();
  assert.deepEqual(gates.entered.slice(2), ["activate"]);
  gates.release("activate");
  await host.answer(activate!);
  await host.settle();
  assert.deepEqual(gates.entered.slice(3), ["own.free after", "later"]);
  gates.release("own.free after");
  gates.release("later");
  await host.close();
});

test("behind a barrier, only what is free passes what waits", async () => {
  const gates = new Gates();
  const host = await Host.start(
    {
      concurrentServices: ["own.free"],
      activate: () => gates.enter("activate"),
      invokeService: (params) => gates.enter(params.service),
      async executeTool(params) {
        await gates.enter(params.execution_id);
        return text("");
      },
    },
    safe,
  );
  host.send(["activate"]);
  const first = host.tool("safe", "first");
  host.tool("unsafe", "unsafe");
  host.tool("safe", "last");
  host.service("own.free");
  await host.settle();
  gates.release("activate");
  await host.settle();
  assert.deepEqual(gates.entered, ["activate", "first", "own.free"]);
  for (const name of ["own.free", "first", "unsafe", "last"]) {
    await host.settle();
    gates.release(name);
  }
  await host.answer(first);
  await host.close();
  assert.deepEqual(gates.entered.slice(3), ["unsafe", "last"]);
});

test("shutdown admits nothing new, waits for what was accepted, then cleans up", async () => {
  const gates = new Gates();
  const host = await Host.start({
    shutdown: () => void gates.entered.push("shutdown"),
    async executeTool(params, _host, execution) {
      await gates.enter(params.execution_id);
      return text(`aborted: ${execution.signal.aborted}`);
    },
  });
  const [running, waiting] = [host.tool("t", "running"), host.tool("t", "waiting")];
  const [shutdown] = host.send(["shutdown"]);
  const late = await host.answer(host.tool("t", "late"));
  assert.match(late.error!.message, /^runtime is shutting down$/);
  assert.deepEqual(gates.entered, ["running"]);
  gates.release("running");
  assert.deepEqual((await host.answer(running)).result, text("aborted: false"));
  await host.settle();
  gates.release("waiting");
  await host.answer(waiting);
  assert.equal((await host.answer(shutdown!)).result, null);
  assert.deepEqual(gates.entered, ["running", "waiting", "shutdown"]);
  assert.match((await host.call("shutdown")).error!.message, /shutting down/);
  await host.close();
  assert.equal(gates.entered.length, 3, "the end of stdin does not clean up again");
});

test("lifecycle.signal aborts as shutdown is read, while the plugin still starts", async () => {
  const reasons: unknown[] = [];
  const host = await Host.start({
    async activate(_host, lifecycle) {
      await new Promise((resolve) => lifecycle.signal.addEventListener("abort", resolve));
      reasons.push((lifecycle.signal.reason as Error).message);
    },
  });
  host.send(["activate"]);
  await host.settle();
  assert.equal((await host.call("shutdown")).result, null);
  assert.deepEqual(reasons, ["the host has asked for shutdown"]);
  await host.close();
});

test("cleaning up may still call the host", async () => {
  const saved = deferred();
  let kernel: Parameters<NonNullable<import("@wuu/plugin-sdk").RuntimePlugin["activate"]>>[0];
  const host = await Host.start({
    activate: (lifecycleHost) => (kernel = lifecycleHost),
    async shutdown() {
      await kernel.call("host.storage.set", { scope: "user", key: "k", value: "v" });
      saved.resolve();
    },
  });
  await host.call("activate");
  const [shutdown] = host.send(["shutdown"]);
  host.reply((await host.request()).id, { result: {} });
  await saved.promise;
  await host.answer(shutdown!);
  await host.close();
});

test("a failing shutdown is an error for the host and no second call", async () => {
  let calls = 0;
  const host = await Host.start({
    shutdown() {
      calls++;
      throw Object.assign(new Error("disk full"), { code: "ENOSPC" });
    },
  });
  assert.deepEqual((await host.call("shutdown")).error, { code: "ENOSPC", message: "disk full" });
  await host.close();
  assert.equal(calls, 1);
});

test("a failing initialize is an error, and what follows is still handled", async () => {
  const host = new Host({
    initialize() {
      throw new Error("no");
    },
  });
  assert.equal((await host.call("initialize", {})).error?.message, "no");
  assert.equal((await host.call("shutdown")).result, null);
  await host.close();
});
