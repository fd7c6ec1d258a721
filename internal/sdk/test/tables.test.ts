import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseFrame } from "../src/parse.ts";

interface Case {
  name: string;
  direction: "to_plugin" | "to_host";
  frame?: unknown;
  line?: string;
  ok: boolean;
  code?: string;
}

// The tables that the host is tested with, too.
const tables = process.env["WUU_PROTOCOL_TABLES"];
assert(tables, "WUU_PROTOCOL_TABLES is not set");
const cases = readFileSync(join(tables, "frames.jsonl"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as Case)
  .filter((frame) => frame.direction === "to_plugin" || frame.code === "FRAME_INVALID");

test("there are such cases", () => assert(cases.length >= 16));

for (const { name, frame, line, ok, code } of cases) {
  test(name, () => {
    const parsed = parseFrame({ text: line ?? JSON.stringify(frame) });
    assert(parsed);
    assert.equal(parsed.kind !== "invalid", ok);
    if (parsed.kind === "invalid") {
      // Only a malformed request has an id that can be answered.
      assert.equal(parsed.id, code === "FRAME_INVALID" ? (frame as { id: string }).id : "invalid");
    }
  });
}
