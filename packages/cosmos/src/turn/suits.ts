/** Which instances a fetch may have: those whose version it supports (docs/reference/provider-contract.md §6). */
import { type FetchOrchestrationOptions, inRange, parseSemver, unpackSemver } from "@duroxide-ts/core/stores";
import type { Instance } from "../schema/instance.ts";

/** Exactly the ranges, and before any write (hazards W17, W18). What is not pinned suits everybody. */
export function suits(
  { document, notes }: Instance,
  { supportedVersions }: Pick<FetchOrchestrationOptions, "supportedVersions">,
): boolean {
  const pin = document.pinnedDuroxideVersionPacked;
  if (pin === null || supportedVersions === undefined) return true;
  const version = (notes.pinned === undefined ? undefined : parseSemver(notes.pinned)) ?? unpackSemver(pin);
  return supportedVersions.some((range) => inRange(version, range));
}
