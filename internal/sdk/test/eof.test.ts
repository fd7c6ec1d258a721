import assert from "node:assert/strict";
import { test } from "node:test";
import type { RuntimeHost } from "@wuu/plugin-sdk";
import { Gates, Host, text } from "./host.ts";

test("the end of stdin aborts, rejects, waits and cleans up once", async () => {
  const log: string[] = [];
  let kernel: RuntimeHost | undefined;
  const host = await Host.start({
    concurrentServices: ["own.free"],
    activate(lifecycleHost, lifecycle) {
      kernel = lifecycleHost;
      lifecycle.signal.addEventListener("abort", () => log.push("lifecycle aborted"));
      void lifecycleHost.call("host.storage.get", { scope: "user", key: "k" }).catch((error: { code: string }) => {
        log.push(`unscoped call: ${error.code}`);
      });
    },
    async executeTool(_params, scoped, execution) {
      const pending = scoped.call("host.storage.get", { scope: "user", key: "k" });
      await assert.rejects(pending, { code: "generation_closed" });
      assert.equal(execution.signal.aborted, true);
      await Promise.resolve();
      log.push("tool ended");
      return text("");
    },
    async invokeService(_params, _host, execution) {
      await new Promise((resolve) => execution.signal.addEventListener("abort", resolve));
      log.push("unscoped callback ended");
    },
    shutdown: () => void log.push("shutdown"),
  });
  await host.call("activate");
  host.tool("t", "e1");
  host.service("own.free");
  await host.settle();
  await host.close();
  assert.equal(log.at(-1), "shutdown");
  assert.deepEqual(log.slice(0, -1).sort(), [
    "lifecycle aborted",
    "tool ended",
    "unscoped call: generation_closed",
    "unscoped callback ended",
  ]);
  await assert.rejects(kernel!.call("host.storage.keys", { scope: "user" }), { code: "generation_closed" });
});

test("what waits at the end of stdin is not started, but shutdown is", async () => {
  const gates = new Gates();
  const host = await Host.start({
    activate: () => gates.enter("activate"),
    async executeTool(params) {
      await gates.enter(params.execution_id);
      return text("");
    },
    shutdown: () => void gates.entered.push("shutdown"),
  });
  host.tool("t", "running");
  const [waiting, activate, shutdown] = host.send(
    ["tool.execute", { tool_id: "t", execution_id: "waiting" }],
    ["activate"],
    ["shutdown"],
  );
  await host.settle();
  const done = host.close();
  gates.release("running");
  await done;
  assert.deepEqual(gates.entered, ["running", "shutdown"]);
  assert.equal((await host.answer(waiting!)).error?.code, "generation_closed");
  assert.equal((await host.answer(activate!)).error?.code, "generation_closed");
  assert.equal((await host.answer(shutdown!)).result, null);
});

test("a plugin that was never initialized is cleaned up too", async () => {
  let calls = 0;
  const host = new Host({ initialize: () => ({}), shutdown: () => void calls++ });
  await host.close();
  assert.equal(calls, 1);
});

test("a failing cleanup at the end of stdin is the runtime's failure", async () => {
  const host = await Host.start({
    shutdown() {
      throw new Error("stuck");
    },
  });
  await assert.rejects(host.close(), /stuck/);
});

test("a broken input is cleaned up after, and reported", async () => {
  const { runJSONLRuntime } = await import("@wuu/plugin-sdk");
  let calls = 0;
  async function* broken(): AsyncGenerator<string> {
    yield "\n";
    throw new Error("EIO");
  }
  const plugin = { initialize: () => ({}), shutdown: () => void calls++ };
  await assert.rejects(runJSONLRuntime(plugin, { input: broken(), output: { write() {} } }), /EIO/);
  assert.equal(calls, 1);
});

test("something that is no plugin is refused at once", async () => {
  const { runJSONLRuntime } = await import("@wuu/plugin-sdk");
  await assert.rejects(runJSONLRuntime({} as never, { output: { write() {} } }), /initialize\(\)/);
});
