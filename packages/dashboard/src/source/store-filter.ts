/** The filter of the address as a filter of the store. */
import type { FailureCategory, InstanceQueryFilter } from "@duroxide-ts/core/stores";
import { Refused } from "../http/answers.ts";
import { CATEGORIES, type ListFilter, spanMs } from "../page/shapes/filter.ts";
import type { InstanceState } from "../page/shapes/states.ts";

const BY_STATE: Readonly<Record<InstanceState, InstanceQueryFilter>> = {
  running: { status: ["Running"] },
  completed: { status: ["Completed"] },
  failed: { status: ["Failed"], failureCategory: CATEGORIES },
  cancelled: { status: ["Failed"], failureCategory: ["cancelled"] },
  blocked: { blocked: true },
  suspended: { suspended: true },
};

export function storeFilter(filter: ListFilter, nowMs: number): InstanceQueryFilter {
  const { name, version, prefix, parent, error } = filter;
  return {
    ...(filter.state !== undefined && BY_STATE[filter.state]),
    ...(name !== undefined && { name: name.split(",") }),
    ...(version !== undefined && { version: version.split(",") }),
    ...(prefix !== undefined && { idPrefix: prefix }),
    ...(parent !== undefined && { parentId: parent }),
    ...(filter.roots === "1" && { rootsOnly: true }),
    ...(filter.since !== undefined && { createdFromMs: before(nowMs, "since", filter.since) }),
    ...createdTo(filter, nowMs),
    ...(filter.updated !== undefined && { updatedFromMs: before(nowMs, "updated", filter.updated) }),
    ...(filter.idle !== undefined && { updatedToMs: before(nowMs, "idle", filter.idle) }),
    ...(error !== undefined && { errorContains: error }),
    ...(filter.category !== undefined && { failureCategory: [categoryOf(filter.category)] }),
  };
}

/** What has not changed since has not begun since either, and times of the begin have an index in every store. */
function createdTo({ older, idle }: ListFilter, nowMs: number): Pick<InstanceQueryFilter, "createdToMs"> {
  const times = [
    ...(older === undefined ? [] : [before(nowMs, "older", older)]),
    ...(idle === undefined ? [] : [before(nowMs, "idle", idle)]),
  ];
  return times.length === 0 ? {} : { createdToMs: Math.min(...times) };
}

function before(nowMs: number, key: string, text: string): number {
  const span = spanMs(text);
  if (span !== undefined) return nowMs - span;
  throw new Refused(400, "invalid-input", `"${key}" must be a time such as 30m, 1h or 7d`);
}

function categoryOf(text: string): FailureCategory {
  const found = CATEGORIES.find((category) => category === text);
  if (found !== undefined) return found;
  throw new Refused(400, "invalid-input", `"category" must be one of ${CATEGORIES.join(", ")}`);
}
