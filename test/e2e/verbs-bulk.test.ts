/** A verb for all instances that match a filter (docs/decisions/verbs.md). */
import { activity, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { engineScenario, scenario } from "../support/scenario.ts";

const waits = orchestration("waits", async (ctx) => ctx.waitForEvent<string>("go"));
const instant = orchestration("instant", async () => 1);

describe("a verb for many instances", () => {
  scenario("reaches those that match, and no others", async (start) => {
    let isOpen = false;
    const charge = activity("charge", async () => {
      if (!isOpen) throw new Error("closed");
      return "paid";
    });
    const pay = orchestration("pay", async (ctx) => ctx.scheduleActivity(charge));
    const env = await start({ orchestrations: [pay, instant], activities: [charge] });
    const handles = await Promise.all(
      Array.from({ length: 12 }, (_, n) => env.client.start(pay, { instanceId: `pay-${n}` })),
    );
    await env.run(instant, { instanceId: "instant" });
    for (const handle of handles) await env.failure(handle);

    isOpen = true;
    const { admin } = env.client;
    const result = await admin.forEach({ status: ["Failed"] }, (id) => admin.retry(id, { by: "ada" }));

    expect(result).toEqual({ done: 12, refused: 0, failed: 0, errors: [] });
    for (const handle of handles) expect(await env.finish(handle)).toBe("paid");
  });

  engineScenario("collects what is refused, and what fails", async (start) => {
    const env = await start({ orchestrations: [waits, instant] });
    for (const id of ["a", "b"]) await env.client.start(waits, { instanceId: id });
    await env.run(instant, { instanceId: "c" });
    await env.settle();
    const { admin } = env.client;

    const result = await admin.forEach({}, async (id) => {
      if (id === "b") throw new Error("no");
      return admin.suspend(id, { reason: "maintenance" });
    });

    expect(result).toMatchObject({ done: 1, refused: 1, failed: 1 });
    expect(result.errors.map(({ instanceId }) => instanceId).sort()).toEqual(["b", "c"]);
    const resumed = await admin.forEach({ suspended: true }, (id) => admin.resume(id));
    expect(resumed.done).toBe(1);
  });

  scenario("is refused for filters and options that cannot be", async (start) => {
    const env = await start({ orchestrations: [waits] });
    const { admin } = env.client;
    const nothing = async (): Promise<void> => {};

    await expect(admin.forEach({ staus: ["Failed"] } as object, nothing)).rejects.toThrow(/staus/);
    await expect(admin.forEach({}, nothing, { concurrency: 0 })).rejects.toThrow(/concurrency must be/);
    await expect(admin.forEach({}, nothing, { after: "made up" })).rejects.toMatchObject({
      code: "invalid-input",
    });
  });
});
