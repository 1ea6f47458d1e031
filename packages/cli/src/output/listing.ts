/** A list in the form that was asked for. */
import { usage } from "../errors/exit-code.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { OutputForm } from "./form.ts";
import { idLine } from "./id-line.ts";
import { formatJson, formatJsonLine } from "./json.ts";
import { type Column, formatTable } from "./table.ts";

/** Rows, and how each form shows them. */
export interface Listing<R> {
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  /** Id of the row for `-o ids`; absent where rows have no id. */
  id?(row: R): string;
  /** Value of the row for `-o json` and `jsonl`; the row itself by default. */
  value?(row: R): unknown;
  /** Text instead of an empty table. */
  readonly empty: string;
  /** Text after the table. */
  readonly foot?: string;
}

export function printListing<R>(terminal: Terminal, form: OutputForm, listing: Listing<R>): void {
  const { rows, columns, value = (row: R) => row } = listing;
  switch (form) {
    case "table":
      terminal.write(rows.length === 0 ? `${listing.empty}\n` : formatTable(columns, rows, terminal));
      if (listing.foot !== undefined && rows.length > 0)
        terminal.write(`${terminal.style("dim", listing.foot)}\n`);
      break;
    case "json":
      terminal.write(formatJson(rows.map(value)));
      break;
    case "jsonl":
      for (const row of rows) terminal.write(formatJsonLine(value(row)));
      break;
    case "ids":
      for (const id of idsOf(listing)) terminal.write(`${idLine(id)}\n`);
      break;
  }
}

function idsOf<R>({ rows, id }: Listing<R>): readonly string[] {
  if (id === undefined) throw usage("This verb has no ids to print: use -o table, json or jsonl");
  return rows.map(id);
}
