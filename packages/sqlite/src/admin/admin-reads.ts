/** The reading half of the administrative part: connects methods with their files. It has no logic. */
import type { Clock } from "@duroxide-ts/core";
import type { ProviderAdmin } from "@duroxide-ts/core/stores";
import { snapshot } from "../commit/reader.ts";
import type { Store } from "../store.ts";
import { getExecutionInfo, latestExecutionId, listExecutions } from "./executions.ts";
import { getInstanceInfo } from "./get-instance-info.ts";
import { getInstanceTree, getParentId, listChildren } from "./instance-tree.ts";
import { listBlocked } from "./list-blocked.ts";
import { listInstances } from "./list-instances.ts";
import { getQueueDepths, getSystemMetrics } from "./metrics.ts";
import { sqliteQueries } from "./queries/queries.ts";

type AdminReads = Omit<ProviderAdmin, `${"delete" | "prune" | "revise"}${string}`>;

export function adminReads(store: Store, clock: Clock): AdminReads {
  return {
    ...sqliteQueries(store, clock),
    listInstances: async (options) => store.read("listInstances", (db) => listInstances(db, options)),
    listExecutions: async (instanceId) => store.readFor("listExecutions", instanceId, listExecutions),
    latestExecutionId: async (instanceId) =>
      store.readFor("latestExecutionId", instanceId, latestExecutionId),
    getInstanceInfo: async (instanceId) => store.readFor("getInstanceInfo", instanceId, getInstanceInfo),
    getExecutionInfo: async (instanceId, executionId) =>
      store.readFor("getExecutionInfo", instanceId, (db, id) => getExecutionInfo(db, id, executionId)),
    getSystemMetrics: async () => store.read("getSystemMetrics", getSystemMetrics),
    getQueueDepths: async () => {
      const nowMs = clock.now();
      return store.read("getQueueDepths", (db) => snapshot(db, () => getQueueDepths(db, nowMs)));
    },
    listBlocked: async (options) =>
      store.read("listBlocked", (db) => snapshot(db, () => listBlocked(db, options))),
    listChildren: async (instanceId) => store.readFor("listChildren", instanceId, listChildren),
    getParentId: async (instanceId) => store.readFor("getParentId", instanceId, getParentId),
    getInstanceTree: async (instanceId) =>
      store.readFor("getInstanceTree", instanceId, (db, id) => snapshot(db, () => getInstanceTree(db, id))),
  };
}
