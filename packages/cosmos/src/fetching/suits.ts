/**
 * Decides whether a fetch may lock an instance: it is not suspended, and the fetch supports its version (docs/reference/
 * provider-contract.md §6) and has its code.
 */
import { type FetchOrchestrationOptions, inRange, parseSemver, unpackSemver } from "@duroxide-ts/core/stores";
import type { Instance } from "../documents/instance.ts";
import type { MessageRow } from "../documents/rows.ts";
import { knowsOrchestration } from "./handler-reservation.ts";

export function suits(
  instance: Instance,
  rows: readonly MessageRow[],
  options: FetchOrchestrationOptions,
): boolean {
  return (
    instance.notes.suspended === undefined &&
    supports(instance, options) &&
    knowsOrchestration(options, instance, rows)
  );
}

/** Exactly the ranges, and before any write (hazards W17, W18). An execution without a pinned version suits every fetch. */
export function supports(
  { document, notes }: Instance,
  { supportedVersions }: Pick<FetchOrchestrationOptions, "supportedVersions">,
): boolean {
  const pin = document.pinnedDuroxideVersionPacked;
  if (pin === null || supportedVersions === undefined) return true;
  const version = (notes.pinned === undefined ? undefined : parseSemver(notes.pinned)) ?? unpackSemver(pin);
  return supportedVersions.some((range) => inRange(version, range));
}

/** Whether the caller has the history in memory. Without a name of its own the instance has that of its history. */
export function isHeldBy({ heldHistory }: FetchOrchestrationOptions, { document, notes }: Instance): boolean {
  const tag = document.orchestrationName === "" ? undefined : heldHistory?.(document.instanceId);
  return tag !== undefined && notes.turns?.[0] === tag;
}
