/** Rows that could not be decoded (fetching/put-aside.ts), newest first. */
import {
  checkDeadLetterQuery,
  continuationOf,
  DEFAULT_PAGE,
  type DeadLetter,
  type DeadLetterPage,
  type DeadLetterQuery,
  positionOf,
} from "@duroxide-ts/core/stores";
import { type Body, type Stored, toBody } from "../../documents/body.ts";
import { ADMIN_PATIENCE_MS } from "../../memory/waits.ts";
import type { Service } from "../../service/service.ts";
import { type OrderedQuery, orderedPage, type Place } from "./ordered-page.ts";

const LIST = "listDeadLetters";
const QUERY = { list: LIST };

interface Letter {
  readonly id: string;
  readonly instanceId: string;
  readonly reason: string;
  readonly putAsideAt: number;
  readonly document: Body;
  readonly _ts: number;
}

const LETTERS: OrderedQuery<Letter> = {
  select: `SELECT c.id, c.instanceId, c.reason, c.putAsideAt, c.document, c._ts FROM c
    WHERE c.type = 'dead_letter'`,
  parameters: {},
  by: "c._ts",
  descending: true,
  placeOf: ({ _ts, putAsideAt, id }) => [_ts, putAsideAt, id],
  matches: () => true,
};

export async function listDeadLetters(
  service: Service,
  query: DeadLetterQuery = {},
): Promise<DeadLetterPage> {
  checkDeadLetterQuery(LIST, query);
  const { limit = DEFAULT_PAGE, continuation } = query;
  const isPlace = (place: readonly unknown[]): boolean =>
    place.length === 3 && typeof place[0] === "number" && typeof place[2] === "string";
  const after = positionOf(LIST, QUERY, continuation, isPlace) as Place | undefined;
  const page = await orderedPage(service.call(LIST, ADMIN_PATIENCE_MS), LETTERS, after, limit);
  const deadLetters = page.rows.map(toDeadLetter);
  return page.end === undefined
    ? { deadLetters }
    : { deadLetters, continuation: continuationOf(QUERY, page.end) };
}

function toDeadLetter({ id, instanceId, reason, putAsideAt, document }: Letter): DeadLetter {
  const { workItem } = document;
  return {
    id: Buffer.from(JSON.stringify([instanceId, id])).toString("base64url"),
    kind: document["type"] === "worker_queue" ? "worker" : "orchestrator",
    instanceId,
    reason,
    movedAtMs: putAsideAt,
    text: typeof workItem === "string" ? workItem : JSON.stringify(document),
  };
}

/** Stores the row again: visible at once, without a lock and without attempts. */
export async function requeueDeadLetter(service: Service, id: string): Promise<boolean> {
  const nowMs = service.clock.now();
  return change(service, "requeueDeadLetter", id, (letter) => {
    const { document } = letter;
    if (typeof document !== "object" || document === null) return undefined;
    const row = { ...toBody(document), instanceId: letter["instanceId"] };
    return { ...row, visibleAt: nowMs, lockToken: null, lockedUntil: null, attemptCount: 0 };
  });
}

export async function dropDeadLetter(service: Service, id: string): Promise<boolean> {
  return change(service, "dropDeadLetter", id, () => undefined);
}

/** Replaces the letter by other documents in one batch; false if another process was faster. */
async function change(
  service: Service,
  operation: string,
  id: string,
  replacement: (letter: Stored) => Body | undefined,
): Promise<boolean> {
  const [instanceId, documentId] = parseId(id);
  if (instanceId === undefined || documentId === undefined) return false;
  const call = service.call(operation, ADMIN_PATIENCE_MS);
  const letter = await call.read(instanceId, documentId);
  if (letter === undefined || letter["type"] !== "dead_letter") return false;
  const body = replacement(letter);
  const outcome = await call.batch(instanceId, [
    { kind: "delete", id: documentId, ifMatch: letter._etag },
    ...(body === undefined ? [] : [{ kind: "upsert" as const, body }]),
  ]);
  return outcome.ok || outcome.repeated;
}

function parseId(id: string): readonly [string?, string?] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(id, "base64url").toString());
    const [instanceId, documentId] = Array.isArray(parts) ? (parts as unknown[]) : [];
    return typeof instanceId === "string" && typeof documentId === "string" ? [instanceId, documentId] : [];
  } catch {
    return [];
  }
}
