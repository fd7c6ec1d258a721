import assert from "node:assert/strict";
import { test } from "node:test";
import {
  askUserQuestions,
  HOST_SERVICE_METHODS,
  importArtifact,
  invokeTool,
  kernelServiceCall,
  reportExecutionUpdate,
  requireArtifactImportService,
  requireKernelService,
  RuntimeHostServiceError,
  type RuntimeHost,
} from "@wuu/plugin-sdk";
import { Host, text } from "./host.ts";

/** Runs use inside a tool call of execution e1; answers its one host call; returns the request's params. */
async function inTool(use: (host: RuntimeHost) => Promise<unknown>, answer: object = { result: {} }) {
  let outcome: unknown;
  const host = await Host.start({
    async executeTool(_params, kernel) {
      outcome = await use(kernel).catch((error: unknown) => error);
      return text("");
    },
  });
  const call = host.tool("t", "e1");
  const request = await host.request();
  host.reply(request.id, answer as { result: unknown });
  await host.answer(call);
  await host.close();
  return { request, outcome };
}

const key = { scope: "user", key: "k" } as const;

for (const [name, use, service, params] of [
  ["host.storage.get", (host) => host.call("host.storage.get", key), "host.storage.get", key],
  [
    "the underscore of compare_exchange",
    (host) => host.call("host.storage.compare_exchange", { ...key, expected: null, value: "v" }),
    "host.storage.compare-exchange",
    { ...key, expected: null, value: "v" },
  ],
  ["host.settings.list", (host) => host.call("host.settings.list", {}), "host.settings.list", {}],
  ["a service without a shorthand", (host) => host.call("host.newer" as "host.settings.list", {}), "host.newer", {}],
  [
    "reportExecutionUpdate",
    (host) => reportExecutionUpdate(host, { message: "half" }),
    "execution.update",
    { execution_id: "e1", message: "half" },
  ],
  [
    "invokeTool",
    (host) => invokeTool(host, { call_id: "c", name: "n", arguments: { a: 1 } }),
    "execution.invoke-tool",
    { execution_id: "e1", call_id: "c", name: "n", arguments: { a: 1 } },
  ],
  [
    "askUserQuestions",
    (host) => askUserQuestions(host, [{ id: "q", question: "?" }]),
    "host.user-question.ask",
    { questions: [{ id: "q", question: "?" }] },
  ],
  ["importArtifact", (host) => importArtifact(host, { path: "a.html" }), "host.artifact.import", { path: "a.html" }],
] as [string, (host: RuntimeHost) => Promise<unknown>, string, object][]) {
  test(`${name} becomes one call of the gateway`, async () => {
    const { request } = await inTool(use);
    assert.deepEqual(request, {
      id: "plugin-1",
      method: "host.service.call",
      params: { execution_id: "e1", service, method: "call", params },
    });
  });
}

test("the gateway itself keeps its method, and an execution id of the caller's choice", async () => {
  const params = { service: "other.text", method: "analyze", execution_id: "e9", params: { text: "x" } };
  const { request, outcome } = await inTool((host) => host.call("host.service.call", params), { result: 42 });
  assert.deepEqual(request.params, params);
  assert.equal(outcome, 42);
});

test("a null result is a result", async () => {
  const { outcome } = await inTool((host) => host.call("host.storage.get", key), { result: null });
  assert.equal(outcome, null);
});

test("the host of the lifecycle adds no execution", async () => {
  const host = await Host.start({ prepare: (kernel) => kernel.call("host.storage.get", key) });
  const [prepare] = host.send(["prepare"]);
  const request = await host.request();
  assert.deepEqual(request.params, { service: "host.storage.get", method: "call", params: key });
  host.reply(request.id, { result: { value: null } });
  await host.answer(prepare!);
  await host.close();
});

test("a refusal carries its code", async () => {
  const error = { code: "service_not_authorized", message: "not declared" };
  const { outcome } = await inTool((host) => host.call("host.storage.get", key), { error });
  assert(outcome instanceof RuntimeHostServiceError);
  assert.equal(outcome.code, "service_not_authorized");
  assert.equal(outcome.message, "not declared");
  assert.equal(outcome.name, "RuntimeHostServiceError");
});

test("a refusal without a code is a host_error", async () => {
  const { outcome } = await inTool((host) => host.call("host.storage.get", key), { error: { message: "odd" } });
  assert.equal((outcome as RuntimeHostServiceError).code, "host_error");
});

test("a refusal that the plugin does not catch keeps its code on the wire", async () => {
  const host = await Host.start({
    executeTool: async (_params, kernel) => text(String(await kernel.call("host.storage.get", key))),
  });
  const call = host.tool("t", "e1");
  host.reply((await host.request()).id, { error: { code: "limit_exceeded", message: "too much" } });
  assert.deepEqual((await host.answer(call)).error, { code: "limit_exceeded", message: "too much" });
  await host.close();
});

test("a signal of the caller gives up one call alone", async () => {
  const { outcome } = await inTool(async (host) => {
    const controller = new AbortController();
    const given = host.call("host.storage.get", key, { signal: controller.signal });
    controller.abort(new Error("enough"));
    await assert.rejects(given, /enough/);
    await assert.rejects(host.call("host.storage.get", key, { signal: controller.signal }), /enough/);
    return "went on";
  });
  assert.equal(outcome, "went on");
});

test("the host of a callback that has returned is closed", async () => {
  let kept: RuntimeHost | undefined;
  const host = await Host.start({
    executeTool(_params, kernel) {
      kept = kernel;
      return text("");
    },
  });
  await host.answer(host.tool("t", "e1"));
  await assert.rejects(kept!.call("execution.update", { message: "late" }), { code: "execution_not_found" });
  assert.equal(host.frames.length, 2, "nothing reached the wire");
  await host.close();
});

test("supports speaks of the gateway; without it calls are refused here", async () => {
  const answers: unknown[] = [];
  const host = new Host({
    async initialize(_params, kernel) {
      answers.push(kernel.supports("host.service.call"), kernel.supports("host.storage.get"));
      await assert.rejects(kernel.call("host.storage.get", key), { code: "service_not_negotiated" });
      return {};
    },
  });
  assert.equal((await host.call("initialize", { supported_host_services: [] })).error, undefined);
  await host.close();

  const other = new Host({
    initialize(_params, kernel) {
      answers.push(kernel.supports("host.service.call"), kernel.supports("host.storage.get"));
      return {};
    },
  });
  await other.call("initialize", { supported_host_services: ["host.service.call"] });
  await other.close();
  assert.deepEqual(answers, [false, false, true, true]);
});

test("answers may come in any order", async () => {
  let values: unknown;
  const host = await Host.start({
    async executeTool(_params, kernel) {
      values = await Promise.all(["a", "b"].map((name) => kernel.call("host.storage.get", { scope: "user", key: name })));
      return text("");
    },
  });
  const call = host.tool("t", "e1");
  const [first, second] = [await host.request(), await host.request()];
  host.reply(second.id, { result: { value: second.params!.params!["key"] } });
  host.reply(first.id, { result: { value: first.params!.params!["key"] } });
  await host.answer(call);
  assert.deepEqual(values, [{ value: "a" }, { value: "b" }]);
  await host.close();
});

test("requirements name version 1 and are required unless told otherwise", () => {
  assert.deepEqual(requireKernelService("host.storage.compare_exchange"), {
    name: "host.storage.compare-exchange",
    major_version: 1,
    required: true,
  });
  // A name without a shorthand stays, so that the host can say which one it lacks.
  assert.equal(requireKernelService("host.setings.get" as "host.settings.get").name, "host.setings.get");
  assert.deepEqual(requireKernelService("execution.update", { required: false }), {
    name: "execution.update",
    major_version: 1,
    required: false,
  });
  assert.equal(requireArtifactImportService().name, "host.artifact.import");
});

test("kernelServiceCall builds the frame that call sends", () => {
  assert.deepEqual(kernelServiceCall("storage", "host.storage.compare_exchange", { ...key, expected: null, value: "n" }), {
    id: "storage",
    method: "host.service.call",
    params: {
      service: "host.storage.compare-exchange",
      method: "call",
      params: { ...key, expected: null, value: "n" },
    },
  });
});

test("the list of methods starts with the gateway and has no doubles", () => {
  assert.equal(HOST_SERVICE_METHODS[0], "host.service.call");
  assert.equal(new Set(HOST_SERVICE_METHODS).size, HOST_SERVICE_METHODS.length);
});
