/** A tool for operators: timelines, schedules, states and verbs. */
import type { Client, InstanceTimeline, StoreTrouble } from "@duroxide-ts/core";
import { ENDED_STATES, INSTANCE_STATES, OPERATOR_VERBS, type WaitingStart } from "@duroxide-ts/core/operate";

export function printTimeline(timeline: InstanceTimeline): void {
  const { instanceId, parentInstanceId = "nobody", lastEventAtMs, steps, waits } = timeline;
  console.log(
    `${instanceId}, called by ${parentInstanceId}, changed ${new Date(lastEventAtMs).toISOString()}`,
  );
  for (const step of steps) {
    if (step.kind === "activity" && step.limit !== undefined)
      console.log(`${step.name} is limited by ${step.limit}`);
    if (step.kind === "system" && step.limit !== undefined)
      console.log(`${step.name} is limited by ${step.limit}`);
    if (step.kind === "event" && step.keep) console.log(`${step.name} was kept until it was asked for`);
    for (const { number, limitAtMs } of step.kind === "activity" ? step.attempts : [])
      if (limitAtMs !== undefined) console.log(`attempt ${number} may take until ${limitAtMs}`);
  }
  for (const { kind, sinceMs } of waits) console.log(`waits for ${kind} since ${sinceMs}`);
}

export async function printSchedule(client: Client): Promise<void> {
  const info = await client.schedules.get("nightly");
  if (info === undefined) return;
  const { revision, jitter = "none", offset = "none", pauseOnFailure = false, changes } = info;
  console.log(
    `revision ${revision}, jitter ${jitter}, offset ${offset}, pauses on failure: ${pauseOnFailure}`,
  );
  const { continuation, instances } = await client.schedules.runs("nightly", { limit: 20 });
  const more = continuation && (await client.schedules.runs("nightly", { limit: 20, continuation }));
  console.log([...instances, ...(more ? more.instances : [])].map(({ instanceId }) => instanceId));
  for (const { verb, atMs, by = "nobody", run = "" } of changes)
    console.log(`${atMs}: ${verb} ${run} by ${by}`);
}

export async function suspendAll(client: Client): Promise<void> {
  const progress = await client.admin.forEach(
    { status: ["Running"] },
    (id) => client.admin.suspend(id, { by: "ada", reason: "maintenance" }),
    {
      onProgress: ({ done, failed }) => console.log(`${done} done, ${failed} failed`),
    },
  );
  if (progress.failed > 0) console.log(`${progress.failed} failed:`, progress.errors);
}

export function reportTrouble({ error, permanent, sinceMs }: StoreTrouble): void {
  console.error(`the store fails since ${new Date(sinceMs).toISOString()}`, { error, permanent });
}

/** Verbs that a page offers, those that need a second look last. */
export function buttons(): readonly string[] {
  const all = Object.values(OPERATOR_VERBS);
  const safeFirst = all.toSorted((a, b) => Number(a.isDangerous) - Number(b.isDangerous));
  return safeFirst.map(({ label, needsReason }) => (needsReason ? `${label}…` : label));
}

export function groups(): readonly (readonly [state: string, group: string])[] {
  return INSTANCE_STATES.map((state) => [state, ENDED_STATES.includes(state) ? "ended" : "open"] as const);
}

export function describeStart({ instanceId, orchestrationName, startsAtMs }: WaitingStart): string {
  return `${instanceId} (${orchestrationName}) waits for a process, or until ${startsAtMs ?? "one comes"}`;
}
