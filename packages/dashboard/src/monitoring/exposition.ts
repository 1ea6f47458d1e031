/** The text format of Prometheus. */
import type { Labels } from "@duroxide-ts/core";

export function help(name: string, type: "counter" | "gauge" | "histogram", description = ""): string {
  return `# HELP ${name} ${description.replaceAll("\\", "\\\\").replaceAll("\n", " ")}\n# TYPE ${name} ${type}\n`;
}

export function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
