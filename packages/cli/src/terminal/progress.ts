/** Progress of long work on stderr: a bar on a terminal, elsewhere a line every 30 s. */
import { count, span } from "../text/times.ts";
import type { Terminal } from "./terminal.ts";

const WIDTH = 24;
const EVERY_MS = 100;
const LINE_EVERY_MS = 30_000;
const CLEAR_LINE = "\r\u001b[K";

export class Progress implements Disposable {
  readonly #terminal: Terminal;
  readonly #total: number | undefined;
  readonly #startedAtMs: number;
  #lineAtMs: number;
  #drawnAtMs = Number.NEGATIVE_INFINITY;

  /** Shows only the number of what is done if there is no total. */
  constructor(terminal: Terminal, total?: number) {
    this.#terminal = terminal;
    this.#total = total;
    this.#startedAtMs = terminal.clock.now();
    this.#lineAtMs = this.#startedAtMs;
  }

  show(done: number, remark = ""): void {
    const nowMs = this.#terminal.clock.now();
    if (this.#terminal.canAsk) this.#draw(done, remark, nowMs);
    else this.#showLine(done, nowMs);
  }

  /** At most ten times a second. */
  #draw(done: number, remark: string, nowMs: number): void {
    if (nowMs - this.#drawnAtMs < EVERY_MS) return;
    this.#drawnAtMs = nowMs;
    this.#terminal.note(`${CLEAR_LINE}${this.#line(done, nowMs)}${remark === "" ? "" : `  ${remark}`}`);
  }

  #showLine(done: number, nowMs: number): void {
    if (nowMs - this.#lineAtMs < LINE_EVERY_MS) return;
    this.#lineAtMs = nowMs;
    const of = this.#total === undefined ? "" : ` of ${count(this.#total)}`;
    this.#terminal.note(`${count(done)}${of} after ${span(nowMs - this.#startedAtMs)}\n`);
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
