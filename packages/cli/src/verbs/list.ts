/** `duroxide list`: instances, with what they wait for or why they failed. */
import type { InstanceSummary, InstanceTimeline } from "@duroxide-ts/core";
import { stateWords } from "@duroxide-ts/core/operate";
import { hasEnded } from "@duroxide-ts/core/stores";
import { LIMIT, WATCH } from "../command/flags.ts";
import { type Call, defineVerb, type Verb } from "../command/verb.ts";
import { FILTER_FLAGS, type State, selectionOf } from "../instances/filter-flags.ts";
import { type FoundInstance, findInstances } from "../instances/find-instances.ts";
import { lookAtRunning } from "../instances/look-at.ts";
import { situation, stateOf, styleOf } from "../instances/state.ts";
import { printListing } from "../output/listing.ts";
import { nextLine } from "../output/next-line.ts";
import { decoded, payloadLine } from "../output/payload.ts";
import type { Column } from "../output/table.ts";
import type { OpenStore } from "../store/open-store.ts";
import { watched } from "../terminal/watched.ts";
import { shortTime, span, zoneOf } from "../text/times.ts";

const FLAGS = {
  ...FILTER_FLAGS,
  ...LIMIT,
  ...WATCH,
  order: {
    kind: "text",
    value: "ORDER",
    choices: ["created-desc", "created-asc", "updated-desc"],
    help: "created-desc (default), created-asc or updated-desc",
  },
} as const;

interface Row extends FoundInstance {
  readonly state: State;
  readonly situation: string;
}

export const list: Verb = defineVerb({
  name: "list",
  takes: "",
  flags: FLAGS,
  details: `
waiting, retrying, cancelling and compensating are instances that run; telling them apart reads a history for each
instance.`,
  examples: [
    ["list --status failed,blocked --since 1h", "what went wrong in the last hour"],
    ["list --waiting event:approved --older-than 1d", "what has waited for an approval for a day"],
    ["list --tag tenant=acme --tag 'priority>=2'", "what is urgent of a tenant"],
    ["list --status failed -o ids | duroxide cancel -", "ids for another verb"],
  ],
  run: (call) => watched(call.terminal, call.flags.watch, () => printOnce(call)),
});

async function printOnce(call: Call<typeof FLAGS>): Promise<void> {
  const { flags, form, terminal } = call;
  const store = await call.store("read");
  const nowMs = terminal.clock.now();
  const limit = flags.limit ?? 50;
  const order = (flags.order ?? "created-desc") as "created-desc";
  const found: FoundInstance[] = [];
  // One more than is shown says whether there are more.
  for await (const instance of findInstances(
    store,
    selectionOf(flags, nowMs),
    order,
    Math.min(limit + 1, 1_000),
  )) {
    found.push(instance);
    if (found.length > limit) break;
  }
  const shown = found.slice(0, limit);
  const looked = form === "ids" ? shown : await lookAtRunning(store, shown);
  const rows = looked.map(({ summary, timeline }) => ({
    summary,
    timeline,
    state: stateOf(summary, timeline),
    situation: [statusLine(timeline, store), situation(summary, timeline, nowMs)]
      .filter((text) => text !== "")
      .join("; "),
  }));
  printListing<Row>(terminal, form, {
    columns: columns(nowMs),
    rows,
    id: ({ summary }) => summary.instanceId,
    value: ({ summary, state, timeline }) => ({
      ...summary,
      state,
      ...(timeline && { waits: timeline.waits }),
      ...(timeline?.customStatus !== undefined && {
        customStatus: decoded(timeline.customStatus, store.codec),
      }),
    }),
    empty: "No instances match.",
    foot: footOf(rows, found.length > limit),
  });
}

/** The custom status, which is the text that its author wrote for people. */
function statusLine(timeline: InstanceTimeline | undefined, { codec }: OpenStore): string {
  return timeline?.customStatus === undefined ? "" : payloadLine(timeline.customStatus, codec, 60);
}

function columns(nowMs: number): readonly Column<Row>[] {
  return [
    { head: "ID", cell: ({ summary }) => summary.instanceId, flexible: true },
    { head: "ORCHESTRATION", cell: ({ summary }) => calledAs(summary), flexible: true },
    { head: "STATUS", cell: ({ state }) => stateWords(state), style: ({ state }) => styleOf(state) },
    { head: `STARTED ${zoneOf(nowMs)}`, cell: ({ summary }) => shortTime(summary.createdAtMs, nowMs) },
    { head: "FOR", cell: (row) => span(lastedMs(row, nowMs)), right: true },
    { head: "EXEC", cell: ({ summary }) => String(summary.currentExecutionId), right: true },
    { head: "WAITS FOR / ERROR", cell: (row) => row.situation, flexible: true },
  ];
}

function lastedMs({ summary }: Row, nowMs: number): number {
  return (hasEnded(summary.status) ? summary.updatedAtMs : nowMs) - summary.createdAtMs;
}

/** `checkout@1.0.0`. */
export function calledAs({ orchestrationName, orchestrationVersion }: InstanceSummary): string {
  return `${orchestrationName}@${orchestrationVersion}`;
}

function footOf(rows: readonly Row[], more: boolean): string {
  const [first] = rows;
  const counted = more
    ? `The first ${rows.length}; --limit shows more.`
    : `${rows.length} of ${rows.length}.`;
  return `${counted} ${nextLine([["show", first?.summary.instanceId]])}`;
}
