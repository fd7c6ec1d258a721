import type { HostServiceMethod } from "./gateway.ts";
import type { HostServiceContracts, HostServiceError } from "./host-services.ts";

export interface RuntimeHostCallOptions {
  /** Gives the call up early. It cannot undo the signal of the execution. */
  signal?: AbortSignal;
}

/**
 * The host, as one callback sees it. The host of a tool, capability or service
 * call adds the execution id, gives its calls up when the execution is
 * cancelled, and is closed when the callback returns. The host of initialize,
 * prepare and activate belongs to no execution and lasts until the end.
 */
export interface RuntimeHost {
  /**
   * Tells whether the host takes calls of this name at all. It says nothing
   * about whether the service behind it has a provider.
   */
  supports(method: HostServiceMethod): boolean;

  /** Calls a service. A refusal is a RuntimeHostServiceError. */
  call<M extends HostServiceMethod>(
    method: M,
    params: HostServiceContracts[M]["params"],
    options?: RuntimeHostCallOptions,
  ): Promise<HostServiceContracts[M]["result"]>;
}

/** The host, or the service behind it, refused a call. */
export class RuntimeHostServiceError extends Error {
  /** For example "execution_not_found"; "host_error" when the host gave none. */
  readonly code: string;

  constructor(error: HostServiceError) {
    super(error.message);
    this.name = "RuntimeHostServiceError";
    this.code = error.code;
  }
}
