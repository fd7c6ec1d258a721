import { answer } from "./dispatch.ts";
import { HostConnection } from "./connection.ts";
import { abortError, codedError, errorCode, wireError } from "./errors.ts";
import { Executions, type Execution } from "./executions.ts";
import type { RuntimeRequest } from "./frames.ts";
import { Lanes, type Lane } from "./lanes.ts";
import type { Line } from "./lines.ts";
import type { RuntimeInitializeResult, RuntimePlugin } from "./plugin.ts";
import { MAX_LINE_BYTES } from "./versions.ts";
import { parseFrame } from "./parse.ts";

/** Where a runtime's frames and its unexpected errors go. */
export interface RuntimeOutput {
  write(line: string): void;
  /** An error without a code: most likely a mistake in the plugin. */
  report(thrown: unknown): void;
}

const ALWAYS_FREE = ["model.adapter", "model.middleware"];

/** One plugin between its two streams: reads frames, decides when they are handled, answers. */
export class Runtime {
  readonly #plugin: RuntimePlugin;
  readonly #output: RuntimeOutput;
  readonly #connection = new HostConnection((frame) => this.#output.write(encode(frame)));
  readonly #executions = new Executions();
  readonly #lanes = new Lanes();
  readonly #lifecycle = new AbortController();
  #safeTools: ReadonlySet<string> = new Set();
  #closing = false; // shutdown was read: no new work
  #ended = false; // the host went away: nothing starts any more
  #stopped = false; // shutdown has reached the plugin

  constructor(plugin: RuntimePlugin, output: RuntimeOutput) {
    this.#plugin = plugin;
    this.#output = output;
  }

  /** Takes one line. It returns before anything is handled. */
  receive(line: Line): void {
    const frame = parseFrame(line);
    switch (frame?.kind) {
      case "invalid":
        this.#fail(frame.id, codedError("invalid_request", frame.problem));
        break;
      case "response":
        this.#connection.settle(frame.id, frame.answer);
        break;
      case "request":
        this.#admit(frame.request);
        break;
    }
  }

  /**
   * The host went away: gives up what is pending, waits for what runs, and
   * cleans up once. It rejects when the plugin's cleaning up does.
   */
  async end(): Promise<void> {
    this.#closing = true;
    this.#ended = true;
    const reason = abortError("generation_closed", "the host has closed the connection");
    this.#connection.end(reason);
    this.#lifecycle.abort(reason);
    this.#executions.end(reason);
    await this.#lanes.idle();
    if (!this.#stopped) {
      await this.#stop(); // else the host has heard how it went
    }
  }

  #admit(request: RuntimeRequest): void {
    if (request.method === "execution.cancel") {
      this.#executions.cancel(request.params.execution_id, request.params.reason);
      return;
    }
    if (this.#closing) {
      this.#fail(request.id, codedError("generation_closed", "runtime is shutting down"));
      return;
    }
    if (request.method === "shutdown") {
      this.#closing = true;
      this.#lifecycle.abort(abortError("generation_closed", "the host has asked for shutdown"));
    }
    const execution = isExecuted(request) ? this.#executions.open(request.params.execution_id ?? "") : undefined;
    this.#lanes.admit(
      () => this.#lane(request),
      () => this.#handle(request, execution),
    );
  }

  #lane(request: RuntimeRequest): Lane {
    switch (request.method) {
      case "initialize":
      case "prepare":
      case "activate":
      case "shutdown":
        return "barrier";
      case "tool.execute":
        return this.#safeTools.has(request.params.tool_id) ? "shared" : "exclusive";
      case "capability.invoke": {
        const id = request.params.capability;
        return ALWAYS_FREE.includes(id) || this.#plugin.concurrentCapabilities?.includes(id) ? "free" : "exclusive";
      }
      case "service.invoke":
        return this.#plugin.concurrentServices?.includes(request.params.service) ? "free" : "exclusive";
      default:
        return "exclusive";
    }
  }

  async #handle(request: RuntimeRequest, execution: Execution | undefined): Promise<void> {
    try {
      execution?.signal.throwIfAborted();
      const result = await this.#run(request, execution);
      this.#output.write(encode({ id: request.id, result: result ?? null }));
    } catch (thrown) {
      this.#fail(request.id, thrown);
    } finally {
      execution?.close();
    }
  }

  async #run(request: RuntimeRequest, execution: Execution | undefined): Promise<unknown> {
    if (request.method === "shutdown") {
      await this.#stop();
      return null;
    }
    if (this.#ended) {
      throw codedError("generation_closed", "runtime is shutting down");
    }
    if (request.method === "initialize") {
      this.#connection.negotiate(request.params);
    }
    const result = await answer(this.#plugin, request, this.#connection.host(execution), {
      lifecycle: { signal: this.#lifecycle.signal },
      ...(execution && { execution: { executionId: execution.id, signal: execution.signal } }),
    });
    if (request.method === "initialize") {
      this.#safeTools = safeTools(result as RuntimeInitializeResult);
    }
    return result;
  }

  async #stop(): Promise<void> {
    this.#stopped = true;
    await this.#plugin.shutdown?.();
  }

  #fail(id: string, thrown: unknown): void {
    if (errorCode(thrown) === undefined) {
      this.#output.report(thrown);
    }
    this.#output.write(encode({ id, error: wireError(thrown) }));
  }
}

function isExecuted(request: RuntimeRequest) {
  return (
    request.method === "tool.execute" || request.method === "capability.invoke" || request.method === "service.invoke"
  );
}

function safeTools(declared: RuntimeInitializeResult): ReadonlySet<string> {
  const tools = declared.tools ?? [];
  return new Set(tools.filter((tool) => tool.activity?.concurrency_safe === true).map((tool) => tool.id));
}

/** One line. It throws what cannot be JSON, and what is longer than a line may be. */
function encode(frame: object): string {
  const line = `${JSON.stringify(frame)}\n`;
  if (line.length * 3 > MAX_LINE_BYTES && new TextEncoder().encode(line).length > MAX_LINE_BYTES) {
    throw codedError("limit_exceeded", `the frame is longer than ${MAX_LINE_BYTES} bytes`);
  }
  return line;
}
