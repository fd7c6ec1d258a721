// A runtime in the way of upstream's documentation: it must compile unchanged.
// The declaration stands for @types/node, which such a project has.
import {
  importArtifact,
  requireArtifactImportService,
  requireKernelService,
  runJSONLRuntime,
  type RuntimeHost,
  type RuntimePlugin,
} from "@wuu/plugin-sdk";

declare const process: {
  stdin: AsyncIterable<Uint8Array | string>;
  stdout: { write(chunk: string): boolean };
  exitCode: number | undefined;
};

async function readCounter(host: RuntimeHost): Promise<string | null> {
  const result = await host.call("host.service.call", {
    service: "host.storage.get",
    method: "call",
    params: { scope: "workspace", key: "counter" },
  }) as { value: string | null };
  return result.value;
}

const plugin: RuntimePlugin = {
  concurrentServices: ["example.text.analysis"],
  initialize(_params) {
    return {
      hooks: [],
      protocol_version: 3,
      tools: [{
        id: "count",
        description: "Counts.",
        input_schema: { type: "object", properties: {}, additionalProperties: false },
        activity: { read_only: true, concurrency_safe: true },
      }],
      provided_services: [{
        name: "example.text.analysis",
        version: "1.0.0",
        methods: [{ name: "analyze", input_schema: "example.text.input.v1", output_schema: "example.text.output.v1" }],
      }],
      required_services: [requireKernelService("host.storage.get"), requireArtifactImportService()],
    };
  },
  async prepare(host, lifecycle) {
    lifecycle.signal.throwIfAborted();
    await readCounter(host);
  },
  async executeTool(params, host, execution) {
    if (params.execution_id !== undefined && params.execution_id !== execution.executionId) {
      throw new Error("another execution");
    }
    const report = await importArtifact(host, { path: "output/report.html", name: "report.html", mime_type: "text/html" });
    const { value } = await host.call("host.storage.get", { scope: "user", key: "a" }, { signal: execution.signal });
    return { result: { content: [{ type: "text", text: `${report.uri} ${value}` }] } };
  },
  async invokeService(params) {
    return params.params;
  },
};

runJSONLRuntime(plugin, { input: process.stdin, output: process.stdout }).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
