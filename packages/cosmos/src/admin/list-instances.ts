/**
 * Ids of instances, newest first, page by page. A page ends at a creation time and an id; instances of one creation
 * time are ordered by id, so that no page repeats or misses any.
 */
import {
  continuationOf,
  DEFAULT_PAGE,
  type InstancePage,
  type ListInstancesOptions,
  positionOf,
} from "@duroxide-ts/core/stores";
import { ADMIN_PATIENCE_MS } from "../memory/waits.ts";
import type { Call, Service } from "../service/service.ts";
import { IS_NAMED } from "./named-instances.ts";

const OPERATION = "listInstances";

const LIST = { list: OPERATION };

/** Ids in one request, because the service limits its size. */
const PAGE = 1_000;

interface Listed {
  readonly instanceId: string;
  readonly createdAt: number;
}

export async function listInstances(
  service: Service,
  { status, limit = DEFAULT_PAGE, continuation }: ListInstancesOptions = {},
): Promise<InstancePage> {
  const place = positionOf(OPERATION, LIST, continuation, isPlace);
  const after = place && { createdAt: Number(place[0]), instanceId: String(place[1]) };
  const call = service.call(OPERATION, ADMIN_PATIENCE_MS);
  const found = await call.inRanges((range) => firstOf(call, range, status, after, limit + 1));
  const sorted = found.flat().sort(newestFirst);
  const page = sorted.slice(0, limit);
  const last = page.at(-1);
  const instanceIds = page.map(({ instanceId }) => instanceId);
  return sorted.length > limit && last !== undefined
    ? { instanceIds, continuation: continuationOf(LIST, [last.createdAt, last.instanceId]) }
    : { instanceIds };
}

/** The first `count` after the end of the last page, and all others with the creation time of the last one. */
async function firstOf(
  call: Call,
  range: string,
  status: string | undefined,
  after: Listed | undefined,
  count: number,
): Promise<readonly Listed[]> {
  const spec = {
    query: `SELECT c.instanceId, c.createdAt FROM c WHERE ${IS_NAMED}
      AND c.createdAt <= @latest${status === undefined ? "" : " AND c.status = @status"} ORDER BY c.createdAt DESC`,
    parameters: [
      { name: "@latest", value: after?.createdAt ?? Number.MAX_SAFE_INTEGER },
      { name: "@status", value: status ?? null },
    ],
  };
  const found: Listed[] = [];
  let continuation: string | undefined;
  do {
    const page = await call.rangePage<Listed>(range, spec, Math.min(count, PAGE), continuation);
    found.push(...page.results.filter((each) => after === undefined || newestFirst(after, each) < 0));
    continuation = page.continuation;
    const [last, nth] = [found.at(-1), found[count - 1]];
    if (last !== undefined && nth !== undefined && last.createdAt < nth.createdAt) break;
  } while (continuation !== undefined);
  return found;
}

function isPlace(place: readonly unknown[]): boolean {
  return place.length === 2 && typeof place[0] === "number" && typeof place[1] === "string";
}

function newestFirst(a: Listed, b: Listed): number {
  return (
    b.createdAt - a.createdAt || (a.instanceId < b.instanceId ? 1 : a.instanceId > b.instanceId ? -1 : 0)
  );
}
