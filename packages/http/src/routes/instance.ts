/** `GET /instances/:id` and `GET /instances/:id/result`: what an instance is and gives, now or when it ends. */
import {
  type Client,
  NotDeliveredError,
  OrchestrationFailedError,
  type OrchestrationStatus,
} from "@duroxide-ts/core";
import { hasEnded } from "@duroxide-ts/core/stores";
import { json } from "@duroxide-ts/core/web";
import { wholeNumberOf } from "../request/parameters.ts";
import { unlessOver, waitMs, whileWanted } from "../request/waiting.ts";
import { type Call, instanceIdOf, visibleHandle } from "./call.ts";
import { RETRY_AFTER } from "./start.ts";

export async function status(call: Call): Promise<Response> {
  const found = await awaited(call);
  return hasEnded(found.status) ? json(found) : pending(found);
}

export async function result(call: Call): Promise<Response> {
  const found = await awaited(call);
  if (found.status === "Completed") return json(found.output ?? null);
  if (found.status === "Failed" || found.status === "Cancelled") {
    throw new OrchestrationFailedError(instanceIdOf(call), found.details);
  }
  return pending(found);
}

function pending(found: OrchestrationStatus): Response {
  const response = json(found, 202);
  response.headers.set("retry-after", RETRY_AFTER);
  return response;
}

/** The status after the wait that the address asks for: until the end, or until the next custom status. */
async function awaited(call: Call): Promise<OrchestrationStatus> {
  const { request, url, settings } = call;
  const ms = waitMs(url) ?? 0;
  const afterVersion = afterVersionOf(url);
  const first = await existing(call);
  if (ms === 0 || hasEnded(first.status)) return first;
  await whileWanted(request, settings.stopping, async (signal) => {
    const changes = visibleHandle(call).customStatus({ afterVersion, timeout: ms, signal });
    await changes.next().catch(unlessOver);
    await changes.return();
  });
  return existing(call);
}

/** The version after which a custom status is new; without it, only the end is waited for. */
function afterVersionOf(url: URL): number {
  return wholeNumberOf(url, "customStatusAfter", 0) ?? Number.MAX_SAFE_INTEGER;
}

/** The status of an instance, or of one whose start is stored. NotDeliveredError (404) for an unknown one. */
export async function existing(call: Call): Promise<OrchestrationStatus> {
  const handle = visibleHandle(call);
  const status = await handle.status();
  if (status.status !== "NotFound" || status.blocked !== undefined) return status;
  if (await hasWaitingStart(call.settings.visible, handle.instanceId)) return status;
  // The start may have been processed between the two reads.
  const again = await handle.status();
  if (again.status !== "NotFound") return again;
  throw new NotDeliveredError(
    "not-found",
    handle.instanceId,
    "was never started, or was deleted; check the id",
  );
}

async function hasWaitingStart({ admin }: Client, instanceId: string): Promise<boolean> {
  const { work } = await admin.work({ instanceId, kind: "orchestrator" });
  return work.some(({ item }) => item === "StartOrchestration");
}
