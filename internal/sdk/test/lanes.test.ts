import assert from "node:assert/strict";
import { test } from "node:test";
import type { RuntimePlugin } from "@wuu/plugin-sdk";
import { Gates, Host, text } from "./host.ts";

const declared = {
  tools: [
    { id: "safe", description: "safe", input_schema: { type: "object" }, activity: { concurrency_safe: true } },
    { id: "read", description: "read", input_schema: { type: "object" }, activity: { read_only: true } },
    { id: "plain", description: "plain", input_schema: { type: "object" } },
  ],
};

/** A plugin whose callbacks wait at a gate named like their execution, service or capability. */
function gated(gates: Gates, more: Partial<RuntimePlugin> = {}): Partial<RuntimePlugin> {
  return {
    async executeTool(params) {
      await gates.enter(params.execution_id);
      return text("done");
    },
    async invokeService(params) {
      await gates.enter(params.service);
    },
    async invokeCapability(params) {
      await gates.enter(params.capability);
      return { output: {} };
    },
    async serviceChanged(params) {
      await gates.enter(params.service);
    },
    ...more,
  };
}

test("eight safe tools run at once, the ninth waits for a slot", async () => {
  const gates = new Gates();
  const host = await Host.start(gated(gates), declared);
  const ids = Array.from({ length: 10 }, (_, i) => host.tool("safe", `e${i}`));
  await host.settle();
  assert.deepEqual(gates.entered, ["e0", "e1", "e2", "e3", "e4", "e5", "e6", "e7"]);

  gates.release("e3");
  await host.answer(ids[3]!);
  await host.settle();
  assert.deepEqual(gates.entered.slice(8), ["e8"]);

  gates.release("e0");
  await host.answer(ids[0]!);
  await host.settle();
  assert.deepEqual(gates.entered.slice(9), ["e9"]);
  gates.entered.filter((name) => !gates.left.includes(name)).forEach((name) => gates.release(name));
  await Promise.all(ids.map((id) => host.answer(id)));
  await host.close();
});

for (const tool of ["plain", "read", "undeclared"]) {
  test(`${tool} tools run one after another`, async () => {
    const gates = new Gates();
    const host = await Host.start(gated(gates), declared);
    const ids = ["a", "b", "c"].map((name) => host.tool(tool, name));
    for (const [index, name] of ["a", "b", "c"].entries()) {
      await host.settle();
      assert.equal(gates.entered.join(), ["a", "b", "c"].slice(0, index + 1).join());
      gates.release(name);
      await host.answer(ids[index]!);
    }
    await host.close();
  });
}

test("a safe tool passes neither an unsafe one before it nor one that waits", async () => {
  const gates = new Gates();
  const host = await Host.start(gated(gates), declared);
  const first = host.tool("safe", "first");
  const plain = host.tool("plain", "plain");
  const last = host.tool("safe", "last");
  await host.settle();
  assert.deepEqual(gates.entered, ["first"]);
  gates.release("first");
  await host.answer(first);
  await host.settle();
  assert.deepEqual(gates.entered, ["first", "plain"]);
  gates.release("plain");
  await host.answer(plain);
  await host.settle();
  assert.deepEqual(gates.entered, ["first", "plain", "last"]);
  gates.release("last");
  await host.answer(last);
  await host.close();
});

test("services, capabilities and changes keep the order of tools", async () => {
  const gates = new Gates();
  const host = await Host.start(gated(gates), declared);
  const ids = [
    host.service("own.first"),
    host.tool("safe", "tool"),
    host.capability("agent.pre_step"),
    host.send(["service.changed", { service: "other.changed" }])[0]!,
  ];
  for (const [index, name] of ["own.first", "tool", "agent.pre_step", "other.changed"].entries()) {
    await host.settle();
    assert.equal(gates.entered.length, index + 1);
    gates.release(name);
    await host.answer(ids[index]!);
  }
  await host.close();
});

test("named services and capabilities, and model adapters, have a lane of their own", async () => {
  const gates = new Gates();
  const more = { concurrentServices: ["own.free"], concurrentCapabilities: ["plugin.client.request"] };
  const host = await Host.start(gated(gates, more), declared);
  const tools = Array.from({ length: 9 }, (_, i) => host.tool("safe", `e${i}`));
  const blocked = host.service("own.plain");
  const free = [
    host.service("own.free"),
    host.capability("plugin.client.request"),
    host.capability("model.adapter"),
    host.capability("model.middleware"),
  ];
  await host.settle();
  const names = ["own.free", "plugin.client.request", "model.adapter", "model.middleware"];
  assert.deepEqual(gates.entered.slice(8), names);
  names.forEach((name) => gates.release(name));
  await Promise.all(free.map((id) => host.answer(id)));
  assert.equal(gates.entered.includes("own.plain"), false);

  for (let i = 0; i < 9; i++) {
    gates.release(`e${i}`);
    await host.answer(tools[i]!);
    await host.settle();
  }
  gates.release("own.plain");
  await host.answer(blocked);
  await host.close();
});

test("a service that calls back into its own plugin does not wait for itself", async () => {
  const host = await Host.start(
    {
      concurrentServices: ["own.inner"],
      async executeTool(_params, kernel) {
        return text(String(await kernel.call("host.service.call", { service: "other.outer", method: "call" })));
      },
      invokeService: () => "from the inside",
    },
    declared,
  );
  const outer = host.tool("plain", "e1");
  const request = await host.request();
  const inner = await host.answer(host.service("own.inner", request.params!.execution_id));
  host.reply(request.id, { result: inner.result });
  assert.deepEqual((await host.answer(outer)).result, text("from the inside"));
  await host.close();
});

test("one failing callback does not disturb the next", async () => {
  let calls = 0;
  const host = await Host.start({
    executeTool() {
      if (++calls === 1) {
        throw new Error("first");
      }
      return text("second");
    },
  });
  const [first, second] = [host.tool("plain", "a"), host.tool("plain", "b")];
  assert.equal((await host.answer(first)).error?.message, "first");
  assert.deepEqual((await host.answer(second)).result, text("second"));
  await host.close();
});

test("many waiting calls are handled in order", async () => {
  const order: string[] = [];
  const host = await Host.start({
    executeTool(params) {
      order.push(params.execution_id);
      return text("");
    },
  });
  const sent = Array.from({ length: 2000 }, (_, i) => `e${i}`);
  const ids = host.send(...sent.map((execution_id) => ["tool.execute", { tool_id: "t", execution_id }] as [string, object]));
  await host.answer(ids.at(-1)!);
  assert.deepEqual(order, sent);
  await host.close();
});
