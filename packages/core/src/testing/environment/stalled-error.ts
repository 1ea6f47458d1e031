/** An orchestration has not ended, and no work is due. The message lists its open waits, and how to settle each. */
import type { Wait } from "./waits.ts";

/** An orchestration has not ended, and no work is due; the message lists its open waits. */
export class StalledError extends Error {
  override readonly name = "StalledError";
  readonly instanceId: string;
  /** The open waits of the code, including those of sub-orchestrations. */
  readonly waits: readonly Wait[];

  constructor(instanceId: string, headline: string, waits: readonly Wait[]) {
    super([`instance "${instanceId}" ${headline}`, ...waits.map((wait) => line(wait, "  "))].join("\n"));
    this.instanceId = instanceId;
    this.waits = waits;
  }
}

function line(wait: Wait, indent: string): string {
  const place = wait.location === undefined ? "" : ` (${wait.location})`;
  const inner = wait.waits?.map((it) => `\n${line(it, `${indent}  `)}`) ?? [];
  return `${indent}- ${wait.what}${place}${wait.help === undefined ? "" : `: ${wait.help}`}${inner.join("")}`;
}
