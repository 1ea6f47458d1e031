/**
 * Figures that are pages, for stores that charge by request: a page costs a limited amount, however many instances
 * there are, and a count does not (docs/decisions/queries.md).
 */
import type { InstanceCount, InstanceSummary } from "@duroxide-ts/core/stores";
import type { Figure } from "../page/shapes/overview.ts";
import { failedInDay } from "./counted-figures.ts";
import { figureOf, type OpenFigures, unitsOf } from "./open-figures.ts";
import type { Source } from "./source.ts";
import { storeFilter } from "./store-filter.ts";

/** The largest page of a store. */
const MOST_LISTED = 1_000;
const MOST_FAILED = 100;

export interface PagedFigures extends OpenFigures {
  readonly ready: Figure;
  /** Time at which the oldest ready row became visible; absent if there is none. */
  readonly oldestVisibleAtMs?: number;
  /** Whether an activity with a tag is among the ready rows: only then one may have a tag that no process serves. */
  readonly hasTags: boolean;
}

export async function pagedFigures({ admin }: Source, nowMs: number): Promise<PagedFigures> {
  const [running, failed, ready] = await Promise.all([
    admin.query({ filter: storeFilter({ state: "running" }, nowMs), limit: MOST_LISTED }),
    admin.query({ filter: failedInDay(nowMs), order: "updated-desc", limit: MOST_FAILED }),
    admin.work({ overdueByMs: 0, limit: MOST_LISTED }),
  ]);
  const [oldest] = ready.work;
  return {
    running: figureOf(running.instances, running.continuation),
    failedToday: figureOf(failed.instances, failed.continuation),
    runningBy: byNameAndVersion(running.instances),
    ready: figureOf(ready.work, ready.continuation),
    ...(oldest !== undefined && { oldestVisibleAtMs: oldest.visibleAtMs }),
    hasTags: ready.work.some(({ tag }) => tag !== undefined),
    requestUnits: unitsOf([running, failed, ready]),
  };
}

function byNameAndVersion(instances: readonly InstanceSummary[]): readonly InstanceCount[] {
  return instances.map(({ orchestrationName, orchestrationVersion }) => ({
    key: [orchestrationName, orchestrationVersion],
    count: 1,
  }));
}
