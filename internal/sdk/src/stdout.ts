import type { NodeProcess, NodeWritable } from "./node.ts";

/** Writes to the real stdout; done is called when the chunk has left the process, or cannot. */
export type WriteFrame = (chunk: string, done?: () => void) => void;

const REAL = Symbol.for("@wuu/plugin-sdk.stdout");

/**
 * Sends to stderr whatever is printed from here on, console.log included, and
 * returns the way to the real stdout, which carries frames alone. Doing it
 * again, also from a second copy of the SDK, returns the same.
 */
export function claimStdout(process: NodeProcess): WriteFrame {
  const stdout = process.stdout as NodeWritable & { [REAL]?: WriteFrame };
  if (stdout[REAL] === undefined) {
    const write = stdout.write.bind(stdout);
    stdout[REAL] = (chunk, done) => void write(chunk, done);
    stdout.write = (chunk, encodingOrDone, done) => process.stderr.write(chunk, encodingOrDone, done);
    // A host that went away is noticed at the end of stdin.
    stdout.on("error", () => {});
  }
  return stdout[REAL];
}
