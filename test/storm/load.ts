/** Clients in the storm: so many at a time, each starting one orchestration after the other. */
import type { Client } from "@duroxide-ts/core";
import { programOf, RESULT_TIMEOUT_MS, runOne } from "./lane.ts";
import { PROGRAMS, type Program } from "./programs.ts";

export interface LoadOptions {
  /** How long orchestrations are started. */
  readonly durationMs: number;
  /** Orchestrations at a time. */
  readonly lanes: number;
  /** Programs to start; those of `programs.ts` by default. */
  readonly programs?: readonly Program[];
  /** How long one orchestration may take; RESULT_TIMEOUT_MS by default. */
  readonly resultTimeoutMs?: number;
}

export interface LoadResult {
  readonly orchestrations: number;
  /** Orchestrations that did not end as they must. */
  readonly violations: readonly string[];
}

/** Resolves when all have ended. */
export async function applyLoad(
  client: Client,
  { durationMs, lanes, programs = PROGRAMS, resultTimeoutMs = RESULT_TIMEOUT_MS }: LoadOptions,
): Promise<LoadResult> {
  const endsAtMs = Date.now() + durationMs;
  const violations: string[] = [];
  let orchestrations = 0;
  const lane = async (): Promise<void> => {
    while (Date.now() < endsAtMs) {
      const number = orchestrations++;
      violations.push(...(await runOne(client, programOf(programs, number), number, resultTimeoutMs)));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { orchestrations, violations };
}
