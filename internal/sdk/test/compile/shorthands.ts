// Every shorthand knows its params and its result; what is wrong does not compile.
import {
  askUserQuestions,
  handleRuntimeRequest,
  invokeTool,
  kernelServiceCall,
  reportExecutionUpdate,
  requireKernelService,
  type RuntimeHost,
  type RuntimePlugin,
} from "@wuu/plugin-sdk";

export async function typed(host: RuntimeHost): Promise<void> {
  const swap = await host.call("host.storage.compare_exchange", { scope: "user", key: "k", expected: null, value: "v" });
  const swapped: boolean = swap.swapped;
  const keys: string[] = (await host.call("host.storage.keys", { scope: "user" })).keys;
  const entries: Record<string, unknown> = (await host.call("host.settings.list", {})).entries;
  const status: number = (await host.call("host.credentials.request", { credential: "token", url: "https://api.example.com" })).status;
  await reportExecutionUpdate(host, { message: "half way" });
  const result = await invokeTool(host, { call_id: "1", name: "other", arguments: {} });
  const answer = await askUserQuestions(host, [{ id: "q", question: "Which?" }]);
  const frame = kernelServiceCall("storage", "host.storage.get", { scope: "user", key: "k" });
  requireKernelService("execution.update", { required: false });
  void [swapped, keys, entries, status, result.content, answer.answers, frame.params.service];

  // @ts-expect-error unknown scope
  await host.call("host.storage.get", { scope: "project", key: "k" });
  // @ts-expect-error unknown method
  await host.call("host.storage.got", { scope: "user", key: "k" });
  // @ts-expect-error a value is a string
  await host.call("host.storage.set", { scope: "user", key: "k", value: 1 });
  // @ts-expect-error unknown kernel service
  requireKernelService("host.nothing");
}

export async function direct(plugin: RuntimePlugin): Promise<void> {
  const response = await handleRuntimeRequest(plugin, { id: "1", method: "activate" });
  void ("error" in response ? response.error.code : response.result);
}
