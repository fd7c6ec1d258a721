import type { RuntimePlugin } from "./plugin.js";
/** Frames from the host, cut anywhere. */
export interface JSONLInput extends AsyncIterable<Uint8Array | string> {
}
/** Takes whole lines. */
export interface JSONLOutput {
    write(chunk: string): unknown;
}
/**
 * Runs a plugin until its input ends: handles what the host asks and answers.
 * On the process's own stdin and stdout, which are the default, it also sends
 * everything that is printed to stderr, and lets the process exit afterwards
 * even if the plugin left timers or connections behind.
 */
export declare function runJSONLRuntime(plugin: RuntimePlugin, streams?: {
    input?: JSONLInput;
    output?: JSONLOutput;
}): Promise<void>;
