/**
 * Blocked work, longest first, page by page; or that of one instance. Each page queries all of it by its index, without the inputs: blocked work
 * is rare, and the service would refuse to order it if the index is missing.
 */
import type { Blocked } from "@duroxide-ts/core";
import {
  type BlockedPage,
  checkListBlocked,
  continuationOf,
  DEFAULT_PAGE,
  type ListBlockedOptions,
  positionOf,
} from "@duroxide-ts/core/stores";
import { BLOCKED_COLUMNS, type BlockedDocument, IS_BLOCKED, toBlocked } from "../documents/blocked.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { ADMIN_TIMEOUT_MS, READ_TIMEOUT_MS } from "../memory/waits.ts";

const OPERATION = "listBlocked";

const LIST = { list: OPERATION };

const QUERY = `SELECT ${BLOCKED_COLUMNS} FROM c WHERE ${IS_BLOCKED}`;

/** The work of one instance: one query of its partition. The instance itself comes first. */
async function blockedOf(parts: Parts, instanceId: string): Promise<readonly Blocked[]> {
  const work = new Work(parts, OPERATION, READ_TIMEOUT_MS);
  const found = await work.query<BlockedDocument>(instanceId, QUERY);
  const rankOf = ({ activity }: Blocked): number => (activity === undefined ? 0 : 1);
  return found.map(toBlocked).toSorted((a, b) => rankOf(a) - rankOf(b) || a.sinceMs - b.sinceMs);
}

/** The end of a page: the time and the name of its last entry. */
type Place = readonly [sinceMs: number, name: string];

export async function listBlocked(parts: Parts, options: ListBlockedOptions = {}): Promise<BlockedPage> {
  checkListBlocked(OPERATION, options);
  const { instanceId, limit = DEFAULT_PAGE, continuation } = options;
  if (instanceId !== undefined) return { blocked: await blockedOf(parts, instanceId.toWellFormed()) };
  const after = positionOf(OPERATION, LIST, continuation, isPlace) as Place | undefined;
  const work = new Work(parts, OPERATION, ADMIN_TIMEOUT_MS);
  const found = await work.queryAll<BlockedDocument>(QUERY);
  const left = found
    .map((document) => toBlocked(document))
    .map((blocked) => ({ blocked, place: placeOf(blocked) }))
    .filter(({ place }) => after === undefined || comparePlaces(after, place) < 0)
    .sort((a, b) => comparePlaces(a.place, b.place));
  const page = left.slice(0, limit);
  const last = page.at(-1);
  const blocked = page.map((each) => each.blocked);
  return left.length > limit && last !== undefined
    ? { blocked, continuation: continuationOf(LIST, last.place) }
    : { blocked };
}

function placeOf({ sinceMs, instanceId, activity }: Blocked): Place {
  return [sinceMs, JSON.stringify([instanceId, activity?.executionId ?? 0, activity?.activityId ?? 0])];
}

function isPlace(place: readonly unknown[]): boolean {
  return place.length === 2 && typeof place[0] === "number" && typeof place[1] === "string";
}

function comparePlaces([aMs, a]: Place, [bMs, b]: Place): number {
  return aMs - bMs || (a < b ? -1 : a > b ? 1 : 0);
}
