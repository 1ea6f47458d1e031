/** Reads what is stored in the shared container, without any help of a provider. */
import { type HistoryEvent, sleep, systemClock } from "@duroxide-ts/core";
import type { EventType } from "@duroxide-ts/core/stores";
import { lockOf, type StoredLock } from "../../src/documents/lean.ts";
import { allDocuments, type Document, rawContainer } from "../invariants/documents.ts";
import { historiesOf, violationsIn } from "../invariants/histories.ts";
import { leftoversIn } from "../invariants/leftovers.ts";
import type { Place } from "./place.ts";

export async function documentsOf({
  endpoint,
  key,
  database,
  container,
}: Place): Promise<readonly Document[]> {
  using raw = rawContainer(`AccountEndpoint=${endpoint};AccountKey=${key};`, database, container);
  return allDocuments(raw.container);
}

/** Resolves when there is a document of this type. */
export async function untilStored(place: Place, type: string): Promise<void> {
  while (!(await documentsOf(place)).some((document) => document.type === type)) await untilNextLook();
}

/** Returns the time at which the last of the locks in the container ends. */
export async function leaseEndMs(place: Place): Promise<number> {
  const documents = await documentsOf(place);
  const ends = documents
    .map((each) => lockOf(each as unknown as StoredLock<number>).lockedUntil)
    .filter((it) => it !== null);
  if (ends.length === 0) throw new Error("nothing is locked");
  return Math.max(...ends);
}

/** Returns the time at which the first event of this type was written, whatever the instance. */
export async function eventTimeMs(place: Place, type: EventType): Promise<number> {
  const events: readonly HistoryEvent[] = [...historiesOf(await documentsOf(place)).values()].flat();
  const found = events.find((event) => event.type === type);
  if (found === undefined) throw new Error(`there is no ${type}`);
  return Number(found.timestamp_ms);
}

/** Some passes of both reconcilers. */
const CALM_MS = 10_000;

const LOOK_EVERY_MS = 100;

const untilNextLook = (): Promise<void> => sleep(systemClock, LOOK_EVERY_MS);

type Documents = readonly Document[];

/** Returns the violations when both sides have had time to tidy up. `but` leaves out what may be as it is. */
export async function whatIsWrong(
  place: Place,
  but: (documents: Documents) => Documents = (documents) => documents,
): Promise<readonly string[]> {
  const endsAtMs = Date.now() + CALM_MS;
  for (;;) {
    const documents = but(await documentsOf(place));
    const problems = [...leftoversIn(documents), ...violationsIn(documents)];
    if (problems.length === 0 || Date.now() > endsAtMs) return problems;
    await untilNextLook();
  }
}

/**
 * Rust locks an instance before it checks whether there are messages for it, as it does before other checks (hazard
 * W17). If it dies then, no process needs the lock, and the lock stays after its end.
 */
export function withoutDeadLocks(documents: Documents): Documents {
  const nowMs = Date.now();
  return documents.map((document) => {
    const { type, lockedUntil } = document;
    const isDead = type === "instance" && typeof lockedUntil === "number" && lockedUntil <= nowMs;
    return isDead ? { ...document, lockToken: null, lockedUntil: null } : document;
  });
}
