/** An orchestration has not ended, and nothing will happen by itself. Says what it waits for, and what would help. */
import type { Wait } from "./waits.ts";

/** An orchestration has not ended and nothing will happen by itself; the message says what it waits for. */
export class StalledError extends Error {
  override readonly name = "StalledError";
  readonly instanceId: string;
  /** What the code waits for, innermost for sub-orchestrations too. */
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
