/** An activity with a tag that no process serves is blocked work, which the status and the list say. */
import { activity, type Blocked, type BlockedOptions, orchestration } from "@duroxide-ts/core";
import { TestEnvironment } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import type { Environment } from "../support/environment.ts";
import { onEveryStore } from "../support/scenario.ts";

const where = activity("where", async (ctx) => ctx.tag ?? "none");

const tagged = orchestration("tagged", async (ctx, tag: string) =>
  ctx.scheduleActivity(where, undefined, { tag }),
);

const handlers = { orchestrations: [tagged], activities: [where], options: { reportWorker: true } };

const gpu = { kind: "default-and", tags: ["gpu"] } as const;

async function listOf({ client }: Environment | TestEnvironment): Promise<Blocked[]> {
  const found: Blocked[] = [];
  for await (const blocked of client.admin.blocked()) found.push(blocked);
  return found;
}

const unserved = {
  instanceId: "i",
  activity: { executionId: 1, activityId: 2, name: "where" },
  reason: "unserved-tag",
  detail: expect.stringContaining('no process serves tag "gpu"'),
};

describe("an activity with a tag that no process serves", () => {
  onEveryStore("is blocked after ten seconds, until a process with the tag comes", async (start) => {
    const env = await start(handlers);
    const handle = await env.begin(tagged, { instanceId: "i", input: "gpu" });
    const startedAtMs = env.clock.now();
    expect(await listOf(env)).toEqual([]);

    await env.advance(11_000);

    const [blocked] = await listOf(env);
    expect(blocked).toMatchObject(unserved);
    expect(Math.abs((blocked?.sinceMs ?? 0) - startedAtMs)).toBeLessThan(5_000);
    expect(await handle.status()).toMatchObject({ status: "Running", blocked: [unserved] });

    await env.startAnother({ activities: [where], reportWorker: true, workerTagFilter: gpu });
    expect(await env.finish(handle)).toBe("gpu");
    expect(await listOf(env)).toEqual([]);
  });

  onEveryStore("is not blocked while a process with the tag is busy", async (start) => {
    const never = activity("where", () => new Promise<string>(() => {}));
    const env = await start({ ...handlers, activities: [never] });
    await env.startAnother({
      activities: [never],
      reportWorker: true,
      workerTagFilter: gpu,
      workerConcurrency: 1,
    });
    await env.client.start(tagged, { instanceId: "i", input: "gpu" });
    await env.client.start(tagged, { instanceId: "j", input: "gpu" });
    await env.advance(30_000);

    expect(await listOf(env)).toEqual([]);
    expect(await env.client.handle(tagged, "j").status()).not.toHaveProperty("blocked");
  });

  onEveryStore("can be asked for alone, or left out", async (start) => {
    const lacking = orchestration("lacking", async (ctx) => ctx.scheduleActivity("missing"));
    const env = await start({ ...handlers, orchestrations: [tagged, lacking] });
    await env.client.start(tagged, { instanceId: "i", input: "gpu" });
    await env.client.start(lacking, { instanceId: "j" });
    await env.advance(30_000);

    const of = async (options: BlockedOptions): Promise<string[]> => {
      const ids: string[] = [];
      for await (const { instanceId } of env.client.admin.blocked(options)) ids.push(instanceId);
      return ids;
    };
    expect(await of({ reason: "unserved-tag" })).toEqual(["i"]);
    expect(await of({ reason: "missing-activity" })).toEqual(["j"]);
    expect(await of({ unserved: false })).toEqual(["j"]);
    expect(await of({ reason: "unserved-tag", unserved: false })).toEqual([]);
    expect((await listOf(env)).map(({ instanceId }) => instanceId)).toEqual(["j", "i"]);
  });

  onEveryStore(
    "is not blocked where no process reports itself, because their tags are unknown",
    async (start) => {
      const env = await start({ ...handlers, options: { reportWorker: false } });
      await env.client.start(tagged, { instanceId: "i", input: "gpu" });
      await env.advance(30_000);

      expect(await listOf(env)).toEqual([]);
    },
  );

  it("is blocked in the store in memory too", async () => {
    await using env = await TestEnvironment.create({
      orchestrations: [tagged],
      activities: [where],
      reportWorker: true,
    });
    await env.client.start(tagged, { instanceId: "i", input: "gpu" });
    await env.advance({ seconds: 11 });

    expect(await listOf(env)).toMatchObject([unserved]);
  });
});
