/** Tests what events say beyond what replay needs: when and where an activity ran, and what is a retry of what. */
import { activity, type HistoryEvent, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { scenario } from "../support/scenario.ts";

/** Fails in its first run. */
function flaky() {
  let runs = 0;
  return activity("flaky", async () => {
    runs++;
    if (runs === 1) throw new Error("not yet");
    return runs;
  });
}

const limited = orchestration("limited", async (ctx) => {
  await ctx.newGuid();
  return ctx.scheduleActivity("flaky", null, { retry: { maxAttempts: 3 }, timeout: 5_000 });
});

const FIELDS = ["ran", "attempt", "retry_of", "max_attempts", "timeout_ms", "pause_after", "limit_of"];

/** The fields of each event, without those that are absent everywhere. */
function fieldsOf(events: readonly HistoryEvent[]): readonly unknown[] {
  return events.flatMap((event) => {
    const fields = Object.entries(event).filter(([name]) => FIELDS.includes(name));
    return fields.length === 0 ? [] : [[event.event_id, event.type, Object.fromEntries(fields)]];
  });
}

describe("events", () => {
  scenario("say which run, attempt, pause and limit they belong to", async (start) => {
    const env = await start({ orchestrations: [limited], activities: [flaky()] });
    const handle = await env.client.start("limited", { instanceId: "i" });
    await env.finish(handle);

    const events = await env.events("i");
    const ran = {
      started_at_ms: expect.any(Number),
      worker_id: expect.stringMatching(/^work-\d+-/),
      attempt: expect.any(Number),
    };
    expect(fieldsOf(events)).toEqual([
      [4, "ActivityScheduled", { attempt: 1, max_attempts: 3, timeout_ms: 5_000 }],
      [5, "ActivityFailed", { ran }],
      [6, "TimerCreated", { pause_after: 4 }],
      [8, "ActivityScheduled", { attempt: 2, retry_of: 4, max_attempts: 3, timeout_ms: 5_000 }],
      [9, "ActivityCompleted", { ran }],
    ]);
  });
});
