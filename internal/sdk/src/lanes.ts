/**
 * barrier: alone, after everything before it and before everything after it.
 * exclusive: alone among exclusive and shared work, in order.
 * shared: overlaps with adjacent shared work.
 * free: waits for barriers only.
 */
export type Lane = "barrier" | "exclusive" | "shared" | "free";

/** How many shared jobs run at once. */
export const SHARED_SLOTS = 8;

interface Job {
  /** Asked when the job's turn may have come: initialize decides which tools are shared. */
  lane(): Lane;
  /** Never rejects. */
  run(): Promise<void>;
}

/**
 * Decides when admitted work may start. Nothing starts inside admit, so that
 * all frames of one chunk are read, and their cancellations known, first.
 */
export class Lanes {
  #waiting: Job[] = [];
  #waitingFree = 0;
  readonly #running: Record<Lane, number> = { barrier: 0, exclusive: 0, shared: 0, free: 0 };
  #scheduled = false;
  #idle: (() => void)[] = [];

  admit(lane: () => Lane, run: () => Promise<void>): void {
    this.#waiting.push({ lane, run });
    this.#waitingFree += lane() === "free" ? 1 : 0;
    this.#schedule();
  }

  /** Resolves when nothing waits and nothing runs. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idle.push(resolve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (!this.#scheduled) {
      this.#scheduled = true;
      queueMicrotask(() => {
        this.#scheduled = false;
        this.#startWhatFits();
      });
    }
  }

  #startWhatFits(): void {
    const queue = this.#waiting;
    const kept: Job[] = [];
    let blocked = false; // an exclusive or shared job waits: no later one may pass it
    let next = 0;
    while (next < queue.length && this.#running.barrier === 0 && !(blocked && this.#waitingFree === 0)) {
      const job = queue[next++]!;
      const lane = job.lane();
      if (lane === "free" || (!blocked && this.#fits(lane))) {
        this.#start(lane, job);
        continue;
      }
      kept.push(job);
      blocked = true;
      if (lane === "barrier") {
        break;
      }
    }
    this.#waiting = kept.concat(queue.slice(next));
    if (this.#waiting.length === 0 && this.#count() === 0) {
      this.#idle.splice(0).forEach((resolve) => resolve());
    }
  }

  /** Whether the first waiting job may join what runs. */
  #fits(lane: Lane): boolean {
    const running = this.#running;
    switch (lane) {
      case "barrier":
        return this.#count() === 0;
      case "exclusive":
        return running.exclusive + running.shared === 0;
      case "shared":
        return running.exclusive === 0 && running.shared < SHARED_SLOTS;
      case "free":
        return true;
    }
  }

  #start(lane: Lane, job: Job): void {
    this.#running[lane]++;
    this.#waitingFree -= lane === "free" ? 1 : 0;
    void job.run().then(() => {
      this.#running[lane]--;
      this.#schedule();
    });
  }

  #count(): number {
    const { barrier, exclusive, shared, free } = this.#running;
    return barrier + exclusive + shared + free;
  }
}
