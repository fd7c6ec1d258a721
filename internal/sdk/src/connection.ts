import { codedError } from "./errors.ts";
import type { Execution } from "./executions.ts";
import type { RuntimeError } from "./frames.ts";
import { gatewayParams, type HostServiceMethod, type ServiceCallParams } from "./gateway.ts";
import { EXECUTION_UPDATE_SERVICE, INVOKE_TOOL_SERVICE } from "./execution-services.ts";
import type { RuntimeInitializeParams } from "./plugin.ts";
import { RuntimeHostServiceError, type RuntimeHost, type RuntimeHostCallOptions } from "./runtime-host.ts";

const GATEWAY = "host.service.call";

interface Pending {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** The plugin's own requests to the host: their ids, answers and ends. */
export class HostConnection {
  readonly #send: (frame: object) => void;
  readonly #pending = new Map<string, Pending>();
  #supported: readonly string[] = [];
  #last = 0;
  #ended: Error | undefined;

  /** send may throw when a frame cannot be sent. */
  constructor(send: (frame: object) => void) {
    this.#send = send;
  }

  /** Learns what the host offers. */
  negotiate(params: RuntimeInitializeParams): void {
    this.#supported = Array.isArray(params.supported_host_services) ? params.supported_host_services : [];
  }

  /** The host as a callback of execution sees it, or as the lifecycle does. */
  host(execution?: Execution): RuntimeHost {
    return {
      supports: (method: HostServiceMethod) => this.#supported.includes(method) || this.#supported.includes(GATEWAY),
      call: (method: string, params: object, options?: RuntimeHostCallOptions) =>
        // The typed signature promises what the host's contract says of the result.
        this.#call(method, params, options, execution) as Promise<never>,
    };
  }

  /** Takes the host's answer. One to a call that was given up is dropped. */
  settle(id: string, answer: { result?: unknown; error?: RuntimeError }): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) {
      return;
    }
    this.#pending.delete(id);
    if (answer.error === undefined) {
      pending.resolve(answer.result);
      return;
    }
    const { code = "host_error", message } = answer.error;
    pending.reject(new RuntimeHostServiceError({ code, message }));
  }

  /** Rejects what is pending and whatever comes later. */
  end(reason: Error): void {
    this.#ended = reason;
    for (const pending of this.#pending.values()) {
      pending.reject(reason);
    }
    this.#pending.clear();
  }

  async #call(method: string, params: object, options: RuntimeHostCallOptions | undefined, execution?: Execution) {
    const signals = [execution?.signal, options?.signal].filter((signal) => signal !== undefined);
    this.#refuse(execution, signals);
    const call = bind(gatewayParams(method, params), execution);
    const id = `plugin-${++this.#last}`;
    let giveUp: () => void = () => {};
    try {
      return await new Promise<unknown>((resolve, reject) => {
        giveUp = () => reject(signals.find((signal) => signal.aborted)?.reason);
        signals.forEach((signal) => signal.addEventListener("abort", giveUp));
        this.#pending.set(id, { resolve, reject });
        this.#send({ id, method: GATEWAY, params: call });
      });
    } finally {
      this.#pending.delete(id);
      signals.forEach((signal) => signal.removeEventListener("abort", giveUp));
    }
  }

  #refuse(execution: Execution | undefined, signals: AbortSignal[]): void {
    if (this.#ended !== undefined) {
      throw this.#ended;
    }
    signals.forEach((signal) => signal.throwIfAborted());
    if (execution?.closed) {
      throw new RuntimeHostServiceError({
        code: "execution_not_found",
        message: "the callback that this host belongs to has returned",
      });
    }
    if (!this.#supported.includes(GATEWAY)) {
      throw new RuntimeHostServiceError({
        code: "service_not_negotiated",
        message: `the host does not offer ${GATEWAY}`,
      });
    }
  }
}

/** Adds the execution id, also inside the params of services that are about an execution. */
function bind(call: ServiceCallParams, execution?: Execution): ServiceCallParams {
  if (execution === undefined || execution.id === "") {
    return call;
  }
  const scoped = { execution_id: execution.id };
  const about = call.service === EXECUTION_UPDATE_SERVICE || call.service === INVOKE_TOOL_SERVICE;
  return { ...scoped, ...call, ...(about ? { params: { ...scoped, ...call.params } } : {}) };
}

/** The host of a request that is handled outside a connection. */
export const unavailableHost: RuntimeHost = {
  supports: () => false,
  call: () => Promise.reject(codedError("service_unavailable", "there is no host")),
};
