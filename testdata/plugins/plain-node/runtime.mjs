import { createInterface } from "node:readline";

const greet = {
  id: "greet",
  description: "Greets somebody by name.",
  input_schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};

const handlers = {
  initialize: () => ({ protocol_version: 3, lifecycle_version: 2, tools: [greet] }),
  prepare: () => null,
  activate: () => null,
  "tool.execute": ({ arguments: { name } }) => ({ result: { content: [{ type: "text", text: `Hello, ${name}!` }] } }),
  shutdown: () => null,
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "execution.cancel") continue;
  const handler = handlers[method];
  const reply = handler ? { id, result: handler(params) } : { id, error: { code: "method_not_found", message: method } };
  process.stdout.write(JSON.stringify(reply) + "\n");
}
