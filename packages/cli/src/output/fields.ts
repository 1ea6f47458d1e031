/** A view of one thing: labels and texts, and lists below. */
import type { Terminal } from "../terminal/terminal.ts";
import { safeText } from "../text/safe-text.ts";
import { fit } from "./table.ts";

/** A label and its lines; several lines stand below each other. */
export type Field = readonly [label: string, ...lines: readonly string[]];

/** Least width of the labels. */
const LABEL = 9;

export function formatFields(fields: readonly Field[], terminal: Terminal): string {
  const width = Math.max(LABEL, ...fields.map(([label]) => label.length + 1));
  return fields
    .map(([label, ...lines]) => {
      const texts = lines.map((line) => fit(safeText(line), terminal, width));
      return `${terminal.style("dim", label.padEnd(width))}${texts.join(`\n${" ".repeat(width)}`)}\n`;
    })
    .join("");
}
