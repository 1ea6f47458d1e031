/**
 * Reads that take long, such as that of a history, in turn.
 *
 * - read-turns.RT1: At most one begins in a turn of the event loop. A store that reads in this process has done it
 *   within the turn, so other work of the process runs between any two reads.
 * - read-turns.RT2: At most `AT_ONCE` are under way, so that the memory for their histories has a limit. A store over a
 *   network answers several at the same time.
 * - read-turns.RT3: One whose request is over is not begun. More than `MOST_WAITING` are refused.
 */
import { setImmediate } from "@duroxide-ts/core/stores";
import { Refused } from "@duroxide-ts/core/web";

const AT_ONCE = 4;
const MOST_WAITING = 200;

export class ReadTurns {
  #underWay = 0;
  #isScheduled = false;
  readonly #waiting: (() => void)[] = [];

  /** Resolves with the result of `read`. */
  async run<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> {
    if (this.#waiting.length >= MOST_WAITING) {
      throw new Refused(503, "busy", "too many reads wait for this server; try again later");
    }
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
    try {
      if (signal.aborted) throw new Refused(503, "busy", "the request is over");
      return await read();
    } finally {
      this.#underWay--;
      this.#schedule();
    }
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0 || this.#underWay >= AT_ONCE) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#underWay++;
      this.#waiting.shift()?.();
      this.#schedule();
    });
  }
}
