/**
 * Lists what needs an operator: messages for other instances whose delivery was abandoned, and rows that could not be
 * decoded. Instances that wait for them never continue, so they must be easy to find.
 */
import type { Stored } from "../documents/body.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { ADMIN_TIMEOUT_MS } from "../memory/waits.ts";

/** A message that is not delivered without an operator's action. Times are ms since the epoch. */
export interface Undelivered {
  /** The id of the document, in the partition of `instanceId`. */
  readonly documentId: string;
  /** The sender of an abandoned message; the owner of a row that could not be decoded. */
  readonly instanceId: string;
  /** The target of an abandoned message. */
  readonly targetInstanceId?: string;
  readonly reason: string;
  /** Time at which it was sent, or set aside. */
  readonly sinceMs: number;
}

const OPERATION = "listUndelivered";

const GIVEN_UP = `SELECT c.id, c.instanceId, c.targetInstanceId, c.attemptCount, c.createdAt FROM c
  WHERE c.type = 'outbox_intent' AND c.status = 'dead'`;

const PUT_ASIDE = "SELECT c.id, c.instanceId, c.reason, c.putAsideAt FROM c WHERE c.type = 'dead_letter'";

/** All undelivered messages, oldest first. */
export async function listUndelivered(parts: Parts): Promise<readonly Undelivered[]> {
  const work = new Work(parts, OPERATION, ADMIN_TIMEOUT_MS);
  const givenUp = await work.queryAll<Stored>(GIVEN_UP);
  const undecodable = await work.queryAll<Stored>(PUT_ASIDE);
  const all = [
    ...givenUp.map((stored) => ({
      ...placeOf(stored),
      targetInstanceId: String(stored["targetInstanceId"]),
      reason: `abandoned after ${stored["attemptCount"]} attempts to deliver it; put it back from the dead letters to retry`,
      sinceMs: Number(stored["createdAt"]),
    })),
    ...undecodable.map((stored) => ({
      ...placeOf(stored),
      reason: `put aside: ${stored["reason"]}`,
      sinceMs: Number(stored["putAsideAt"]),
    })),
  ];
  return all.sort((a, b) => a.sinceMs - b.sinceMs);
}

function placeOf({ id, instanceId }: Stored): Pick<Undelivered, "documentId" | "instanceId"> {
  return { documentId: id, instanceId: String(instanceId) };
}
