/**
 * The sizes of instances that run: events, payloads, and what all executions take together. Of the last hundred that
 * changed, because no store keeps sizes, and to find the largest of all would read every history.
 */
import type { HistoryEvent } from "@duroxide-ts/core";
import { isPayloadField, payloadPath } from "@duroxide-ts/core/stores";
import type { OpenStore } from "../store/open-store.ts";
import { bytes, count } from "../text/times.ts";
import type { Check, Finding } from "./finding.ts";

const MOST_INSTANCES = 100;
const MANY_EVENTS = 5_000;
/** A tenth below the default of `maxPayloadBytes`, 1.5 MB. */
const LARGE_PAYLOAD_BYTES = 1_350_000;
/** Histories that are read for their payloads, and how large each may be. */
const MOST_READ = 20;
const LONGEST_READ_BYTES = 50_000_000;
/** Azure takes 20 GB for an instance. */
const LARGE_INSTANCE_BYTES = 10_000_000_000;

export const checkSizes: Check = async ({ store }) => {
  const { client } = store;
  const filter = { status: ["Running"] } as const;
  const { instances } = await client.admin.query({ filter, order: "updated-desc", limit: MOST_INSTANCES });
  const findings: Finding[] = [];
  let read = 0;
  for (const { instanceId, currentExecutionId } of instances) {
    const stats = await client.handle("any", instanceId).stats();
    if (stats === undefined) continue;
    const { historyEventCount: events, historySizeBytes: size } = stats;
    if (events > MANY_EVENTS) {
      findings.push({
        level: "warn",
        text: `${instanceId}: ${count(events)} events; continue as new`,
        next: ["show", instanceId],
      });
    }
    if (size > LARGE_PAYLOAD_BYTES && size <= LONGEST_READ_BYTES && read < MOST_READ) {
      read += 1;
      findings.push(...largestPayload(instanceId, await client.admin.history(instanceId)));
    }
    if (size * currentExecutionId > LARGE_INSTANCE_BYTES)
      findings.push(...(await whole(store, instanceId, size)));
  }
  if (findings.length > 0) return findings;
  if (instances.length === 0)
    return [{ level: "ok", text: "no instance runs, so there are no sizes to look at" }];
  const among =
    instances.length === 1 ? "the one instance that runs" : `the last ${instances.length} instances that run`;
  return [{ level: "ok", text: `no long histories and no large payloads among ${among}` }];
};

function largestPayload(instanceId: string, events: readonly HistoryEvent[]): readonly Finding[] {
  let largest = { size: 0, text: "" };
  for (const event of events) {
    for (const [field, value] of Object.entries(event) as [string, unknown][]) {
      if (typeof value !== "string" || !isPayloadField(field)) continue;
      const size = storedBytes(value);
      if (size > largest.size)
        largest = { size, text: `${payloadPath(event, field)} of event ${event.event_id} (${event.type})` };
    }
  }
  if (largest.size < LARGE_PAYLOAD_BYTES) return [];
  return [
    {
      level: "warn",
      text: `${instanceId}: ${largest.text} takes ${bytes(largest.size)} in the store, and a payload may take 1.5 MB unless maxPayloadBytes says otherwise; store it elsewhere, or use withOffload`,
      next: ["history", instanceId],
    },
  ];
}

/** Size in bytes as the runtime measures it: a text inside an event, which is a text inside a document. */
function storedBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(text)));
}

/** All executions are taken to be as large as the current one. */
async function whole(
  { client, kind }: OpenStore,
  instanceId: string,
  size: number,
): Promise<readonly Finding[]> {
  const { length } = await client.admin.executions(instanceId);
  const all = size * length;
  if (all <= LARGE_INSTANCE_BYTES) return [];
  const limit = kind === "cosmos" ? "; Azure Cosmos DB takes 20 GB for an instance" : "";
  const takes =
    length > 1 ? `its ${count(length)} executions take about ${bytes(all)}` : `it takes ${bytes(all)}`;
  return [
    {
      level: kind === "cosmos" ? "red" : "warn",
      text: `${instanceId}: ${takes}${limit}`,
      next: length > 1 ? ["prune", instanceId, "--keep-last", "2"] : ["show", instanceId],
    },
  ];
}
