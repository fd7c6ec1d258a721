import assert from "node:assert/strict";
import { test } from "node:test";
import { Gates, Host, text } from "./host.ts";

function plugin(gates: Gates) {
  return {
    concurrentServices: ["own.free"],
    async executeTool(params: { execution_id: string }, _host: unknown, execution: { signal: AbortSignal }) {
      await gates.enter(params.execution_id);
      return text(`aborted: ${execution.signal.aborted}`);
    },
    async invokeService(
      params: { execution_id?: string },
      _host: unknown,
      execution: { signal: AbortSignal; executionId: string },
    ) {
      await gates.enter(`service ${params.execution_id}`);
      return `${execution.executionId} ${execution.signal.aborted}`;
    },
    activate: () => void gates.entered.push("activate"),
  };
}

test("a call that is cancelled while it waits never enters", async () => {
  const gates = new Gates();
  const host = await Host.start(plugin(gates));
  const [first, second, third] = [host.tool("t", "e1"), host.tool("t", "e2"), host.tool("t", "e3")];
  await host.settle();
  host.cancel("e2", "changed my mind");
  await host.settle();
  gates.release("e1");
  await host.answer(first);
  const refused = await host.answer(second);
  assert.equal(refused.error?.code, "execution_cancelled");
  assert.match(refused.error!.message, /e2 was cancelled: changed my mind/);
  await host.settle();
  gates.release("e3");
  assert.deepEqual((await host.answer(third)).result, text("aborted: false"));
  assert.deepEqual(gates.entered, ["e1", "e3"]);
  await host.close();
});

test("a cancel that is read together with its call comes first", async () => {
  const gates = new Gates();
  const host = await Host.start(plugin(gates));
  const [call] = host.send(
    ["tool.execute", { tool_id: "t", execution_id: "e1" }],
    ["execution.cancel", { execution_id: "e1" }],
  );
  assert.equal((await host.answer(call!)).error?.code, "execution_cancelled");
  assert.deepEqual(gates.entered, []);
  await host.close();
});

test("a running call learns of it, all calls of the execution do, others do not", async () => {
  const gates = new Gates();
  const host = await Host.start(plugin(gates));
  const tool = host.tool("t", "e1");
  const same = host.service("own.free", "e1");
  const other = host.service("own.free", "e2");
  await host.settle();
  host.cancel("e1");
  await host.settle();
  ["e1", "service e1", "service e2"].forEach((name) => gates.release(name));
  assert.deepEqual((await host.answer(tool)).result, text("aborted: true"));
  assert.equal((await host.answer(same)).result, "e1 true");
  assert.equal((await host.answer(other)).result, "e2 false");
  await host.close();
});

test("a cancelled id never comes back, whether it ran, ended or was unknown", async () => {
  const gates = new Gates();
  const host = await Host.start(plugin(gates));
  const ended = host.tool("t", "e1");
  await host.settle();
  gates.release("e1");
  await host.answer(ended);

  const again = host.service("own.free", "e1");
  await host.settle();
  gates.release("service e1");
  assert.equal((await host.answer(again)).result, "e1 false", "an id that merely ended serves nested calls");

  host.cancel("e1");
  host.cancel("unheard-of");
  for (const id of ["e1", "unheard-of"]) {
    assert.equal((await host.answer(host.tool("t", id))).error?.code, "execution_cancelled");
  }
  assert.equal(gates.entered.length, 2);
  await host.close();
});

test("cancel is not answered", async () => {
  const host = await Host.start(plugin(new Gates()));
  const before = host.frames.length;
  host.cancel("e1");
  const [next] = host.send(["prepare"]);
  await host.answer(next!);
  assert.equal(host.frames.length, before + 1);
  await host.close();
});

test("cancelling does not skip the lifecycle", async () => {
  const gates = new Gates();
  const host = await Host.start(plugin(gates));
  const [, activate] = host.send(
    ["tool.execute", { tool_id: "t", execution_id: "e1" }],
    ["activate"],
    ["execution.cancel", { execution_id: "e1" }],
  );
  assert.equal((await host.answer(activate!)).result, null);
  assert.deepEqual(gates.entered, ["activate"]);
  await host.close();
});

test("the host call of a cancelled execution is given up, and its late answer dropped", async () => {
  const seen: unknown[] = [];
  const host = await Host.start({
    async executeTool(_params, kernel, execution) {
      try {
        await kernel.call("host.storage.get", { scope: "user", key: "k" });
      } catch (error) {
        seen.push((error as { code: string }).code, (error as Error).name, error === execution.signal.reason);
      }
      await assert.rejects(kernel.call("host.storage.keys", { scope: "user" }), { code: "execution_cancelled" });
      return text("gave up");
    },
  });
  const call = host.tool("t", "e1");
  const request = await host.request();
  host.cancel("e1");
  assert.deepEqual((await host.answer(call)).result, text("gave up"));
  host.reply(request.id, { result: { value: "late" } });
  await host.settle();
  assert.deepEqual(seen, ["execution_cancelled", "AbortError", true]);
  assert.equal(host.frames.filter((frame) => frame.method !== undefined).length, 1, "nothing was sent after the cancel");
  await host.close();
});
