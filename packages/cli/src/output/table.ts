/** Rows in columns, fitted to the width of the terminal. */
import truncatedWidth from "fast-string-truncated-width";
import type { Style, Terminal } from "../terminal/terminal.ts";
import { safeName } from "../text/safe-text.ts";

/** A column of a table of `R`. */
export interface Column<R> {
  readonly head: string;
  /** A stored text may be returned as it is: it is made safe here. */
  cell(row: R): string;
  readonly right?: boolean;
  /** May be cut where the table is too wide. */
  readonly flexible?: boolean;
  style?(row: R): Style | undefined;
}

const GAP = 2;
const LEAST = 8;

/** Lines with their ends; only the heads without rows. */
export function formatTable<R>(
  columns: readonly Column<R>[],
  rows: readonly R[],
  terminal: Terminal,
): string {
  const cells = rows.map((row) => columns.map((column) => safeName(column.cell(row))));
  const natural = columns.map(({ head }, at) =>
    Math.max(widthOf(head), ...cells.map((line) => widthOf(line[at] ?? ""))),
  );
  const widths = fitted(natural, columns, terminal.columns);
  const head = columns.map(({ head, right }, at) => pad(head, widths[at] ?? 0, right));
  const lines = rows.map((row, index) =>
    columns
      .map((column, at) => {
        const text = pad(cut(cells[index]?.[at] ?? "", widths[at] ?? 0), widths[at] ?? 0, column.right);
        const style = column.style?.(row);
        return style === undefined ? text : terminal.style(style, text);
      })
      .join(" ".repeat(GAP))
      .trimEnd(),
  );
  return [terminal.style("dim", head.join(" ".repeat(GAP)).trimEnd()), ...lines]
    .map((line) => `${line}\n`)
    .join("");
}

/** Takes what is too much from the widest flexible columns. */
function fitted(
  natural: readonly number[],
  columns: readonly { readonly flexible?: boolean }[],
  available: number | undefined,
): number[] {
  const widths = [...natural];
  if (available === undefined) return widths;
  let excess = widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1)) - available;
  while (excess > 0) {
    let widest = -1;
    for (const [at, { flexible }] of columns.entries()) {
      if (flexible === true && (widths[at] ?? 0) > Math.max(LEAST, widths[widest] ?? 0)) widest = at;
    }
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

/** The columns that a text takes. */
export function widthOf(text: string): number {
  return truncatedWidth(text).width;
}

function pad(text: string, width: number, right: boolean | undefined): string {
  const space = " ".repeat(Math.max(0, width - widthOf(text)));
  return right === true ? space + text : text + space;
}

/** At most `width` columns, with an ellipsis where something is missing. */
export function cut(text: string, width: number): string {
  const { index, truncated } = truncatedWidth(text, { limit: width, ellipsis: "…", ellipsisWidth: 1 });
  return truncated ? `${text.slice(0, index)}…` : text;
}

/** A text that stands in its line behind this many characters. */
export function fit(text: string, { columns }: Pick<Terminal, "columns">, indent: number): string {
  return columns === undefined ? text : cut(text, Math.max(20, columns - indent));
}
