/**
 * Blocked work, longest first, page by page. Each page queries all of it by its index, without the inputs: blocked work
 * is rare, and the service would refuse to order it if the index is missing.
 */
import type { Blocked } from "@duroxide-ts/core";
import { type BlockedPage, invalidInput, type ListBlockedOptions } from "@duroxide-ts/core/stores";
import { BLOCKED_COLUMNS, type BlockedDocument, IS_BLOCKED, toBlocked } from "../documents/blocked.ts";
import { ADMIN_PATIENCE_MS } from "../memory/waits.ts";
import type { Service } from "../service/service.ts";

const OPERATION = "listBlocked";

const DEFAULT_LIMIT = 100;

const QUERY = `SELECT ${BLOCKED_COLUMNS} FROM c WHERE ${IS_BLOCKED}`;

/** The end of a page: the time and the name of its last entry. */
type Place = readonly [sinceMs: number, name: string];

export async function listBlocked(
  service: Service,
  { limit = DEFAULT_LIMIT, continuation }: ListBlockedOptions = {},
): Promise<BlockedPage> {
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw invalidInput(OPERATION, `limit is ${limit}; it must be a whole number from 1`);
  }
  const after = continuation === undefined ? undefined : parseContinuation(continuation);
  const call = service.call(OPERATION, ADMIN_PATIENCE_MS);
  const found = await call.queryAll<BlockedDocument>({ query: QUERY });
  const left = found
    .map((document) => toBlocked(document))
    .map((blocked) => ({ blocked, place: placeOf(blocked) }))
    .filter(({ place }) => after === undefined || comparePlaces(after, place) < 0)
    .sort((a, b) => comparePlaces(a.place, b.place));
  const page = left.slice(0, limit);
  const last = page.at(-1);
  const blocked = page.map((each) => each.blocked);
  return left.length > limit && last !== undefined
    ? { blocked, continuation: formatContinuation(last.place) }
    : { blocked };
}

function placeOf({ sinceMs, instanceId, activity }: Blocked): Place {
  return [sinceMs, JSON.stringify([instanceId, activity?.executionId ?? 0, activity?.activityId ?? 0])];
}

function comparePlaces([aMs, a]: Place, [bMs, b]: Place): number {
  return aMs - bMs || (a < b ? -1 : a > b ? 1 : 0);
}

function formatContinuation(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

function parseContinuation(text: string): Place {
  try {
    const [sinceMs, name] = JSON.parse(Buffer.from(text, "base64url").toString()) as unknown[];
    if (typeof sinceMs === "number" && typeof name === "string") return [sinceMs, name];
  } catch {
    // Rejected below.
  }
  throw invalidInput(OPERATION, "the continuation is not one that listBlocked returned; begin without one");
}
