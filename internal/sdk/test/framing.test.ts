import assert from "node:assert/strict";
import { test } from "node:test";
import { Host, text } from "./host.ts";
import { LineSplitter } from "../src/lines.ts";

const echo = {
  executeTool: (params: { arguments: unknown }) => text(String(params.arguments)),
};

const frame = (id: string, argument: string) =>
  JSON.stringify({ id, method: "tool.execute", params: { tool_id: "echo", arguments: argument } });

test("a frame may be cut anywhere, inside a character too", async () => {
  const host = await Host.start(echo);
  for (const byte of new TextEncoder().encode(`${frame("a", "héllo 🌍")}\n`)) {
    host.write(new Uint8Array([byte]));
  }
  assert.deepEqual((await host.answer("a")).result, text("héllo 🌍"));
  await host.close();
});

test("text chunks may cut a surrogate pair", async () => {
  const host = await Host.start(echo);
  for (const unit of `${frame("a", "x🌍y")}\n`.split("")) {
    host.write(unit);
  }
  assert.deepEqual((await host.answer("a")).result, text("x🌍y"));
  await host.close();
});

test("several frames in one chunk, CRLF, empty lines and a last line without end", async () => {
  const host = await Host.start(echo);
  host.write(`${frame("a", "1")}\r\n\r\n\n${frame("b", "2")}\n${frame("c", "3")}`);
  assert.deepEqual((await host.answer("b")).result, text("2"));
  host.write("\n");
  assert.deepEqual((await host.answer("c")).result, text("3"));
  host.write('{"id":"d","method":"nothing"}');
  await host.close();
  assert.deepEqual(
    host.frames.map((answer) => answer.id),
    ["1", "a", "b", "c", "d"],
  );
});

for (const [name, line, id] of [
  ["not JSON", "not-json", "invalid"],
  ["not an object", "[1]", "invalid"],
  ["null", "null", "invalid"],
  ["no id", '{"method":"prepare"}', "invalid"],
  ["an empty id", '{"id":"","method":"prepare"}', "invalid"],
  ["a number as id", '{"id":7,"method":"prepare"}', "invalid"],
  ["neither request nor response", '{"id":"x"}', "invalid"],
  ["an empty method", '{"id":"x","method":""}', "x"],
  ["a request with a result", '{"id":"x","method":"prepare","result":1}', "x"],
  ["params that are no object", '{"id":"x","method":"prepare","params":[]}', "x"],
  ["no params where some are needed", '{"id":"x","method":"tool.execute"}', "x"],
  ["a tool call without a tool", '{"id":"x","method":"tool.execute","params":{}}', "x"],
  ["a cancel without an execution", '{"id":"x","method":"execution.cancel","params":{}}', "x"],
] as const) {
  test(`${name} is answered as invalid, and the next frame works`, async () => {
    const host = await Host.start(echo);
    host.write(`${line}\n${frame("next", "ok")}\n`);
    const answer = await host.answer(id);
    assert.equal(answer.error?.code, "invalid_request");
    assert.deepEqual((await host.answer("next")).result, text("ok"));
    await host.close();
  });
}

test("bytes that are not UTF-8 are invalid", async () => {
  const host = await Host.start(echo);
  host.write(new Uint8Array([0x7b, 0xff, 0x7d, 0x0a]));
  assert.match((await host.answer("invalid")).error!.message, /UTF-8/);
  await host.close();
});

test("an unknown method has its own code", async () => {
  const host = await Host.start(echo);
  assert.equal((await host.call("tool.dance")).error?.code, "method_not_found");
  await host.close();
});

test("an answer that nobody waits for is dropped", async () => {
  const host = await Host.start(echo);
  host.reply("plugin-99", { result: 1 });
  host.reply("plugin-99", { error: { message: "late" } });
  host.write(`${frame("next", "ok")}\n`);
  await host.answer("next");
  assert.equal(host.frames.length, 2);
  await host.close();
});

test("a line at the limit passes, a longer one does not, and the next starts clean", () => {
  const splitter = new LineSplitter(8);
  const lines = [..."1234567\n", ..."12345678\n", ..."12\n"].flatMap((byte) => splitter.push(byte));
  assert.deepEqual(lines, [
    { text: "1234567" },
    { problem: "the line has 9 bytes; the limit is 8" },
    { text: "12" },
  ]);
  assert.deepEqual(splitter.push("1234567\n123456789\n\n"), [
    { text: "1234567" },
    { problem: "the line has 10 bytes; the limit is 8" },
    { text: "" },
  ]);
  assert.deepEqual(splitter.end(), []);
});

test("a result that is too long, or cannot be JSON, costs one call", async () => {
  const results: unknown[] = ["x".repeat(64 << 20), 1n];
  const host = await Host.start({ invokeService: () => results.shift() ?? "small" });
  assert.equal((await host.answer(host.service("own.data"))).error?.code, "limit_exceeded");
  assert.match((await host.answer(host.service("own.data"))).error!.message, /BigInt/);
  assert.equal((await host.answer(host.service("own.data"))).result, "small");
  await host.close();
});
