/**
 * Work for code that the fetch does not have is left to processes that have it, of this implementation or of Rust's
 * (docs/decisions/attempts-and-blocked-work.md).
 *
 * - handler-reservation.N1: For a head start after it became visible the work is not touched: no lock, no attempt, no
 *   write.
 * - handler-reservation.N2: After that one process locks it once, so that the runtime stores it as blocked and logs it.
 *   Blocked work is not locked again by a process without the code, and stays visible for processes that have it.
 * - handler-reservation.N3: A cancellation needs no code, and neither does an instance that has ended: every process may
 *   lock them.
 */
import { type FetchOrchestrationOptions, hasEnded, missingOrchestration } from "@duroxide-ts/core/stores";
import type { BlockedNote } from "../documents/blocked.ts";
import type { Instance } from "../documents/instance.ts";
import type { MessageRow } from "../documents/rows.ts";
import { NOTED_NAME_MS, UNKNOWN_NAME_HEAD_START_MS } from "../memory/waits.ts";

/** Whether the caller has the code that a turn with these messages runs. */
export function knowsOrchestration(
  request: Pick<FetchOrchestrationOptions, "orchestrations" | "versions">,
  instance: Instance | undefined,
  rows: readonly MessageRow[],
): boolean {
  const { orchestrationName: name = "", orchestrationVersion: version, status } = instance?.document ?? {};
  const named = {
    orchestration: name === "" ? undefined : { name, version: version ?? "unknown" },
    hasEnded: hasEnded(status),
  };
  const items = rows.map(({ item }) => item);
  return missingOrchestration(request, named, items) === undefined;
}

/** The time until which work of an unknown name is left to others; `undefined` if it is to be locked and stored as blocked. */
export function reservedForHandlersUntilMs(
  work: { readonly visibleSinceMs: number; readonly blocked: BlockedNote | undefined },
  nowMs: number,
): number | undefined {
  const { reason } = work.blocked ?? {};
  if (reason === "missing-orchestration" || reason === "missing-activity") return nowMs + NOTED_NAME_MS;
  const untilMs = work.visibleSinceMs + UNKNOWN_NAME_HEAD_START_MS;
  return nowMs < untilMs ? untilMs : undefined;
}
