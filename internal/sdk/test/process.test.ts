import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Frame } from "./host.ts";

/** Runs a fixture as the host would. The exchange sends lines and waits for frames; its end closes stdin. */
async function plugin(
  name: string,
  exchange: (send: (frame: object) => void, next: () => Promise<Frame>) => Promise<void>,
) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`./fixtures/${name}.js`, import.meta.url))]);
  const lines: string[] = [];
  let stdout = "";
  let stderr = "";
  let wake = () => {};
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    const whole = stdout.split("\n");
    stdout = whole.pop()!;
    lines.push(...whole);
    wake();
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  child.stdin.on("error", () => {}); // the child may have gone
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  let read = 0;
  const next = async () => {
    while (lines.length <= read) {
      await new Promise<void>((resolve) => (wake = resolve));
    }
    return JSON.parse(lines[read++]!) as Frame;
  };
  await exchange((frame) => child.stdin.write(`${JSON.stringify(frame)}\n`), next);
  child.stdin.end();
  const code = await closed;
  return { code, lines, rest: stdout, stderr };
}

const initialize = { id: "1", method: "initialize", params: { supported_host_services: ["host.service.call"] } };

test("whatever a plugin prints goes to stderr", async () => {
  const { code, lines, rest, stderr } = await plugin("noisy", async (send, next) => {
    send(initialize);
    await next();
  });
  assert.equal(code, 0);
  assert.deepEqual(lines, ['{"id":"1","result":{"lifecycle_version":2}}']);
  assert.equal(rest, "");
  for (const word of ["while loading", "log { a: 1 }", "info", "debug", "│ (index)", "error", "raw", "bytes", "written", "bye", "after"]) {
    assert(stderr.includes(word), `${word} is missing in ${stderr}`);
  }
});

test("the process ends by itself, timers and servers or not, with the exit code it set", async () => {
  const { code, stderr } = await plugin("leftovers", async (send, next) => {
    send(initialize);
    await next();
  });
  assert.equal(code, 3);
  assert.equal(stderr, "");
});

test("progress that nobody awaits does not end the process when its execution is cancelled", async () => {
  const { code, stderr, lines } = await plugin("late", async (send, next) => {
    send(initialize);
    await next();
    send({ id: "2", method: "tool.execute", params: { tool_id: "t", execution_id: "e1" } });
    assert.equal((await next()).method, "host.service.call");
    send({ id: "3", method: "execution.cancel", params: { execution_id: "e1" } });
    assert.equal((await next()).id, "2");
    send({ id: "4", method: "prepare" });
    assert.equal((await next()).id, "4");
  });
  assert.equal(stderr, "");
  assert.equal(code, 0);
  assert.equal(lines.length, 4);
});

test("any other unhandled rejection still does", async () => {
  const { code, stderr } = await plugin("late", async (send, next) => {
    send(initialize);
    await next();
    send({ id: "2", method: "tool.execute", params: { tool_id: "rejects", execution_id: "e1" } });
    assert.equal((await next()).method, "host.service.call");
  });
  assert.notEqual(code, 0);
  assert.match(stderr, /a real mistake/);
});

test("an unexpected error leaves its stack on stderr; a failed cleanup is a failed process", async () => {
  const { code, stderr } = await plugin("failing", async (send, next) => {
    send(initialize);
    assert.deepEqual(await next(), { id: "1", error: { message: "broken by a typo" } });
  });
  assert.equal(code, 1);
  assert.match(stderr, /broken by a typo\n\s+at /);
  assert.match(stderr, /cannot clean up/);
});

test("an empty stdin is a clean end", async () => {
  const { code, lines } = await plugin("leftovers", async () => {});
  assert.equal(code, 3);
  assert.deepEqual(lines, []);
});
