/** Records that a test reads of a program that ran. */
import type { OrchestrationDefinition } from "@duroxide-ts/core";
import {
  type ActivityCall,
  type ChildRecord,
  ReplayDivergenceError,
  replay,
  StalledError,
  type TestEnvironment,
  type TestRun,
  type Wait,
} from "@duroxide-ts/core/testing";

export function outcomeOf({ outcome }: ActivityCall | ChildRecord): string {
  if (outcome.kind === "running") return "still running";
  return outcome.kind === "threw" ? `failed: ${outcome.error}` : `returned ${JSON.stringify(outcome.value)}`;
}

export function printCalls(env: TestEnvironment): void {
  for (const call of env.calls("charge")) {
    const { activityName, input, instanceId, executionId, attempt } = call;
    console.log(
      `${instanceId}/${executionId}: ${activityName}(${input}), attempt ${attempt}, ${outcomeOf(call)}`,
    );
  }
}

export function printTimers(env: TestEnvironment): void {
  for (const { instanceId, executionId, setAtMs, dueMs, firedAtMs } of env.timers()) {
    const end = firedAtMs === undefined ? "has not fired" : `fired after ${firedAtMs - setAtMs} ms`;
    console.log(`${instanceId}/${executionId}: due ${new Date(dueMs).toISOString()}, ${end}`);
  }
}

export function printEvents(env: TestEnvironment): void {
  for (const { kind, name, data, instanceId, executionId, atMs, misfit } of env.events()) {
    const fate = misfit === undefined ? "read" : `set aside: ${misfit}`;
    console.log(`${instanceId}/${executionId} at ${atMs}: ${kind} ${name} ${JSON.stringify(data)}, ${fate}`);
  }
}

export function printChildren(env: TestEnvironment): void {
  for (const child of env.children()) {
    const { orchestrationName, instanceId, input, parentInstanceId, detached } = child;
    const how = detached ? "started" : "called";
    console.log(
      `${parentInstanceId} ${how} ${orchestrationName}(${input}) as ${instanceId}: ${outcomeOf(child)}`,
    );
  }
}

/** Returns what an instance waits for, with what its children wait for below it. */
export function waitLines(waits: readonly Wait[], indent = ""): string[] {
  return waits.flatMap(
    ({ kind, name = "", instanceId = "", what, help, location, dueMs, waits: inner = [] }) => [
      `${indent}${kind} ${name}${instanceId}: ${what}, due ${dueMs ?? "never"}, at ${location ?? "?"}. ${help ?? ""}`,
      ...waitLines(inner, `${indent}  `),
    ],
  );
}

export async function endWithinADay(run: TestRun<string>): Promise<string | undefined> {
  try {
    return await run.runToEnd({ within: { days: 1 } });
  } catch (error) {
    if (!(error instanceof StalledError)) throw error;
    console.log(error.instanceId, waitLines(error.waits));
    return undefined;
  }
}

export async function checkHistories(json: string, checkout: OrchestrationDefinition<string, string>) {
  try {
    const { executions } = await replay(json, {
      orchestrations: [checkout],
      versionPolicies: { checkout: { exact: "1.0.0" } },
    });
    for (const { instanceId, orchestrationName, orchestrationVersion, status } of executions)
      console.log(`${instanceId}: ${orchestrationName} ${orchestrationVersion} is ${status}`);
  } catch (error) {
    if (!(error instanceof ReplayDivergenceError)) throw error;
    console.log(`${error.instanceId}/${error.executionId}: the code differs at ${error.event.type}`);
  }
}
