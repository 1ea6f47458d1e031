/**
 * Rows that could not be decoded (fetching/move-to-dead-letters.ts), and messages for other instances whose delivery was
 * abandoned (delivering/reconciler.ts), newest first.
 */
import {
  checkDeadLetterQuery,
  checkSettling,
  continuationOf,
  DEFAULT_PAGE,
  type DeadLetter,
  type DeadLetterPage,
  type DeadLetterQuery,
  positionOf,
} from "@duroxide-ts/core/stores";
import { type Body, type Stored, toBody } from "../../documents/body.ts";
import { IS_DEAD } from "../../documents/dead.ts";
import { unsentStatus } from "../../documents/intent.ts";
import { isRankedAt } from "../../documents/ranked.ts";
import { type Parts, Work } from "../../memory/parts.ts";
import { ADMIN_TIMEOUT_MS } from "../../memory/waits.ts";
import type { BatchOperation } from "../../service/batch.ts";
import { type OrderedQuery, orderedPage, type Place } from "./ordered-page.ts";

const LIST = "listDeadLetters";
const QUERY = { list: LIST };

interface PutAside {
  readonly type: "dead_letter";
  readonly id: string;
  readonly instanceId: string;
  readonly reason: string;
  readonly putAsideAt: number;
  readonly document: Body;
  readonly _ts: number;
}

interface Abandoned {
  readonly type: "outbox_intent";
  readonly id: string;
  /** The sender. */
  readonly instanceId: string;
  readonly targetInstanceId: string;
  readonly targetDocumentType: string;
  readonly payload: string;
  readonly attemptCount: number;
  readonly lastAttemptAt: number;
  readonly _ts: number;
}

type Letter = PutAside | Abandoned;

const LETTERS: OrderedQuery<Letter> = {
  select: `SELECT c.type, c.id, c.instanceId, c.reason, c.putAsideAt, c.document, c.targetInstanceId,
      c.targetDocumentType, c.payload, c.attemptCount, c.lastAttemptAt, c._ts FROM c
    WHERE ${IS_DEAD}`,
  parameters: {},
  by: "c._ts",
  descending: true,
  placeOf: (letter) => [letter._ts, movedAt(letter), letter.id],
  matches: () => true,
};

function movedAt(letter: Letter): number {
  return letter.type === "dead_letter" ? letter.putAsideAt : (letter.lastAttemptAt ?? 0);
}

export async function listDeadLetters(parts: Parts, query: DeadLetterQuery = {}): Promise<DeadLetterPage> {
  checkDeadLetterQuery(LIST, query);
  const { limit = DEFAULT_PAGE, continuation } = query;
  const isPlace = (place: readonly unknown[]): boolean =>
    place.length === 3 && typeof place[0] === "number" && typeof place[2] === "string";
  const after = positionOf(LIST, QUERY, continuation, isPlace) as Place | undefined;
  const page = await orderedPage(new Work(parts, LIST, ADMIN_TIMEOUT_MS), LETTERS, after, limit);
  const deadLetters = page.rows.map(toDeadLetter);
  return page.end === undefined
    ? { deadLetters }
    : { deadLetters, continuation: continuationOf(QUERY, page.end) };
}

function toDeadLetter(letter: Letter): DeadLetter {
  const id = Buffer.from(JSON.stringify([letter.instanceId, letter.id])).toString("base64url");
  const common = { id, movedAtMs: movedAt(letter) };
  return letter.type === "dead_letter"
    ? { ...common, ...undecodable(letter) }
    : { ...common, ...abandoned(letter) };
}

type Content = Omit<DeadLetter, "id" | "movedAtMs">;

function undecodable({ instanceId, reason, document }: PutAside): Content {
  const { workItem } = document;
  return {
    kind: document["type"] === "worker_queue" ? "worker" : "orchestrator",
    instanceId,
    reason,
    text: typeof workItem === "string" ? workItem : JSON.stringify(document),
  };
}

function abandoned({ instanceId, payload, ...intent }: Abandoned): Content {
  return {
    kind: intent.targetDocumentType === "worker_queue" ? "worker" : "orchestrator",
    instanceId: intent.targetInstanceId,
    reason: `a message of instance ${JSON.stringify(instanceId)}, abandoned after ${intent.attemptCount} attempts to deliver it`,
    text: workItemOf(payload),
  };
}

function workItemOf(payload: string): string {
  try {
    const { workItem } = JSON.parse(payload) as Body;
    return typeof workItem === "string" ? workItem : payload;
  } catch {
    return payload;
  }
}

/** Puts it back or deletes it, in one batch; false if another process was faster. */
export async function settleDeadLetter(parts: Parts, id: string, how: "requeue" | "drop"): Promise<boolean> {
  checkSettling("settleDeadLetter", how);
  const nowMs = parts.clock.now();
  const [instanceId, documentId] = parseId(id);
  if (instanceId === undefined || documentId === undefined) return false;
  const work = new Work(parts, "settleDeadLetter", ADMIN_TIMEOUT_MS);
  const letter = await work.read(instanceId, documentId);
  if (letter === undefined || !(letter["type"] === "dead_letter" || isAbandoned(letter))) return false;
  const body = how === "drop" ? undefined : requeued(letter, nowMs);
  const outcome = await work.batch(instanceId, replacing(letter, body));
  return outcome.ok || outcome.repeated;
}

/** The row again: visible at once, without a lock and without attempts. An abandoned message is delivered again. */
function requeued(letter: Stored, nowMs: number): Body | undefined {
  const { document } = letter;
  if (isAbandoned(letter)) {
    const status = unsentStatus(String(letter["instanceId"]), String(letter["targetInstanceId"]));
    return { ...toBody(letter), status, attemptCount: 0, lastAttemptAt: null };
  }
  if (typeof document !== "object" || document === null) return undefined;
  const row: Body = { ...toBody(document), instanceId: letter["instanceId"] };
  const visibleAt = isRankedAt(row["visibleAt"]) ? row["visibleAt"] : nowMs;
  return { ...row, visibleAt, lockToken: null, lockedUntil: null, attemptCount: 0 };
}

function replacing({ id, _etag: ifMatch }: Stored, body: Body | undefined): readonly BatchOperation[] {
  if (body?.["id"] === id) return [{ kind: "replace", id, body, ifMatch }];
  return [
    { kind: "delete", id, ifMatch },
    ...(body === undefined ? [] : [{ kind: "upsert" as const, body }]),
  ];
}

function isAbandoned({ type, status }: Stored): boolean {
  return type === "outbox_intent" && status === "dead";
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
