/**
 * Dead letters that an operator puts back or drops: a row that no process could read, and a message whose delivery was
 * abandoned. Each contains an event for an instance, which arrives once after it was put back.
 */
import { encodeWorkItem } from "@duroxide-ts/core/stores";
import { fetchOrchestration, given, raised } from "@duroxide-ts/provider-tests/building-blocks";
import { allDocuments, type Document } from "../../invariants/documents.ts";
import { cutOff } from "../../support/half-done.ts";
import { undecodableRow } from "../../support/queue-row.ts";
import type { Stage } from "../../support/stage.ts";
import { begin, commit, fetchPlanned } from "../../support/steps.ts";
import { type Operation, operation } from "../operation.ts";
import { adminOf, type Performer } from "./by-hand.ts";

const EVENT = "overdue";

/** Resolves to the id of the letter: a row of "a" that could not be read when it was put aside, and now can be. */
async function moveToDeadLetters(stage: Stage): Promise<string> {
  await begin(stage, "a");
  await stage.raw.items.create(undecodableRow("orch_queue", "a"));
  await fetchOrchestration(stage);
  const { id } = await documentOf(stage, "dead_letter");
  const value = encodeWorkItem(raised("a", EVENT));
  await stage.raw.item(id, "a").patch([{ op: "set", path: "/document/workItem", value }]);
  return letterOf(stage);
}

/** Resolves to the id of the letter: a message of "a" to "b" with the fields that its last failed delivery sets. */
async function abandon(stage: Stage): Promise<string> {
  await begin(stage, "a", "b");
  const actor = await stage.openAnother();
  const other = { ...actor, clock: stage.clock };
  const fetched = await fetchPlanned(other, "a", { messages: [{ to: "b", name: EVENT }] });
  await cutOff(actor, 1, () => commit(other, fetched));
  const { id } = await documentOf(stage, "outbox_intent");
  await stage.raw.item(id, "a").patch([
    { op: "set", path: "/status", value: "dead" },
    { op: "set", path: "/attemptCount", value: 10 },
    { op: "set", path: "/lastAttemptAt", value: stage.clock.now() },
  ]);
  return letterOf(stage);
}

async function documentOf({ raw }: Stage, type: string): Promise<Document> {
  const documents = await allDocuments(raw);
  return given(
    documents.find((each) => each.type === type),
    `no ${type}`,
  );
}

async function letterOf(stage: Performer): Promise<string> {
  return given((await lettersOf(stage))[0], "no dead letter");
}

async function lettersOf(stage: Performer): Promise<readonly string[]> {
  const { deadLetters } = await adminOf(stage).deadLetters();
  return deadLetters.map(({ id }) => id);
}

/** It is in the letter, on its way, or in a history. */
const EVENT_IS_THERE_ONCE = (documents: readonly Document[]): readonly string[] => {
  const places = documents.filter((each) => JSON.stringify(each).includes(EVENT)).map(({ type }) => type);
  return places.length === 1 ? [] : [`the event is in ${places.length} documents: ${places.join()}`];
};

/** There is no other operator, so the letter is found, also where the answer was lost. */
async function mustFind(change: Promise<boolean>): Promise<void> {
  if (!(await change)) throw new Error("the letter was not found");
}

const kinds = [
  { letter: "a row that was put aside", prepare: moveToDeadLetters },
  { letter: "a message that was abandoned", prepare: abandon },
];

export const deadLetters: readonly Operation[] = kinds.flatMap(({ letter, prepare }) => [
  operation({
    name: `requeue of ${letter}`,
    prepare,
    act: (stage, id) => mustFind(adminOf(stage).requeueDeadLetter(id)),
    halfway: EVENT_IS_THERE_ONCE,
    async repeat(stage) {
      for (const id of await lettersOf(stage)) await adminOf(stage).requeueDeadLetter(id);
    },
  }),
  operation({
    name: `drop of ${letter}`,
    prepare,
    act: (stage, id) => mustFind(adminOf(stage).dropDeadLetter(id)),
    async repeat(stage) {
      for (const id of await lettersOf(stage)) await adminOf(stage).dropDeadLetter(id);
    },
  }),
]);
