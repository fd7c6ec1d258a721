// The host's side of the wire, for tests: sends frames, waits for answers.
import { runJSONLRuntime, type RuntimePlugin } from "@wuu/plugin-sdk";

export interface Frame {
  id: string;
  method?: string;
  params?: { service: string; method: string; execution_id?: string; params?: Record<string, unknown> };
  result?: unknown;
  error?: { code?: string; message: string };
}

export class Host {
  /** Everything that the plugin has written so far. */
  readonly frames: Frame[] = [];
  /** Settles when the runtime has ended. */
  readonly done: Promise<void>;
  readonly #chunks: (Uint8Array | string)[] = [];
  #wake: () => void = () => {};
  #wakeInput: () => void = () => {};
  #closed = false;
  #seen = 0;
  #last = 0;

  constructor(plugin: RuntimePlugin) {
    const write = (line: string) => {
      this.frames.push(JSON.parse(line) as Frame);
      this.#wake();
    };
    this.done = runJSONLRuntime(plugin, { input: this.#input(), output: { write } });
    this.done.catch(() => {}); // tests look at it when it matters
  }

  /** Starts a plugin whose tools are all declared, past activate. */
  static async start(plugin: Partial<RuntimePlugin>, declared: object = {}): Promise<Host> {
    const host = new Host({ initialize: () => declared, ...plugin });
    await host.call("initialize", { supported_host_services: ["host.service.call"] });
    return host;
  }

  /** Sends bytes or text as one chunk. */
  write(chunk: Uint8Array | string): void {
    this.#chunks.push(chunk);
    this.#wakeInput();
  }

  /** Sends requests as one chunk and returns their ids. */
  send(...requests: [method: string, params?: object | undefined][]): string[] {
    const frames = requests.map(([method, params]) => ({ id: `${++this.#last}`, method, params }));
    this.write(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(""));
    return frames.map((frame) => frame.id);
  }

  tool(tool_id: string, execution_id: string): string {
    return this.send(["tool.execute", { tool_id, execution_id }])[0]!;
  }

  service(service: string, execution_id?: string): string {
    return this.send(["service.invoke", { service, method: "call", caller: "other", execution_id }])[0]!;
  }

  capability(capability: string): string {
    return this.send(["capability.invoke", { capability, input: {}, output: {} }])[0]!;
  }

  cancel(execution_id: string, reason?: string): void {
    this.send(["execution.cancel", { execution_id, reason }]);
  }

  /** Waits for the answer to a request. */
  async answer(id: string): Promise<Frame> {
    return await this.#frame((frame) => frame.id === id && frame.method === undefined);
  }

  async call(method: string, params?: object): Promise<Frame> {
    return await this.answer(this.send([method, params])[0]!);
  }

  /** Waits for the plugin's next request. */
  async request(): Promise<Frame> {
    const skip = this.#seen++;
    return await this.#frame((frame) => frame.method !== undefined, skip);
  }

  reply(id: string, answer: { result?: unknown } | { error: object }): void {
    this.write(`${JSON.stringify({ id, ...answer })}\n`);
  }

  /**
   * Waits until the runtime has read everything that was sent and has started
   * what may start: a line that is none is answered as it is read.
   */
  async settle(): Promise<void> {
    const skip = this.frames.filter((frame) => frame.id === "invalid").length;
    this.write("settle\n");
    await this.#frame((frame) => frame.id === "invalid", skip);
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Closes the runtime's input. */
  close(): Promise<void> {
    this.#closed = true;
    this.#wakeInput();
    return this.done;
  }

  async *#input(): AsyncGenerator<Uint8Array | string> {
    for (;;) {
      while (this.#chunks.length > 0) {
        yield this.#chunks.shift()!;
      }
      if (this.#closed) {
        return;
      }
      await new Promise<void>((resolve) => (this.#wakeInput = resolve));
    }
  }

  async #frame(wanted: (frame: Frame) => boolean, skip = 0): Promise<Frame> {
    for (;;) {
      const found = this.frames.filter(wanted)[skip];
      if (found !== undefined) {
        return found;
      }
      await new Promise<void>((resolve) => {
        const others = this.#wake;
        this.#wake = () => (others(), resolve());
      });
    }
  }
}

/** A promise and its resolver. */
export function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

/** Callbacks that wait for their turn: what has entered, and a way to let each go on. */
export class Gates {
  readonly entered: string[] = [];
  readonly left: string[] = [];
  readonly #open = new Map<string, () => void>();

  async enter(name: string): Promise<void> {
    this.entered.push(name);
    const { promise, resolve } = deferred();
    this.#open.set(name, resolve);
    await promise;
    this.left.push(name);
  }

  release(name: string): void {
    const open = this.#open.get(name);
    if (open === undefined) {
      throw new Error(`${name} has not entered`);
    }
    open();
  }
}

/** A tool's answer. */
export function text(value: string) {
  return { result: { content: [{ type: "text" as const, text: value }] } };
}
