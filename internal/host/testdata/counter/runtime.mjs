import { createInterface } from "node:readline";

const services = ["host.storage.get", "host.storage.compare-exchange"];
const waiting = new Map();
let calls = 0;

const send = (frame) => process.stdout.write(JSON.stringify(frame) + "\n");

function host(service, execution_id, params) {
  const id = `plugin-${++calls}`;
  send({ id, method: "host.service.call", params: { service, method: "call", execution_id, params } });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

async function add({ execution_id, arguments: { by } }) {
  const at = { scope: "workspace", key: "count" };
  for (;;) {
    const { value } = await host("host.storage.get", execution_id, at);
    const next = String(Number(value ?? "0") + by);
    const { swapped } = await host("host.storage.compare-exchange", execution_id, { ...at, expected: value, value: next });
    if (swapped) return { result: { content: [{ type: "text", text: next }] } };
  }
}

const handlers = {
  initialize: () => ({
    protocol_version: 3,
    lifecycle_version: 2,
    tools: [{ id: "add", description: "Adds to the counter.", input_schema: { type: "object" } }],
    required_services: services.map((name) => ({ name, major_version: 1, required: true })),
  }),
  prepare: async () => {
    await host("host.storage.get", undefined, { scope: "workspace", key: "count" });
    return null;
  },
  activate: () => null,
  "tool.execute": add,
  shutdown: () => null,
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, result, error } = JSON.parse(line);
  if (!method) {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    error ? reject(new Error(error.message)) : resolve(result);
    continue;
  }
  if (method === "execution.cancel") continue;
  Promise.resolve()
    .then(() => handlers[method](params))
    .then((value) => send({ id, result: value }))
    .catch((err) => send({ id, error: { message: err.message } }));
}
