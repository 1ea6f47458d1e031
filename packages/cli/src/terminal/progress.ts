/** Progress of long work on stderr: a bar on a terminal, nothing elsewhere. */

import { count, span } from "../text/times.ts";
import type { Terminal } from "./terminal.ts";

const WIDTH = 24;
const EVERY_MS = 100;
const CLEAR_LINE = "\r\u001b[K";

export class Progress implements Disposable {
  readonly #terminal: Terminal;
  readonly #total: number | undefined;
  readonly #startedAtMs: number;
  #drawnAtMs = Number.NEGATIVE_INFINITY;

  /** Without a total only the number of what is done is shown. */
  constructor(terminal: Terminal, total?: number) {
    this.#terminal = terminal;
    this.#total = total;
    this.#startedAtMs = terminal.clock.now();
  }

  /** Draws at most ten times a second. */
  show(done: number, remark = ""): void {
    const nowMs = this.#terminal.clock.now();
    if (!this.#terminal.canAsk || nowMs - this.#drawnAtMs < EVERY_MS) return;
    this.#drawnAtMs = nowMs;
    this.#terminal.note(`${CLEAR_LINE}${this.#line(done, nowMs)}${remark === "" ? "" : `  ${remark}`}`);
  }

  #line(done: number, nowMs: number): string {
    const took = span(nowMs - this.#startedAtMs);
    if (this.#total === undefined) return `${count(done)}  ${took}`;
    const full = this.#total === 0 ? WIDTH : Math.floor((done / this.#total) * WIDTH);
    return `${"█".repeat(full)}${"░".repeat(WIDTH - full)} ${count(done)}/${count(this.#total)}  ${took}`;
  }

  /** Removes the bar. */
  [Symbol.dispose](): void {
    if (this.#drawnAtMs !== Number.NEGATIVE_INFINITY) this.#terminal.note(CLEAR_LINE);
  }
}
