import type { RuntimeError } from "./frames.ts";

/** An error whose code goes to the wire. */
export function codedError(code: string, message: string): Error & { code: string } {
  return Object.assign(new Error(message), { code });
}

/** The reason of an aborted signal: what fetch and its kin expect, with a code. */
export function abortError(code: string, message: string): Error & { code: string } {
  const error = codedError(code, message);
  error.name = "AbortError";
  return error;
}

/** What the other side learns of a thrown value. Only a string counts as a code. */
export function wireError(thrown: unknown): RuntimeError {
  const code = errorCode(thrown);
  const message = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  return code === undefined ? { message } : { code, message };
}

/** The code that an error carries, if it is a string with something in it. */
export function errorCode(thrown: unknown): string | undefined {
  const code = typeof thrown === "object" && thrown !== null ? (thrown as { code?: unknown }).code : undefined;
  return typeof code === "string" && code !== "" ? code : undefined;
}

const LATE = ["execution_cancelled", "execution_not_found", "generation_closed"];

/** Whether a host call failed because what it belonged to is over. */
export function cameTooLate(thrown: unknown): boolean {
  return LATE.includes(errorCode(thrown) ?? "");
}
