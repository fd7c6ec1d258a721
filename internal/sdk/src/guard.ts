// Evaluated before a plugin's own modules, this claims stdout early: what they
// print while they load reaches stderr instead of breaking a frame.
import { nodeProcess } from "./node.ts";
import { claimStdout } from "./stdout.ts";

const process = nodeProcess();
if (process !== undefined) {
  claimStdout(process);
}
