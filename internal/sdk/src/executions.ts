import { abortError } from "./errors.ts";

/** How many cancelled ids are remembered; the oldest are forgotten first. */
const REMEMBERED = 4096;

/** One admitted call. Several may share an execution id. */
export interface Execution {
  readonly id: string;
  readonly signal: AbortSignal;
  /** The call has returned; its host accepts nothing any more. */
  readonly closed: boolean;
  close(): void;
}

/** The calls that are admitted and not finished, and the ids that must not come back. */
export class Executions {
  readonly #live = new Set<LiveExecution>();
  readonly #cancelled = new Map<string, Error>();

  /** Registers a call as its frame is read. A cancelled id starts out aborted. */
  open(id: string): Execution {
    const execution = new LiveExecution(id, (done) => this.#live.delete(done));
    this.#live.add(execution);
    const reason = this.#cancelled.get(id);
    if (reason !== undefined) {
      execution.abort(reason);
    }
    return execution;
  }

  /** Aborts every live call of the id, and every later one. */
  cancel(id: string, why?: string): void {
    const reason = abortError("execution_cancelled", `execution ${id} was cancelled${why ? `: ${why}` : ""}`);
    this.#remember(id, reason);
    for (const execution of this.#live) {
      if (execution.id === id) {
        execution.abort(reason);
      }
    }
  }

  /** Aborts everything. */
  end(reason: Error): void {
    for (const execution of this.#live) {
      execution.abort(reason);
    }
  }

  #remember(id: string, reason: Error): void {
    this.#cancelled.set(id, reason);
    if (this.#cancelled.size > REMEMBERED) {
      for (const oldest of this.#cancelled.keys()) {
        this.#cancelled.delete(oldest);
        break;
      }
    }
  }
}

class LiveExecution implements Execution {
  readonly id: string;
  closed = false;
  readonly #controller = new AbortController();
  readonly #onClose: (execution: LiveExecution) => void;

  constructor(id: string, onClose: (execution: LiveExecution) => void) {
    this.id = id;
    this.#onClose = onClose;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: Error): void {
    this.#controller.abort(reason);
  }

  close(): void {
    this.closed = true;
    this.#onClose(this);
  }
}
