/** Keeps so many orchestrations in flight, for a time or until enough were started, and notes how each one ended. */
import { isDeepStrictEqual } from "node:util";
import { type Client, DuroxideError, type InstanceHandle, OrchestrationFailedError } from "@duroxide-ts/core";
import { errorCategory } from "@duroxide-ts/core/stores";
import type { FailureCategory } from "./report.ts";
import type { Scenario } from "./scenario.ts";

export interface Ended {
  readonly instanceId: string;
  readonly end: "completed" | FailureCategory;
}

/** `prefix` keeps the instances of this run apart from those of others. */
export async function applyLoad(
  client: Client,
  scenario: Scenario,
  prefix: string,
): Promise<readonly Ended[]> {
  const { maxConcurrent, clock, durationMs, orchestrations } = scenario.settings;
  const endsAtMs = clock.now() + durationMs;
  const ended: Ended[] = [];
  let started = 0;
  const isOver = (): boolean =>
    orchestrations === undefined ? clock.now() >= endsAtMs : started >= orchestrations;
  const lane = async (): Promise<void> => {
    while (!isOver()) {
      const number = started++;
      const instanceId = `${prefix}-${number}`;
      ended.push({ instanceId, end: await runOne(client, scenario, instanceId, number) });
    }
  };
  await Promise.all(Array.from({ length: maxConcurrent }, lane));
  return ended;
}

async function runOne(
  client: Client,
  { root, settings, expected }: Scenario,
  instanceId: string,
  number: number,
): Promise<Ended["end"]> {
  let handle: InstanceHandle<unknown>;
  try {
    handle = await client.start(root, { instanceId, input: number });
  } catch {
    return "notStarted";
  }
  try {
    const output = await handle.result({ timeout: settings.waitTimeoutMs });
    return isDeepStrictEqual(output, expected(number)) ? "completed" : "wrongOutput";
  } catch (error) {
    if (DuroxideError.is(error, "timeout")) return "timedOut";
    return error instanceof OrchestrationFailedError ? categoryOf(error) : "infrastructure";
  }
}

function categoryOf({ details }: OrchestrationFailedError): FailureCategory {
  const category = errorCategory(details);
  return category === "poison" ? "infrastructure" : category;
}
