import assert from "node:assert/strict";
import { test } from "node:test";
import { handleRuntimeRequest, type RuntimeInitializeResult } from "@wuu/plugin-sdk";

const capability = { id: "agent.turn.completed", kind: "observe" as const, version: 1 };
const service = { name: "host.storage.get", major_version: 1 };
const provided = { name: "own.text", version: "1.0.0", methods: [] };
const adapter = { id: "own.adapter", version: 1 };

async function initialize(declared: RuntimeInitializeResult) {
  const params = { protocol_version: 1, plugin_id: "p", plugin_root: "/", project_root: "/", wuu_home: "/" };
  return await handleRuntimeRequest({ initialize: () => declared }, { id: "1", method: "initialize", params });
}

for (const [name, declared, version] of [
  ["nothing declared stays the tools-only version", {}, undefined],
  ["an explicit 1 stays", { protocol_version: 1 }, 1],
  ["an explicit 2 stays", { protocol_version: 2, capabilities: [capability] }, 2],
  ["an explicit 3 stays", { protocol_version: 3 }, 3],
  ["required services choose 3", { required_services: [service] }, 3],
  ["provided services choose 3", { provided_services: [provided] }, 3],
  ["services raise an explicit 2", { protocol_version: 2, required_services: [service] }, 3],
  ["services carry capabilities along", { required_services: [service], capabilities: [capability] }, 3],
  ["empty lists declare nothing", { required_services: [], capabilities: [], model_adapters: [] }, undefined],
] as [string, RuntimeInitializeResult, number | undefined][]) {
  test(name, async () => {
    const response = await initialize(declared);
    assert("result" in response);
    const result = response.result as RuntimeInitializeResult;
    assert.equal(result.protocol_version, version);
    assert.equal(result.lifecycle_version, 2);
    assert.equal("protocol_version" in result, version !== undefined);
  });
}

for (const [name, declared] of [
  ["capabilities without a version", { capabilities: [capability] }],
  ["capabilities under 1", { protocol_version: 1, capabilities: [capability] }],
  ["model adapters without a version", { model_adapters: [adapter] }],
  ["model adapters under 1", { protocol_version: 1, model_adapters: [adapter] }],
] as [string, RuntimeInitializeResult][]) {
  test(`${name} are refused`, async () => {
    const response = await initialize(declared);
    assert("error" in response);
    assert.equal(response.error.code, "invalid_capability_protocol");
  });
}

test("another lifecycle version is replaced, other members stay, the plugin's object is not touched", async () => {
  const declared = Object.freeze({ lifecycle_version: 1, required_host_features: ["f"], later: true });
  const response = await initialize(declared);
  assert("result" in response);
  assert.deepEqual(response.result, { lifecycle_version: 2, required_host_features: ["f"], later: true });
});

test("initialize must return an object", async () => {
  const response = await initialize(undefined as never);
  assert("error" in response);
  assert.equal(response.error.code, "invalid_result");
});
