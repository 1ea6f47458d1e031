/** `duroxide queues`: the rows of both queues. */
import type { QueuedWork } from "@duroxide-ts/core";
import { LIMIT, WATCH } from "../command/flags.ts";
import { type Call, defineVerb, type Verb } from "../command/verb.ts";
import { readWork } from "../instances/read-work.ts";
import { printListing } from "../output/listing.ts";
import type { Column } from "../output/table.ts";
import { watched } from "../terminal/watched.ts";
import { count, span } from "../text/times.ts";

const FLAGS = {
  rows: { kind: "switch", help: "the rows, and not their number" },
  kind: { kind: "text", value: "KIND", choices: ["orchestrator", "worker"], help: "orchestrator or worker" },
  instance: { kind: "text", value: "ID", help: "rows of one instance" },
  tag: { kind: "text", value: "TAG", help: "activities with this tag of workers" },
  overdue: { kind: "duration", value: "SPAN", help: "rows that could have been taken for so long" },
  ...LIMIT,
  ...WATCH,
} as const;

/** More is not counted, because it is read row by row. */
const MOST_COUNTED = 10_000;

export const queues: Verb = defineVerb({
  name: "queues",
  takes: "",
  flags: FLAGS,
  details: `
At most ${count(MOST_COUNTED)} rows are counted. A timer is a row of the orchestrator queue that is due later.
What a suspended instance has received is counted under LATER.`,
  examples: [
    ["queues", "how much waits, and how long"],
    ["queues --rows --overdue 1m --kind worker", "activities that no worker takes"],
  ],
  run: (call) => watched(call.terminal, call.flags.watch, () => printOnce(call)),
});

async function printOnce(call: Call<typeof FLAGS>): Promise<void> {
  const { flags, form, terminal } = call;
  const { client } = await call.store("read");
  const query = {
    ...(flags.kind !== undefined && { kind: flags.kind as QueuedWork["kind"] }),
    ...(flags.instance !== undefined && { instanceId: flags.instance }),
    ...(flags.tag !== undefined && { tag: flags.tag }),
    ...(flags.overdue !== undefined && { overdueByMs: flags.overdue }),
  };
  const nowMs = terminal.clock.now();
  const work = await readWork(client.admin, query, flags.rows ? (flags.limit ?? 50) : MOST_COUNTED);
  if (flags.rows) {
    const empty = "No rows match.";
    printListing(terminal, form, {
      columns: rowColumns(nowMs),
      rows: work,
      id: ({ instanceId }) => instanceId,
      empty,
    });
  } else printListing(terminal, form, { columns: SUM_COLUMNS, rows: sums(work, nowMs), empty: "" });
}

interface Sum {
  readonly queue: string;
  readonly ready: number;
  readonly locked: number;
  readonly later: number;
  readonly oldestReadyMs: number | undefined;
}

function sums(work: readonly QueuedWork[], nowMs: number): readonly Sum[] {
  const isTimer = ({ kind, item, visibleAtMs }: QueuedWork): boolean =>
    kind === "orchestrator" && item === "TimerFired" && visibleAtMs > nowMs;
  const sum = (queue: string, rows: readonly QueuedWork[]): Sum => {
    const locked = rows.filter(({ lockedUntilMs = 0 }) => lockedUntilMs > nowMs);
    const free = rows.filter(({ lockedUntilMs = 0 }) => lockedUntilMs <= nowMs);
    const ready = free.filter(({ visibleAtMs, suspended }) => visibleAtMs <= nowMs && !suspended);
    const oldestMs = Math.min(...ready.map(({ visibleAtMs }) => visibleAtMs));
    return {
      queue,
      ready: ready.length,
      locked: locked.length,
      later: free.length - ready.length,
      oldestReadyMs: ready.length === 0 ? undefined : nowMs - oldestMs,
    };
  };
  return [
    sum(
      "orchestrator",
      work.filter((row) => row.kind === "orchestrator" && !isTimer(row)),
    ),
    sum(
      "worker",
      work.filter(({ kind }) => kind === "worker"),
    ),
    sum("timers", work.filter(isTimer)),
  ];
}

const SUM_COLUMNS: readonly Column<Sum>[] = [
  { head: "QUEUE", cell: ({ queue }) => queue },
  { head: "READY", cell: ({ ready }) => count(ready), right: true },
  { head: "LOCKED", cell: ({ locked }) => count(locked), right: true },
  { head: "LATER", cell: ({ later }) => count(later), right: true },
  { head: "OLDEST READY", cell: ({ oldestReadyMs: ms }) => (ms === undefined ? "-" : span(ms)), right: true },
];

function rowColumns(nowMs: number): readonly Column<QueuedWork>[] {
  return [
    { head: "QUEUE", cell: ({ kind }) => kind },
    { head: "INSTANCE", cell: ({ instanceId }) => instanceId, flexible: true },
    {
      head: "ITEM",
      cell: ({ item, name }) => (name === undefined ? item : `${item} ${name}`),
      flexible: true,
    },
    {
      head: "VISIBLE",
      cell: ({ visibleAtMs: at }) => (at > nowMs ? `in ${span(at - nowMs)}` : `for ${span(nowMs - at)}`),
    },
    {
      head: "LOCKED",
      cell: ({ lockedUntilMs: until = 0, suspended }) =>
        until > nowMs ? span(until - nowMs) : suspended ? "suspended" : "-",
    },
    { head: "OWNER", cell: ({ lockOwner }) => lockOwner ?? "-", flexible: true },
    { head: "FETCHED", cell: ({ attempts }) => String(attempts), right: true },
    {
      head: "TAG",
      cell: ({ tag, session }) => [tag, session && `session ${session}`].filter(Boolean).join(" ") || "-",
    },
  ];
}
