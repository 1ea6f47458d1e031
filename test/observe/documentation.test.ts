/** docs/observability.md lists what there is: every metric and label, every log entry, programs that compile. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { activity, type Meter, orchestration, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { expect, test, vi } from "vitest";
import { compile } from "../support/compile.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const page = readFileSync(path.join(ROOT, "docs/observability.md"), "utf8");

/** The cells of the table rows under a heading. */
function rowsUnder(heading: string): readonly (readonly string[])[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("| `"));
  return lines.map((line) => line.slice(2, -2).split(" | "));
}

const unquoted = (cell = ""): string => cell.replaceAll("`", "");

/** Notes the type and unit of every instrument. */
function notingMeter(instruments: Map<string, string>): Meter {
  const note = (type: string) => (name: string, options?: { readonly unit?: string }) => {
    const unit = options?.unit?.replace(/^\{(.*)\}$/, "$1s");
    instruments.set(name, unit === undefined ? type : `${type}, ${unit}`);
    return { add: () => {}, record: () => {} };
  };
  return {
    createCounter: note("counter"),
    createHistogram: note("histogram"),
    createObservableGauge: note("gauge"),
    addBatchObservableCallback: () => {},
    removeBatchObservableCallback: () => {},
  };
}

test("every metric is listed with its type and unit, and no other", async () => {
  const instruments = new Map<string, string>();
  const nothing = orchestration("nothing", async () => 1);
  await using provider = await SqliteProvider.open(":memory:");
  await using _runtime = await Runtime.start({
    provider,
    orchestrations: [nothing],
    activities: [activity("none", async () => 1)],
    meter: notingMeter(instruments),
  });
  const listed = rowsUnder("Metrics").map(([name, type]) => [unquoted(name), type]);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(instruments));
});

test("every log event is listed with its level, and no other", () => {
  const written = ["core", "sqlite", "cosmos", "dashboard", "http", "cli"].flatMap((name) => {
    const source = path.join(ROOT, "packages", name, "src");
    const files = readdirSync(source, { recursive: true, encoding: "utf8" });
    return files
      .filter((file) => file.endsWith(".ts"))
      .map((file) => readFileSync(path.join(source, file), "utf8"))
      .flatMap((text) => [...text.matchAll(/\b(?:event(?: =|:) |warnings\.write\(\s*)"([a-z_]+)"/g)])
      .map(([, event = ""]) => event);
  });
  const listed = rowsUnder("Log entries").map(([name]) => unquoted(name));
  expect([...listed].sort()).toEqual([...new Set(written)].sort());
});

test("its programs compile", () => {
  const prelude = `
    declare const provider: import("@duroxide-ts/core").Provider;
    declare const activities: import("@duroxide-ts/core").AnyActivity[];
    declare const orchestrations: import("@duroxide-ts/core").AnyOrchestration[];
    export {};
  `;
  // Not installed here, because they bring a lot along.
  const exporters = `
    declare module "@opentelemetry/exporter-trace-otlp-http" {
      export const OTLPTraceExporter: new () => import("@opentelemetry/sdk-trace").SpanExporter;
    }
    declare module "@opentelemetry/exporter-metrics-otlp-http" {
      export const OTLPMetricExporter: new () => import("@opentelemetry/sdk-metrics").PushMetricExporter;
    }
    declare module "@opentelemetry/exporter-prometheus" {
      export const PrometheusExporter: new (options: { port?: number }) =>
        import("@opentelemetry/sdk-metrics").MetricReader;
    }
  `;
  const blocks = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code + prelude);
  expect(compile(blocks, { ambient: exporters, allowUnused: true })).toEqual(blocks.map(() => []));
});

test("its example runs, and shows the spans of an order", async () => {
  const print = vi.spyOn(console, "log").mockImplementation(() => {});
  await import("../../examples/observability/main.ts");
  const lines = print.mock.calls.map(([line]) => String(line));
  print.mockRestore();
  const from = lines.indexOf("\nSpans:") + 1;
  const spans = lines.slice(from, lines.indexOf("\nMetrics:"));
  expect(spans.map((line) => line.replace(/ {2,}\d+ ms.*/, "").slice(2)).sort()).toEqual(
    [
      "start checkout",
      "  orchestration checkout",
      "  activity charge",
      "  activity charge",
      "    POST /charges",
      "  start shipping",
      "    orchestration shipping",
      "    activity pack",
    ].sort(),
  );
  expect(lines.join("\n")).toContain("duroxide_orchestration_completions_total{");
});
