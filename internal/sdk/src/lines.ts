/** A line without its end, or why it is none. */
export type Line = { readonly text: string; readonly problem?: never } | { readonly problem: string; readonly text?: never };

const NEWLINE = 0x0a;

/**
 * Cuts a stream of bytes or text into lines. A line may arrive in any number of
 * chunks, cut anywhere. One that passes the limit, or is not UTF-8, becomes a
 * problem and the next line starts clean.
 */
export class LineSplitter {
  readonly #limit: number;
  #parts: Uint8Array[] = [];
  #size = 0;
  #surrogate = "";

  /** limit counts bytes, newline included. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  push(chunk: Uint8Array | string): Line[] {
    const bytes = typeof chunk === "string" ? this.#encode(chunk) : chunk;
    const lines: Line[] = [];
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      this.#keep(bytes.subarray(start, end));
      lines.push(this.#finish());
      start = end + 1;
    }
    // A copy: the sender may reuse its buffer.
    this.#keep(new Uint8Array(bytes.subarray(start)));
    return lines;
  }

  /** The last line, when the stream ended without a newline. */
  end(): Line[] {
    return this.#size > 0 ? [this.#finish()] : [];
  }

  /** Half a character at the end of a text waits for the other half. */
  #encode(chunk: string): Uint8Array {
    let text = this.#surrogate + chunk;
    const last = text.charCodeAt(text.length - 1);
    this.#surrogate = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : "";
    text = text.slice(0, text.length - this.#surrogate.length);
    return new TextEncoder().encode(text);
  }

  #keep(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size >= this.#limit) {
      this.#parts = []; // only its length still matters
    } else if (part.length > 0) {
      this.#parts.push(part);
    }
  }

  #finish(): Line {
    const [parts, size] = [this.#parts, this.#size];
    this.#parts = [];
    this.#size = 0;
    if (size >= this.#limit) {
      return { problem: `the line has ${size + 1} bytes; the limit is ${this.#limit}` };
    }
    try {
      return { text: new TextDecoder("utf-8", { fatal: true }).decode(join(parts, size)) };
    } catch {
      return { problem: "the line is not UTF-8" };
    }
  }
}

function join(parts: Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
