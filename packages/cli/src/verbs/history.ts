/** `duroxide history`: the events of an instance. */
import type { HistoryEvent } from "@duroxide-ts/core";
import { sleep } from "@duroxide-ts/core/client";
import { encodeEvent, isTerminal } from "@duroxide-ts/core/stores";
import { EXECUTION } from "../command/flags.ts";
import { type Call, defineVerb, type Verb } from "../command/verb.ts";
import { oneId } from "../command/words.ts";
import { EXIT, type ExitCode } from "../errors/exit-code.ts";
import { compactLines } from "../output/compact-history.ts";
import { eventLine } from "../output/event-line.ts";
import { formatJson, formatJsonLine } from "../output/json.ts";
import type { OpenStore } from "../store/open-store.ts";
import { safeJson } from "../text/safe-text.ts";

const FLAGS = {
  ...EXECUTION,
  follow: { kind: "switch", short: "f", help: "prints new events until the instance ends" },
  raw: { kind: "switch", help: "events as they are stored, one a line" },
  compact: { kind: "switch", help: "one line for a step with its outcome" },
} as const;

const FOLLOW_MS = 500;

export const history: Verb = defineVerb({
  name: "history",
  takes: "<id>",
  flags: FLAGS,
  examples: [
    ["history order-42 --compact", "one line for each step"],
    ["history order-42 --follow", "until it ends"],
    ["history order-42 --raw > order-42.jsonl", "events as they are stored"],
  ],
  async run(call): Promise<ExitCode> {
    const { flags, words } = call;
    const id = oneId(words, "history <id>");
    const store = await call.store("read");
    const events = await readEvents(store, id, flags.execution);
    print(events, call, store);
    return flags.follow ? follow(call, store, id, events) : EXIT.ok;
  },
});

/** Rejects with `instance-not-found` for an unknown instance. */
async function readEvents(
  { client }: OpenStore,
  id: string,
  executionId: number | undefined,
): Promise<readonly HistoryEvent[]> {
  const events = await client.admin.history(id, executionId);
  if (events.length > 0) return events;
  if (executionId === undefined) await client.admin.info(id);
  else await client.admin.execution(id, executionId);
  return events;
}

function print(
  events: readonly HistoryEvent[],
  { flags, form, terminal }: Call<typeof FLAGS>,
  { codec }: OpenStore,
): void {
  if (flags.raw) for (const event of events) terminal.write(`${safeJson(encodeEvent(event))}\n`);
  else if (form === "json") terminal.write(formatJson(events));
  else if (form === "jsonl") for (const event of events) terminal.write(formatJsonLine(event));
  else if (form === "ids") for (const { event_id: eventId } of events) terminal.write(`${eventId}\n`);
  else if (flags.compact)
    for (const line of compactLines(events, codec, terminal)) terminal.write(`${line}\n`);
  else for (const event of events) terminal.write(`${eventLine(event, codec, terminal)}\n`);
}

/** Goes on with the next execution after a continue-as-new. */
async function follow(
  call: Call<typeof FLAGS>,
  store: OpenStore,
  id: string,
  printed: readonly HistoryEvent[],
): Promise<ExitCode> {
  const { terminal } = call;
  let last = printed.at(-1);
  // Drops are recorded behind the end, so the end need not be the last event.
  let end = printed.findLast(isTerminal);
  while (!terminal.interrupted.aborted) {
    const goesOn = end?.type === "OrchestrationContinuedAsNew" && call.flags.execution === undefined;
    if (end !== undefined && !goesOn) return EXIT.ok;
    await sleep(terminal.clock, FOLLOW_MS, terminal.interrupted);
    const events: readonly HistoryEvent[] = await readEvents(store, id, call.flags.execution);
    const fresh = events.filter((event) => isNewer(event, last));
    print(fresh, call, store);
    if (fresh.length === 0) continue;
    last = fresh.at(-1);
    end = fresh.findLast(isTerminal);
  }
  return EXIT.interrupted;
}

function isNewer(event: HistoryEvent, last: HistoryEvent | undefined): boolean {
  if (last === undefined) return true;
  const [execution, before] = [Number(event.execution_id), Number(last.execution_id)];
  return execution > before || (execution === before && Number(event.event_id) > Number(last.event_id));
}
