/**
 * Prints the demo. On a terminal the progress is drawn over itself; elsewhere (a pipe, a CI log) it is a few plain
 * lines. Colours only on a terminal, and never when NO_COLOR is set.
 */
import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

const { stdout } = process;
const coloured = stdout.isTTY && !process.env["NO_COLOR"];

export function paint(style: Style, text: string): string {
  return coloured ? styleText(style, text, { validateStream: false }) : text;
}

/** Cut or filled up to so many columns. */
export function fit(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 3)}...` : text.padEnd(width);
}

export function say(text = ""): void {
  stdout.write(`${text}\n`);
}

const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
const CLEAR_TO_END = "\u001b[0J";

/** Interval between two lines if nothing can be drawn over. */
const MS_BETWEEN_LINES = 1_000;

/** Rows that are drawn again and again in one place, with a summary below. */
export class LiveRows {
  #drawn = 0;
  #lastSummary = "";
  #nextLineAtMs = 0;

  /** `rows` must fit 80 columns. */
  draw(rows: readonly string[], summary: string): void {
    if (canDrawOver(rows.length + 1)) {
      const start = this.#drawn === 0 ? HIDE_CURSOR : `\u001b[${this.#drawn}A`;
      stdout.write(`${start}${CLEAR_TO_END}${[...rows, summary].join("\n")}\n`);
      this.#drawn = rows.length + 1;
    } else if (performance.now() >= this.#nextLineAtMs) {
      this.#writeLine(summary);
    }
  }

  /** Draws for the last time; the next text follows below. */
  end(rows: readonly string[], summary: string): void {
    if (this.#drawn > 0) this.draw(rows, summary);
    else this.#writeLine(summary);
    this.#drawn = 0;
    showCursor();
  }

  #writeLine(summary: string): void {
    if (summary !== this.#lastSummary) say(summary);
    this.#lastSummary = summary;
    this.#nextLineAtMs = performance.now() + MS_BETWEEN_LINES;
  }
}

export function showCursor(): void {
  if (stdout.isTTY) stdout.write(SHOW_CURSOR);
}

function canDrawOver(lines: number): boolean {
  return stdout.isTTY && stdout.columns >= 80 && stdout.rows > lines;
}
