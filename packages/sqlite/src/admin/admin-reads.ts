/** The reading half of the administrative part: connects methods with their files. It has no logic. */
import type { Clock } from "@duroxide-ts/core";
import type { ProviderAdmin } from "@duroxide-ts/core/stores";
import { snapshot } from "../commit/reader.ts";
import type { Store } from "../store.ts";
import { listExecutions } from "./executions.ts";
import { getInstanceInfo } from "./get-instance-info.ts";
import { listBlocked } from "./list-blocked.ts";
import { getQueueDepths, getSystemMetrics } from "./metrics.ts";
import { sqliteQueries } from "./queries/queries.ts";

type AdminReads = Omit<ProviderAdmin, `${"delete" | "prune" | "revise"}${string}`>;

export function adminReads(store: Store, clock: Clock): AdminReads {
  return {
    ...sqliteQueries(store, clock),
    listExecutions: async (instanceId, executionId) =>
      store.readFor("listExecutions", instanceId, (db, id) => listExecutions(db, id, executionId)),
    getInstanceInfo: async (instanceId) => {
      const nowMs = clock.now();
      return store.readFor("getInstanceInfo", instanceId, (db, id) => getInstanceInfo(db, id, nowMs));
    },
    getSystemMetrics: async () => store.read("getSystemMetrics", getSystemMetrics),
    getQueueDepths: async () => {
      const nowMs = clock.now();
      return store.read("getQueueDepths", (db) => snapshot(db, () => getQueueDepths(db, nowMs)));
    },
    listBlocked: async (options) =>
      store.read("listBlocked", (db) => snapshot(db, () => listBlocked(db, options))),
  };
}
