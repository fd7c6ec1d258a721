import { cameTooLate } from "./errors.ts";
import { LineSplitter } from "./lines.ts";
import { backgroundTimer, nodeProcess, type NodeProcess } from "./node.ts";
import type { RuntimePlugin } from "./plugin.ts";
import { Runtime, type RuntimeOutput } from "./runtime.ts";
import { claimStdout } from "./stdout.ts";
import { MAX_LINE_BYTES } from "./versions.ts";

/** Frames from the host, cut anywhere. */
export interface JSONLInput extends AsyncIterable<Uint8Array | string> {}

/** Takes whole lines. */
export interface JSONLOutput {
  write(chunk: string): unknown;
}

/** How long callbacks may still run after the host went away. */
const CLEANUP_MS = 5000;

/** How long code after runJSONLRuntime may still run before leftover timers are cut off. */
const LEAVE_MS = 100;

/**
 * Runs a plugin until its input ends: handles what the host asks and answers.
 * On the process's own stdin and stdout, which are the default, it also sends
 * everything that is printed to stderr, and lets the process exit afterwards
 * even if the plugin left timers or connections behind.
 */
export async function runJSONLRuntime(
  plugin: RuntimePlugin,
  streams: { input?: JSONLInput; output?: JSONLOutput } = {},
): Promise<void> {
  if (typeof plugin?.initialize !== "function") {
    throw new TypeError("a plugin must be an object with initialize()");
  }
  const process = nodeProcess();
  const input = streams.input ?? process?.stdin;
  if (input === undefined || (streams.output ?? process?.stdout) === undefined) {
    throw new TypeError("runJSONLRuntime needs an input and an output outside of Node");
  }
  const own = process !== undefined && input === process.stdin ? process : undefined;
  const runtime = new Runtime(plugin, openOutput(streams.output, process));
  if (own !== undefined) {
    forgiveLateCalls(own);
  }
  const splitter = new LineSplitter(MAX_LINE_BYTES);
  try {
    for await (const chunk of input) {
      splitter.push(chunk).forEach((line) => runtime.receive(line));
    }
    splitter.end().forEach((line) => runtime.receive(line));
  } finally {
    if (own !== undefined) {
      backgroundTimer(() => giveUp(own), CLEANUP_MS);
    }
    try {
      await runtime.end();
    } finally {
      if (own !== undefined) {
        leave(own);
      }
    }
  }
}

function openOutput(output: JSONLOutput | undefined, process: NodeProcess | undefined): RuntimeOutput {
  if (process === undefined || (output !== undefined && (output as unknown) !== process.stdout)) {
    return { write: (line) => void output?.write(line), report: () => {} };
  }
  return {
    write: claimStdout(process),
    report: (thrown) => process.stderr.write(`${(thrown instanceof Error && thrown.stack) || String(thrown)}\n`),
  };
}

/** Ends the process when its last frame has left, unless it ends by itself before. */
function leave(process: NodeProcess): void {
  backgroundTimer(() => claimStdout(process)("", () => process.exit()), LEAVE_MS);
}

function giveUp(process: NodeProcess): void {
  process.stderr.write(`a callback did not end within ${CLEANUP_MS} ms after the host went away\n`);
  process.exitCode = 1;
  process.exit();
}

/**
 * A progress report that nobody awaits must not end the process because its
 * execution was cancelled meanwhile. Every other unhandled rejection still does.
 */
function forgiveLateCalls(process: NodeProcess): void {
  process.on("unhandledRejection", (reason) => {
    if (!cameTooLate(reason) && process.listenerCount("unhandledRejection") === 1) {
      throw reason;
    }
  });
}
