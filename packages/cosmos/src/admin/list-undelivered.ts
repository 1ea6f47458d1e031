/**
 * What an operator has to look at: messages for other instances that were given up, and rows that could not be decoded.
 * Whoever waits for them waits for ever, so they must be easy to find.
 */

import type { Stored } from "../documents/body.ts";
import { ADMIN_PATIENCE_MS } from "../memory/waits.ts";
import type { Call, Service } from "../service/service.ts";

/** A message that will not be delivered unless somebody does something. Times are ms since the epoch. */
export interface Undelivered {
  /** Of the document, in the partition of `instanceId`. */
  readonly documentId: string;
  /** The sender of a message that was given up; the owner of a row that could not be decoded. */
  readonly instanceId: string;
  /** Whom a message that was given up is for. */
  readonly targetInstanceId?: string;
  readonly reason: string;
  /** When it was sent, or put aside. */
  readonly sinceMs: number;
}

const OPERATION = "listUndelivered";

const GIVEN_UP = `SELECT c.id, c.instanceId, c.targetInstanceId, c.attemptCount, c.createdAt FROM c
  WHERE c.type = 'outbox_intent' AND c.status = 'dead'`;

const PUT_ASIDE = "SELECT c.id, c.instanceId, c.reason, c.putAsideAt FROM c WHERE c.type = 'dead_letter'";

/** All of them, oldest first. */
export async function listUndelivered(service: Service): Promise<readonly Undelivered[]> {
  const call: Call = service.call(OPERATION, ADMIN_PATIENCE_MS);
  const givenUp = await call.queryAll<Stored>({ query: GIVEN_UP });
  const putAside = await call.queryAll<Stored>({ query: PUT_ASIDE });
  const all = [
    ...givenUp.map((stored) => ({
      ...placeOf(stored),
      targetInstanceId: String(stored["targetInstanceId"]),
      reason: `given up after ${stored["attemptCount"]} attempts to deliver it; set its status to "pending" to try again`,
      sinceMs: Number(stored["createdAt"]),
    })),
    ...putAside.map((stored) => ({
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
