// The little of Node that the SDK touches, so that it needs no @types/node.

export interface NodeWritable {
  write(chunk: string | Uint8Array, encodingOrDone?: unknown, done?: unknown): boolean;
  on(event: "error", listener: (error: Error) => void): unknown;
}

export interface NodeProcess {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: NodeWritable;
  readonly stderr: NodeWritable;
  exitCode?: number | string | null | undefined;
  exit(): never;
  on(event: "unhandledRejection", listener: (reason: unknown) => void): unknown;
  listenerCount(event: "unhandledRejection"): number;
}

/** Node's process, or undefined elsewhere. */
export function nodeProcess(): NodeProcess | undefined {
  return (globalThis as { process?: NodeProcess }).process;
}

/** A timer that does not keep the process alive. */
export function backgroundTimer(run: () => void, milliseconds: number): void {
  const timer = setTimeout(run, milliseconds) as unknown as { unref?(): void };
  timer.unref?.();
}
