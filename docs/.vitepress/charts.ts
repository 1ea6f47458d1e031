/**
 * Charts of the site, drawn from the files of benchmarks/results when it is built. A page says where one stands by a
 * comment, which other readers of the page do not see: `<!-- chart peers per_second W1 -->`.
 */
import { readFileSync } from "node:fs";
import path from "node:path";

interface Line {
  readonly system: string;
  readonly workload: string;
  readonly processes?: number;
  readonly [figure: string]: unknown;
}

interface Bar {
  readonly label: string;
  readonly value: number;
}

const UNITS: Readonly<Record<string, string>> = {
  per_second: "per second",
  p50_ms: "ms, median",
  processor_us: "µs of processor time",
  requests: "requests",
  charge: "RU",
};

const WIDTH = 720;
const LABELS = 290;
const VALUES = 90;
const ROW = 30;

/** One bar for each system, or for each workload where none is named, with the median of its runs. */
export function chartOf(root: string, description: string): string {
  const [name = "", figure = "", workload] = description.trim().split(" ");
  const file = path.join(root, "benchmarks", "results", `${name}.json`);
  const { lines } = JSON.parse(readFileSync(file, "utf8")) as { readonly lines: readonly Line[] };
  const chosen = lines.filter(
    (line) => (workload ?? line.workload) === line.workload && (line.processes ?? 1) === 1,
  );
  const groups = Map.groupBy(chosen, (line) => (workload === undefined ? line.workload : line.system));
  const bars = [...groups].map(([label, members]): Bar => ({ label, value: medianOf(members, figure) }));
  if (bars.length === 0 || bars.some(({ value }) => !Number.isFinite(value)))
    throw new Error(`the chart "${description}" finds no figures in ${file}`);
  return svgOf(bars, [workload, UNITS[figure] ?? figure].filter((part) => part !== undefined).join(", "));
}

function medianOf(lines: readonly Line[], figure: string): number {
  const values = lines.map((line) => Number(line[figure])).sort((a, b) => a - b);
  return values[Math.floor(values.length / 2)] ?? Number.NaN;
}

function svgOf(bars: readonly Bar[], title: string): string {
  const most = Math.max(...bars.map(({ value }) => value));
  const height = bars.length * ROW + 34;
  const shown = (value: number): string =>
    value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 1 : 0 });
  const rows = bars.map(({ label, value }, index) => {
    const y = 30 + index * ROW;
    const width = Math.max(2, (value / most) * (WIDTH - LABELS - VALUES));
    return `<text x="${LABELS - 10}" y="${y + 16}" text-anchor="end">${escaped(label)}</text><rect x="${LABELS}" y="${y}" width="${width.toFixed(1)}" height="22" rx="3"/><text x="${(LABELS + width + 8).toFixed(1)}" y="${y + 16}">${shown(value)}</text>`;
  });
  const said = bars.map(({ label, value }) => `${label} ${shown(value)}`).join(", ");
  return `<div class="chart" tabindex="0" v-pre><svg role="img" aria-label="${escaped(`${title}: ${said}`)}" viewBox="0 0 ${WIDTH} ${height}"><text class="title" x="0" y="16">${escaped(title)}</text>${rows.join("")}</svg></div>\n`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
