/** A lock that the service refuses to write (memory/refused-writes.ts). */
import type { Agenda } from "../memory/agenda.ts";
import type { Parts } from "../memory/parts.ts";
import { isRefusal } from "../memory/refused-writes.ts";

/** Refusals in one fetch. */
export interface Refusals {
  count: number;
}

/** Reports the refusal, and returns how long the item is not tried, ms; 0 for an error that is no refusal. */
export function noteRefused(
  parts: Parts,
  { refused }: Pick<Agenda<{ readonly id: string }>, "refused">,
  { instanceId, id }: { readonly instanceId: string; readonly id: string },
  error: unknown,
): number {
  if (!isRefusal(error)) return 0;
  const delayMs = refused.add(id, parts.clock.now());
  const again = `it is tried again in ${Math.round(delayMs / 1_000)} s`;
  parts.service.warn(`work cannot be locked: ${error.detail}; ${again}`, { instanceId });
  return delayMs;
}
