/**
 * Turns that begin with what a provider itself has stored do not keep out what another provider sends: a store may begin
 * turns from memory (`batches` of factory.ts), but only a bounded number of them in a row.
 */
import type { OrchestratorItem } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, completion, queueMessage, scheduled, timer } from "../messages.ts";
import { ack, createInstance, given, mustFetch, mustFetchWork } from "../steps.ts";
import { ackFused, completed, fused, type Running, running } from "./fused-steps.ts";

/** Turns in a row without a message of the other provider. */
const MOST_TURNS = 25;
/** Turns before it is sent. */
const TURNS_BEFORE = 4;

const MESSAGES: Readonly<Record<string, OrchestratorItem>> = {
  "a cancellation": { kind: "CancelInstance", instance: "a", reason: "enough" },
  "a queue message": queueMessage("a", "box"),
};

/** Commits one turn that leads to the next; resolves to the messages of the turn. */
type Turn = (n: number) => Promise<readonly OrchestratorItem[]>;

/** A loop of timers that are due at once, in fetches that do not wait. */
async function timers(context: CaseContext): Promise<Turn> {
  const due = (n: number) => ({ orchestratorItems: [timer("a", context.time.now(), n + 2)] });
  await createInstance(context, "a", due(0));
  return async (n) => {
    const fetched = await mustFetch(context);
    await ack(context, fetched, due(n + 1));
    return fetched.item.messages;
  };
}

/** The same loop of a caller that waits and holds the history. */
async function heldTimers(context: CaseContext): Promise<Turn> {
  const due = (n: number) => ({ orchestratorItems: [timer("a", context.time.now(), n + 2)] });
  let { historyTag } = await createInstance(context, "a", due(0));
  return async (n) => {
    const fetched = await mustFetch(context, { pollTimeoutMs: 5_000, heldHistory: () => historyTag });
    ({ historyTag } = await ack(context, fetched, due(n + 1)));
    return fetched.item.messages;
  };
}

/** A loop of activities that end together with their turns, or, where the store refuses that, before them. */
async function activities(context: CaseContext): Promise<Turn> {
  let state: Running = await running(context);
  return async () => {
    const { item, lockToken } = given(state.works[0], "no activity");
    const id = Number(item.id);
    const next = {
      historyDelta: [completed(id + 1, id), scheduled("a", id + 2)],
      workerItems: [activity("a", id + 2)],
    };
    const outcome = await ackFused(context, { ...fused(state), ...next });
    let messages: readonly OrchestratorItem[] = [];
    let historyTag = outcome.kind === "committed" ? outcome.historyTag : undefined;
    if (historyTag === undefined) {
      await context.provider.ackWorkItem(lockToken, completion("a", id));
      const fetched = await mustFetch(context);
      ({ messages } = fetched.item);
      historyTag = given((await ack(context, fetched, next)).historyTag, "no tag");
    }
    state = { historyTag, works: [await mustFetchWork(context)] };
    return messages;
  };
}

async function isHeardInTime(context: CaseContext, turn: Turn, message: OrchestratorItem): Promise<void> {
  for (let n = 0; n < TURNS_BEFORE; n++) await turn(n);
  const other = await context.openAnother();
  await other.provider.enqueueForOrchestrator(message);
  let turns = 0;
  for (let isHeard = false; !isHeard && turns < MOST_TURNS; turns++) {
    const messages = await turn(TURNS_BEFORE + turns);
    isHeard = messages.some(({ kind }) => kind === message.kind);
  }
  context.check.isTrue(turns < MOST_TURNS, `the message came after ${turns} turns`);
}

const LOOPS = {
  "timers that are due at once": { needs: ["several-providers"], begin: timers },
  "such timers, whose caller holds the history": {
    needs: ["several-providers", "history-tags"],
    begin: heldTimers,
  },
  "activities that end with their turns": { needs: ["several-providers", "history-tags"], begin: activities },
} as const;

export const messagesOfOthers: readonly ProviderCase[] = casesOf(
  "starvation",
  Object.fromEntries(
    Object.entries(LOOPS).flatMap(([loop, { needs, begin }]) =>
      Object.entries(MESSAGES).map(([what, message]) => [
        `a loop of ${loop} does not keep out ${what} of another provider`,
        {
          needs,
          run: async (context: CaseContext) => isHeardInTime(context, await begin(context), message),
        },
      ]),
    ),
  ),
);
