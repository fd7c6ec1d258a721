import assert from "node:assert/strict";
import { test } from "node:test";
import { handleRuntimeRequest, type RuntimePlugin, type RuntimeRequest } from "@wuu/plugin-sdk";
import { text } from "./host.ts";

const tool = { id: "7", method: "tool.execute", params: { tool_id: "t", execution_id: "e1" } } as RuntimeRequest;
const service = { id: "7", method: "service.invoke", params: { service: "s", method: "m", caller: "c" } } as RuntimeRequest;
const capability = { id: "7", method: "capability.invoke", params: { capability: "c", input: 1, output: 2 } } as RuntimeRequest;

function plugin(more: Partial<RuntimePlugin>): RuntimePlugin {
  return { initialize: () => ({}), ...more };
}

test("a result is passed on as it is", async () => {
  const response = await handleRuntimeRequest(plugin({ executeTool: () => text("hi") }), tool);
  assert.deepEqual(response, { id: "7", result: text("hi") });
});

test("a service without a result answers null", async () => {
  assert.deepEqual(await handleRuntimeRequest(plugin({ invokeService: () => undefined }), service), {
    id: "7",
    result: null,
  });
});

test("callbacks get the execution of their request, and this", async () => {
  class Counting implements RuntimePlugin {
    calls = 0;
    initialize() {
      return {};
    }
    invokeService(_params: unknown, _host: unknown, execution: { executionId: string; signal: AbortSignal }) {
      this.calls++;
      return [this.calls, execution.executionId, execution.signal.aborted];
    }
  }
  assert.deepEqual(await handleRuntimeRequest(new Counting(), service), { id: "7", result: [1, "", false] });
});

for (const [name, thrown, error] of [
  ["a code that is a string", Object.assign(new Error("no"), { code: "not_ready" }), { code: "not_ready", message: "no" }],
  ["a code that is a number", Object.assign(new Error("no"), { code: 5 }), { message: "no" }],
  ["an empty code", Object.assign(new Error("no"), { code: "" }), { message: "no" }],
  ["no code", new TypeError("bad"), { message: "bad" }],
  ["no message", new RangeError(), { message: "RangeError" }],
  ["a string", "plain", { message: "plain" }],
  ["undefined", undefined, { message: "undefined" }],
] as [string, unknown, object][]) {
  test(`an error with ${name} reaches the wire`, async () => {
    const throws = plugin({
      executeTool() {
        throw thrown;
      },
    });
    assert.deepEqual(await handleRuntimeRequest(throws, tool), { id: "7", error });
    const rejects = plugin({ executeTool: () => Promise.reject(thrown) });
    assert.deepEqual(await handleRuntimeRequest(rejects, tool), { id: "7", error });
  });
}

for (const [request, callback] of [
  [tool, "executeTool"],
  [service, "invokeService"],
  [capability, "invokeCapability"],
] as [RuntimeRequest, string][]) {
  test(`a plugin without ${callback} says so`, async () => {
    const response = await handleRuntimeRequest(plugin({}), request);
    assert.deepEqual(response, { id: "7", error: { code: "method_not_found", message: `the plugin has no ${callback}` } });
  });
}

for (const [name, result] of [
  ["nothing", undefined],
  ["null", null],
  ["a bare ToolResult", { content: [] }],
  ["content that is no list", { result: { content: "hi" } }],
] as [string, unknown][]) {
  test(`a tool that returns ${name} costs one call`, async () => {
    const response = await handleRuntimeRequest(plugin({ executeTool: () => result as never }), tool);
    assert("error" in response);
    assert.equal(response.error.code, "invalid_result");
  });
}

test("a capability must return an output", async () => {
  const good = await handleRuntimeRequest(plugin({ invokeCapability: () => ({ output: null }) }), capability);
  assert.deepEqual(good, { id: "7", result: { output: null } });
  const bad = await handleRuntimeRequest(plugin({ invokeCapability: () => ({}) as never }), capability);
  assert("error" in bad);
  assert.equal(bad.error.code, "invalid_result");
});

test("without a connection the host supports nothing and refuses calls", async () => {
  const calls = plugin({
    async invokeService(_params, host) {
      assert.equal(host.supports("host.service.call"), false);
      return await host.call("host.storage.get", { scope: "user", key: "k" });
    },
  });
  const response = await handleRuntimeRequest(calls, service);
  assert("error" in response);
  assert.equal(response.error.code, "service_unavailable");
});
