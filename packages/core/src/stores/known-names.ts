/** The code that a fetch has (docs/reference/provider-contract.md §6, 2a). */
import { createHash } from "node:crypto";
import type { FetchOrchestrationOptions, FetchWorkOptions } from "../contract/provider.ts";
import { programOf } from "../wire/known-code.ts";
import { NO_VERSION } from "../wire/version.ts";
import type { OrchestratorItem } from "../wire/work-item.ts";
import type { OrchestrationName } from "./orchestration-of.ts";

type KnownCode = Pick<FetchOrchestrationOptions, "orchestrations" | "versions">;

/** The instance as a store knows it; without `orchestration` before its first turn. */
export interface NamedInstance {
  readonly orchestration: OrchestrationName | undefined;
  readonly hasEnded: boolean;
}

/**
 * The orchestration of a batch, with its version if it is known, if the caller of the fetch does not have its code;
 * `undefined` if it has, or if none is needed: by a cancellation, and by an instance that has ended. The start of the
 * next execution may name another orchestration than the instance. A repeated start has no effect.
 */
export function missingOrchestration(
  known: KnownCode,
  { orchestration, hasEnded }: NamedInstance,
  messages: readonly OrchestratorItem[],
): string | undefined {
  if (known.orchestrations === undefined || hasEnded) return undefined;
  const wanted = programAfter(orchestration, messages);
  if (wanted === undefined || hasOrchestration(known, wanted)) return undefined;
  return messages.some(({ kind }) => kind === "CancelInstance") ? undefined : wanted;
}

/** Whether the caller has the code that `missingOrchestration` returned to another fetch. */
export function hasOrchestration({ orchestrations, versions }: KnownCode, wanted: string): boolean {
  if (orchestrations === undefined || orchestrations.has(wanted)) return true;
  if (versions !== undefined) return versions.has(wanted);
  return orchestrations.has(wanted.slice(0, Math.max(0, wanted.lastIndexOf("@"))));
}

/** Whether a fetch of activities has the code of the one with this handler (`handlerOf`). */
export function hasActivity(
  { activities }: { readonly activities?: FetchWorkOptions["activities"] | undefined },
  handler: string,
): boolean {
  return activities === undefined || activities.has(handler);
}

const DIGITS = 16;

const digests = new WeakMap<ReadonlySet<string>, string>();

/**
 * A short text, equal for equal sets, by which fetches with the same code are one group. A runtime passes the same set
 * with every fetch, so a set is digested once.
 */
export function digestOfNames(names: ReadonlySet<string>): string {
  const known = digests.get(names);
  if (known !== undefined) return known;
  const text = JSON.stringify([...names].sort());
  const digest = createHash("sha256").update(text).digest("hex").slice(0, DIGITS);
  digests.set(names, digest);
  return digest;
}

function programAfter(
  orchestration: OrchestrationName | undefined,
  messages: readonly OrchestratorItem[],
): string | undefined {
  for (const message of messages) {
    const begins =
      message.kind === "ContinueAsNew" ||
      (message.kind === "StartOrchestration" && orchestration === undefined);
    if (begins) return withVersion(message.orchestration, message.version);
  }
  return orchestration && withVersion(orchestration.name, orchestration.version);
}

function withVersion(name: string, version: string | null): string {
  const isNone = version === null || version === "" || version === NO_VERSION || version === "unknown";
  return isNone ? name : programOf(name, version);
}
