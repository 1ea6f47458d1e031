/** `duroxide top`: a live view of what runs. */
import type { Worker } from "@duroxide-ts/core";
import type { AnyAdmin } from "@duroxide-ts/core/client";
import { WATCH } from "../command/flags.ts";
import { type Call, defineVerb, type Verb } from "../command/verb.ts";
import { readWork } from "../instances/read-work.ts";
import { formatJson, formatJsonLine } from "../output/json.ts";
import { type Column, formatTable } from "../output/table.ts";
import { watched } from "../terminal/watched.ts";
import { safeText } from "../text/safe-text.ts";
import { count, span } from "../text/times.ts";

const FLAGS = { ...WATCH, once: { kind: "switch", help: "prints one view" } } as const;

const SAMPLE = 200;
const MOST_ROWS = 1_000;

export const top: Verb = defineVerb({
  name: "top",
  takes: "",
  flags: FLAGS,
  details: `
Rates are those since the view before. p50 and p99 are of the last ${SAMPLE} instances that completed. It counts all
instances each time, which costs accordingly on Cosmos DB. Where stdout is no terminal one view is printed.`,
  examples: [
    ["top", "every two seconds"],
    ["top --once -o json", "one view, for a program"],
  ],
  run(call) {
    const { flags, terminal } = call;
    const once = flags.once || (flags.watch === undefined && terminal.columns === undefined);
    let before: View | undefined;
    return watched(terminal, once ? undefined : (flags.watch ?? 2), async () => {
      const view = await look((await call.store("read")).client.admin, terminal.clock.now(), before);
      print(view, call);
      before = view;
    });
  },
});

interface Row {
  readonly name: string;
  readonly running: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly startedPerS?: number;
  readonly failedPerS?: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
}

interface View {
  readonly nowMs: number;
  readonly orchestrations: readonly Row[];
  readonly queues: { readonly rows: number; readonly more: boolean; readonly oldestReadyMs?: number };
  readonly workers: number;
  /** Workers by the version of the package that they run, the lowest first. */
  readonly workerVersions: readonly { readonly version: string; readonly workers: number }[];
  /** Absent if the store does not count it. */
  readonly blockedWork?: number;
}

async function look(admin: AnyAdmin, nowMs: number, before: View | undefined): Promise<View> {
  const [{ counts }, sample, work, workers, { blockedWork }] = await Promise.all([
    admin.count({}, ["name", "status"]),
    admin.query({ filter: { status: ["Completed"] }, order: "updated-desc", limit: SAMPLE }),
    readWork(admin, {}, MOST_ROWS),
    admin.workers(),
    admin.runningMetrics(),
  ]);
  const names = [...new Set(counts.map(({ key: [name = ""] }) => name))].sort();
  const number = (name: string, ...statuses: string[]): number =>
    counts.reduce(
      (sum, { key, count: n }) => sum + (key[0] === name && statuses.includes(key[1] ?? "") ? n : 0),
      0,
    );
  const ready = work.filter(
    ({ visibleAtMs, lockedUntilMs = 0, suspended }) =>
      visibleAtMs <= nowMs && lockedUntilMs <= nowMs && !suspended,
  );
  const oldestMs = Math.min(...ready.map(({ visibleAtMs }) => visibleAtMs));
  return {
    nowMs,
    orchestrations: names.map((name) => {
      const row = {
        name,
        running: number(name, "Running", "ContinuedAsNew", "Scheduled", "Waiting"),
        completed: number(name, "Completed"),
        failed: number(name, "Failed"),
        cancelled: number(name, "Cancelled"),
      };
      const tookMs = sample.instances
        .filter(({ orchestrationName }) => orchestrationName === name)
        .map(({ createdAtMs, updatedAtMs }) => updatedAtMs - createdAtMs);
      return { ...row, ...rates(row, nowMs, before), ...percentiles(tookMs) };
    }),
    queues: {
      rows: work.length,
      more: work.length >= MOST_ROWS,
      ...(ready.length > 0 && { oldestReadyMs: nowMs - oldestMs }),
    },
    workers: workers.length,
    workerVersions: versionsOf(workers),
    ...(blockedWork !== undefined && { blockedWork }),
  };
}

function versionsOf(workers: readonly Worker[]): View["workerVersions"] {
  const byVersion = Map.groupBy(workers, ({ packageVersion }) => packageVersion);
  return [...byVersion]
    .map(([version, those]) => ({ version, workers: those.length }))
    .sort((a, b) => a.version.localeCompare(b.version, "en", { numeric: true }));
}

function rates(row: Row, nowMs: number, before: View | undefined): Partial<Row> {
  const earlier = before?.orchestrations.find(({ name }) => name === row.name);
  if (before === undefined || earlier === undefined || nowMs <= before.nowMs) return {};
  const seconds = (nowMs - before.nowMs) / 1_000;
  const all = (row: Row): number => row.running + row.completed + row.failed + row.cancelled;
  return {
    startedPerS: Math.max(0, all(row) - all(earlier)) / seconds,
    failedPerS: Math.max(0, row.failed - earlier.failed) / seconds,
  };
}

function percentiles(tookMs: number[]): Partial<Row> {
  if (tookMs.length === 0) return {};
  const sorted = tookMs.sort((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

const rate = (value: number | undefined): string => (value === undefined ? "-" : value.toFixed(1));
const took = (ms: number | undefined): string => (ms === undefined ? "-" : span(ms));

const COLUMNS: readonly Column<Row>[] = [
  { head: "ORCHESTRATION", cell: ({ name }) => name, flexible: true },
  { head: "RUNNING", cell: ({ running }) => count(running), right: true },
  { head: "COMPLETED", cell: ({ completed }) => count(completed), right: true },
  {
    head: "FAILED",
    cell: ({ failed }) => count(failed),
    right: true,
    style: ({ failed }) => (failed > 0 ? "red" : undefined),
  },
  { head: "CANCELLED", cell: ({ cancelled }) => count(cancelled), right: true },
  { head: "STARTED/S", cell: ({ startedPerS }) => rate(startedPerS), right: true },
  { head: "FAILED/S", cell: ({ failedPerS }) => rate(failedPerS), right: true },
  { head: "P50", cell: ({ p50Ms }) => took(p50Ms), right: true },
  { head: "P99", cell: ({ p99Ms }) => took(p99Ms), right: true },
];

function print(view: View, { form, terminal }: Call<typeof FLAGS>): void {
  if (form === "json") terminal.write(formatJson(view));
  else if (form === "jsonl") terminal.write(formatJsonLine(view));
  else {
    const { queues, blockedWork } = view;
    const oldest = queues.oldestReadyMs === undefined ? "" : `, oldest ready ${span(queues.oldestReadyMs)}`;
    terminal.write(formatTable(COLUMNS, view.orchestrations, terminal));
    const rows = `queues ${count(queues.rows)}${queues.more ? " or more" : ""} rows${oldest}`;
    const blocked = blockedWork === undefined ? [] : [`blocked ${count(blockedWork)}`];
    terminal.write(`${[rows, ...blocked, workersText(view)].join("   ")}\n`);
  }
}

/** A text such as `workers 3 (2 of 1.0.0, 1 of 1.1.0)`. */
function workersText({ workers, workerVersions }: View): string {
  const versions = workerVersions.map((each) => `${each.workers} of ${safeText(each.version)}`);
  return versions.length === 0 ? `workers ${workers}` : `workers ${workers} (${versions.join(", ")})`;
}
