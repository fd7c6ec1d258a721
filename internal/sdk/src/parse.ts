import type { RuntimeError, RuntimeRequest } from "./frames.ts";
import type { Line } from "./lines.ts";

/** What a line from the host is. */
export type Frame =
  | { kind: "request"; request: RuntimeRequest }
  | { kind: "response"; id: string; answer: { result?: unknown; error?: RuntimeError } }
  | { kind: "invalid"; id: string; problem: string };

/** The id of an answer to a line that has none. */
const NO_ID = "invalid";

const METHODS_WITH_PARAMS: Readonly<Record<string, readonly string[]>> = {
  initialize: [],
  "tool.execute": ["tool_id"],
  "capability.invoke": ["capability"],
  "service.invoke": ["service", "method"],
  "service.changed": ["service"],
  "execution.cancel": ["execution_id"],
};

type Members = Readonly<Record<string, unknown>>;

/** Reads one line; undefined for an empty one. */
export function parseFrame(line: Line): Frame | undefined {
  if (line.problem !== undefined) {
    return invalid(NO_ID, line.problem);
  }
  if (line.text.trim() === "") {
    return undefined;
  }
  let frame: unknown;
  try {
    frame = JSON.parse(line.text);
  } catch {
    return invalid(NO_ID, "the line is not JSON");
  }
  if (!isObject(frame)) {
    return invalid(NO_ID, "the line is not a JSON object");
  }
  const id = text(frame["id"]);
  if (id === undefined) {
    return invalid(NO_ID, "id must be a non-empty string");
  }
  return "method" in frame ? request(id, frame) : response(id, frame);
}

function request(id: string, frame: Members): Frame {
  const method = text(frame["method"]);
  if (method === undefined) {
    return invalid(id, "method must be a non-empty string");
  }
  if ("result" in frame || "error" in frame) {
    return invalid(id, "a request carries neither result nor error");
  }
  const params = frame["params"];
  const needed = METHODS_WITH_PARAMS[method];
  if (params === undefined ? needed !== undefined : !isObject(params)) {
    return invalid(id, `params of ${method} must be an object`);
  }
  const absent = needed?.find((name) => text((params as Members)[name]) === undefined);
  if (absent !== undefined) {
    return invalid(id, `${absent} of ${method} must be a non-empty string`);
  }
  return { kind: "request", request: { id, method, params } as RuntimeRequest };
}

function response(id: string, frame: Members): Frame {
  if (!("error" in frame)) {
    return "result" in frame
      ? { kind: "response", id, answer: { result: frame["result"] } }
      : invalid(NO_ID, "the object has neither method nor result nor error");
  }
  const error = frame["error"];
  const message = isObject(error) ? text(error["message"]) : undefined;
  const code = isObject(error) ? text(error["code"]) : undefined;
  const answer = { message: message ?? "the host gave no reason", ...(code !== undefined && { code }) };
  return { kind: "response", id, answer: { error: answer } };
}

function invalid(id: string, problem: string): Frame {
  return { kind: "invalid", id, problem };
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A string with something in it. */
function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
