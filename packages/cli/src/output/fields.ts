/** A view of one thing: labels and texts, and lists below. */
import type { Terminal } from "../terminal/terminal.ts";
import { safeText } from "../text/safe-text.ts";
import { cut } from "./table.ts";

/** A label and its lines; several lines stand below each other. */
export type Field = readonly [label: string, ...lines: readonly string[]];

const LABEL = 9;

export function formatFields(fields: readonly Field[], terminal: Terminal): string {
  return fields
    .map(([label, ...lines]) => {
      const texts = lines.map((line) => fit(safeText(line), terminal));
      return `${terminal.style("dim", label.padEnd(LABEL))}${texts.join(`\n${" ".repeat(LABEL)}`)}\n`;
    })
    .join("");
}

function fit(text: string, { columns }: Terminal): string {
  return columns === undefined ? text : cut(text, Math.max(20, columns - LABEL));
}
