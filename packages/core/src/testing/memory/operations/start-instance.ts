/**
 * Stores a start with its messages and deadline, by the rule for a taken id (docs/reference/provider-contract.md
 * §10.1).
 */
import type { StartInstanceOptions, StartOutcome } from "../../../contract/provider.ts";
import { hasEnded } from "../../../contract/status.ts";
import { checkStartInstance, toDurationMs, toMessageId } from "../../../stores/arguments.ts";
import { debouncedSinceMs, heldStart } from "../../../stores/debounced-start.ts";
import { isOfAnother } from "../../../stores/taken-id.ts";
import type { WorkItemOf } from "../../../wire/work-item.ts";
import { deleteInstance } from "../admin/delete-instances.ts";
import { toMessage, toMessageRow } from "../codec.ts";
import type { Store } from "../store.ts";
import { isRemembered, remember } from "./enqueue.ts";
import { takenBy } from "./taken-by.ts";

const OPERATION = "startInstance";

export function startInstance(
  store: Store,
  start: WorkItemOf<"StartOrchestration">,
  options: StartInstanceOptions,
): StartOutcome {
  checkStartInstance(OPERATION, start, options);
  const { ifExists, messages, deadline } = options;
  const delayMs = toDurationMs(OPERATION, "deadline.delayMs", deadline?.delayMs ?? 0);
  const messageId = toMessageId(OPERATION, start, options);
  const nowMs = store.clock.now();
  const rows = [start, ...messages].map((item) => toMessageRow(OPERATION, item, nowMs));
  const { instance: id } = start;
  if (messageId !== undefined && isRemembered(store, id, messageId, nowMs))
    return { kind: "stored", created: ifExists !== "reuse" };
  if (options.debounce !== undefined) {
    if (messageId !== undefined) remember(store, id, messageId, nowMs);
    return debounced(store, start, { ...options.debounce, ifExists }, nowMs);
  }
  const taken = takenBy(store, id);
  if (taken !== undefined && ifExists === "reuse" && isOfAnother(taken, start))
    return { kind: "exists", ...taken };
  if (taken !== undefined && ifExists !== "reuse") {
    if (ifExists === "fail" || !hasEnded(taken.status)) return { kind: "exists", ...taken };
    deleteInstance(store, id, { force: true });
  }
  const created = taken === undefined || ifExists === "restart";
  if (deadline !== undefined && created) {
    rows.push(toMessageRow(OPERATION, deadline.item, nowMs, nowMs + delayMs));
  }
  store.messages.push(...rows);
  if (messageId !== undefined) remember(store, id, messageId, nowMs);
  return { kind: "stored", created };
}

interface Debounced extends NonNullable<StartInstanceOptions["debounce"]> {
  readonly ifExists: StartInstanceOptions["ifExists"];
}

/** Takes the place of the start of the id that waits. */
function debounced(
  store: Store,
  start: WorkItemOf<"StartOrchestration">,
  { ifExists, ...debounce }: Debounced,
  nowMs: number,
): StartOutcome {
  const created = takenBy(store, start.instance) === undefined;
  const last = store.messages.find(
    (row) =>
      row.instanceId === start.instance &&
      row.visibleAtMs > nowMs &&
      debouncedSinceMs(toMessage(row)) !== undefined,
  );
  const held = heldStart(start, ifExists, debounce, last && debouncedSinceMs(toMessage(last)), nowMs);
  store.messages = store.messages.filter((row) => row !== last);
  store.messages.push(toMessageRow(OPERATION, held.item, nowMs, held.dueAtMs));
  return { kind: "stored", created };
}
