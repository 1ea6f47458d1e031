/** A message that does not fit the schema of its wait is set aside, and the wait stays open (docs/decisions/messages.md). */
import {
  Client,
  event,
  type HistoryEvent,
  type OrchestrationContext,
  orchestration,
  question,
  queue,
  type StandardSchema,
} from "@duroxide-ts/core";
import { encryptedCodec } from "@duroxide-ts/core/codecs";
import { replay } from "@duroxide-ts/core/testing";
import { describe, expect } from "vitest";
import { z } from "zod";
import type { Environment } from "../support/environment.ts";
import { Faults, fault } from "../support/faulty-provider.ts";
import { begun, started } from "../support/one-program.ts";
import { engineScenario, onEveryStore, scenario } from "../support/scenario.ts";

const Approval = z.object({ by: z.string() });
const approved = event("approved", { schema: Approval });
const kept = event("kept", { schema: Approval, keep: true });
const numbers = queue("numbers", { schema: z.number() });

const warnings = ({ log }: Environment) =>
  log.entries
    .filter(({ fields }) => fields["event"] === "message_set_aside")
    .map(({ fields }) => [fields["event_name"], fields["reason"]]);

const setAside = async ({ client }: Environment, executionId?: number) =>
  (await client.admin.timeline("i", executionId)).setAside.map(({ name, data, misfit }) => [
    name,
    data,
    misfit,
  ]);

const NOT_A_TEXT = "by: Invalid input: expected string, received number";
const NOT_A_NUMBER = "Invalid input: expected number, received string";

describe("a message that does not fit", () => {
  scenario("leaves the wait for an event open, and is shown with the reason", async (start) => {
    const waits = orchestration("waits", async (ctx) => ctx.waitForEvent(approved));
    const { env, handle } = await begun(start, waits);
    await handle.raise("approved", { by: 5 });
    await env.settle();

    expect(await env.client.admin.timeline("i")).toMatchObject({
      status: "Running",
      waits: [{ kind: "event", name: "approved", stepId: 2 }],
      unread: [],
      setAside: [{ kind: "event", id: 3, name: "approved", data: '{"by":5}', stepId: 2 }],
    });
    expect(await setAside(env)).toEqual([["approved", '{"by":5}', JSON.stringify(NOT_A_TEXT)]]);
    expect(warnings(env)).toEqual([["approved", NOT_A_TEXT]]);

    await handle.raise(approved, { by: "Ada" });
    expect(await env.finish(handle)).toEqual({ by: "Ada" });
    expect(warnings(env)).toHaveLength(1);
  });

  scenario("is passed over in a queue, and the others keep their order", async (start) => {
    const reads = orchestration("reads", async (ctx) => {
      const first = await ctx.dequeue(numbers);
      await ctx.waitForEvent("go");
      return [first, await ctx.dequeue(numbers), await ctx.dequeue(numbers)];
    });
    const { env, handle } = await started(start, reads);
    for (const message of ["a", 1, "b", "c", 2]) await handle.enqueue("numbers", message);
    await env.settle();
    await handle.raise("go");
    await env.settle();
    expect(await setAside(env)).toEqual(
      ["a", "b", "c"].map((text) => ["numbers", JSON.stringify(text), JSON.stringify(NOT_A_NUMBER)]),
    );
    expect((await env.client.admin.timeline("i")).unread).toEqual([]);
    await handle.enqueue("numbers", "d");
    await handle.enqueue(numbers, 3);

    expect(await env.finish(handle)).toEqual([1, 2, 3]);
    expect(warnings(env)).toHaveLength(4);
  });

  scenario("is judged by the wait for a kept event that it comes before", async (start) => {
    const late = orchestration("late", async (ctx) => {
      await ctx.waitForEvent("go");
      return ctx.waitForEvent(kept);
    });
    const { env, handle } = await started(start, late);
    await handle.enqueue("kept", { by: 5 });
    await env.settle();
    await handle.raise("go");
    await env.settle();
    // By its name only, to the wait that is open.
    await handle.raise("kept", "nobody");
    await env.settle();
    expect(await env.client.admin.timeline("i")).toMatchObject({
      waits: [{ name: "kept", keep: true }],
      setAside: [{ data: '{"by":5}' }, { data: '"nobody"' }],
    });
    await handle.raise("kept", { by: "Ada" });

    expect(await env.finish(handle)).toEqual({ by: "Ada" });
  });

  scenario("decides no race, and no branch hears of it", async (start) => {
    const races = orchestration("races", async (ctx) => {
      const first = await ctx.race([
        ctx.waitForEvent(kept),
        async (branch) => branch.dequeue(numbers),
        ctx.scheduleTimer(60_000),
      ]);
      const second = await ctx.race([ctx.waitForEvent(kept), ctx.scheduleTimer(60_000)]);
      return [first.index, second.index];
    });
    const { env, handle } = await begun(start, races);
    await handle.enqueue("numbers", "x");
    await handle.enqueue("kept", 1);
    await env.advance(30_000);
    expect((await env.client.admin.timeline("i")).waits.map(({ kind }) => kind).sort()).toEqual([
      "event",
      "queue",
      "timer",
    ]);
    await env.advance(30_000);
    await handle.enqueue("kept", 2);
    await env.advance(60_000);

    expect(await env.finish(handle)).toEqual([2, 1]);
    expect(warnings(env)).toHaveLength(3);
  });

  scenario("stays behind when the instance continues as new", async (start) => {
    const rounds = orchestration("rounds", async (ctx: OrchestrationContext, round: number) => {
      const read = await ctx.dequeue(numbers);
      return round === 1 ? ctx.continueAsNew("rounds", 2) : read;
    });
    const { env, handle } = await started(start, rounds, { input: 1 });
    await handle.enqueue("numbers", "bad");
    await env.settle();
    for (const message of [1, "later", 2]) await handle.enqueue("numbers", message);

    expect(await env.finish(handle)).toBe(2);
    expect(await setAside(env, 1)).toEqual([["numbers", '"bad"', JSON.stringify(NOT_A_NUMBER)]]);
    expect(await setAside(env, 2)).toEqual([["numbers", '"later"', JSON.stringify(NOT_A_NUMBER)]]);
  });

  onEveryStore("is set aside too where the codec cannot read it", async (start) => {
    const codec = encryptedCodec({ keys: [{ id: "k", key: new Uint8Array(32).fill(1) }] });
    const waits = orchestration("waits", async (ctx) => ctx.dequeue<string>("secrets"));
    const env = await start({ orchestrations: [waits], options: { codec } });
    const handle = await env.client.start(waits, { instanceId: "i" });
    await new Client(env.provider).handle(waits, "i").enqueue("secrets", "in clear");
    await env.advance(1_000);
    const [[, , misfit] = []] = await setAside(env);
    expect(misfit).not.toContain("encrypted");
    expect(warnings(env)).toMatchObject([["secrets", expect.stringContaining("it is not encrypted")]]);
    await handle.enqueue("secrets", "sealed");

    expect(await env.finish(handle)).toBe("sealed");
  });

  scenario("stays so for the replay of a stored history, whatever the schema says now", async (start) => {
    const reads = (schema: StandardSchema<unknown, number>) =>
      orchestration("reads", async (ctx) => {
        const list = queue("numbers", { schema });
        await ctx.waitForEvent("go");
        return [await ctx.dequeue(list), await ctx.dequeue(list)];
      });
    const env = await start({ orchestrations: [reads(z.number().max(10))] });
    const handle = await env.client.start("reads", { instanceId: "i" });
    for (const number of [50, 1]) await handle.enqueue("numbers", number);
    await env.settle();
    await handle.raise("go");
    await env.settle();
    for (const number of [60, 2]) await handle.enqueue("numbers", number);
    expect(await env.finish(handle)).toEqual([1, 2]);
    const history = await env.events("i");

    for (const schema of [z.number(), z.number().min(20), z.number().max(10)])
      await replay(history, { orchestrations: [reads(schema)] });
    await expect(
      replay(
        history.map((it) => ("set_aside" in it ? { ...it, set_aside: undefined } : it) as HistoryEvent),
        { orchestrations: [reads(z.number().max(10))] },
      ),
    ).rejects.toThrow();
  });

  engineScenario("is warned of once, with its instance, although its turn is repeated", async (start) => {
    const faults = new Faults();
    const waits = orchestration("waits", async (ctx) => ctx.waitForEvent(approved));
    const env = await start({ orchestrations: [waits], wrap: faults.wrap });
    const handle = await env.begin(waits);
    faults.on("ackOrchestrationItem", (call) => {
      if (call < 3) throw fault("ackOrchestrationItem", "lock-lost");
    });
    await handle.raise("approved", { by: 5 });
    await env.advance(300_000);
    expect(env.log.entries.filter(({ fields }) => fields["event"] === "message_set_aside")).toMatchObject([
      {
        level: "warn",
        message: `a message for event "approved" does not fit its schema (${NOT_A_TEXT}); it is set aside, and the wait stays open. Correct its sender, and deliver it again with admin.redeliver or "duroxide redeliver"`,
        fields: {
          instance_id: "i",
          execution_id: 1,
          orchestration_name: "waits",
          orchestration_version: "1.0.0",
          event_id: 3,
          wait_id: 2,
        },
      },
    ]);
    await handle.raise(approved, { by: "Ada" });
    expect(await env.finish(handle)).toEqual({ by: "Ada" });
  });

  scenario("does not keep questions, a suspension and a cancellation away", async (start) => {
    const size = question<void, number>("size");
    const waits = orchestration("waits", async (ctx) => {
      ctx.answer(size, () => 7);
      ctx.onCancel(async (cleanUp) => void (await cleanUp.dequeue(numbers)));
      await ctx.dequeue(numbers);
    });
    const { env, handle } = await begun(start, waits);
    await env.client.admin.suspend("i", { reason: "a test" });
    await handle.enqueue("numbers", "a");
    await env.settle();
    expect(await setAside(env)).toEqual([]);
    await env.client.admin.resume("i");
    const asked = handle.ask(size);
    await env.advance(5_000);
    expect(await asked).toBe(7);
    await handle.cancel("over");
    await handle.enqueue("numbers", "b");
    await env.settle();
    expect((await setAside(env)).map(([, data]) => data)).toEqual(['"a"', '"b"']);
    await handle.enqueue(numbers, 1);
    await env.settle();

    expect(await handle.status()).toMatchObject({ status: "Cancelled" });
    expect(warnings(env)).toHaveLength(2);
  });

  engineScenario("leaves room for its commit, however many there are", async (start) => {
    const talkative = queue("talkative", {
      schema: z.string().refine((text) => text === "good", { message: "x".repeat(10_000) }),
    });
    const reads = orchestration("reads", async (ctx) => {
      await ctx.waitForEvent("go");
      return ctx.dequeue(talkative);
    });
    const { env, handle } = await started(start, reads);
    for (let n = 0; n < 300; n++) await handle.enqueue("talkative", "bad");
    await env.settle();
    await handle.raise("go");
    await env.settle();
    expect(await setAside(env)).toHaveLength(300);
    const wait = (await env.events("i")).find(({ type }) => type === "ExternalSubscribedPersistent");
    expect(JSON.stringify(wait).length).toBeLessThan(100_000);
    await handle.enqueue("talkative", "good");

    expect(await env.finish(handle)).toBe("good");
  });

  scenario("and has come with one that fits is no obstacle to it", async (start) => {
    const pair = orchestration("pair", async (ctx) => {
      const [first, second] = await ctx.all([ctx.dequeue(numbers), ctx.dequeue(numbers)]);
      return [first, second];
    });
    const { env, handle } = await begun(start, pair);
    await env.stop();
    for (const message of ["a", 1, "b", 2]) await handle.enqueue("numbers", message);
    await env.start();

    expect(await env.finish(handle)).toEqual([1, 2]);
  });
});

const throwing: StandardSchema<unknown, number> = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: () => {
      throw new Error("the schema is wrong");
    },
  },
};

describe("a schema", () => {
  const withSchema = (schema: StandardSchema<unknown, number>) =>
    orchestration("sums", async (ctx) => {
      const list = queue("numbers", { schema });
      return [await ctx.dequeue(list), await ctx.dequeue(list)];
    });

  onEveryStore("that changes does not change what history has", async (start) => {
    const env = await start({ orchestrations: [withSchema(z.number().max(10))] });
    const handle = await env.client.start("sums", { instanceId: "i" });
    await handle.enqueue("numbers", 5);
    await handle.enqueue("numbers", 50);
    await env.advance(1_000);
    expect(await setAside(env)).toEqual([["numbers", "50", expect.stringContaining("<=10")]]);

    await env.restart({ orchestrations: [withSchema(z.number().min(20))] });
    await env.advance(1_000);
    expect((await env.client.admin.timeline("i")).waits).toMatchObject([{ name: "numbers" }]);
    await handle.enqueue("numbers", 60);

    expect(await env.finish(handle)).toEqual([5, 60]);
  });

  for (const [how, schema] of [
    ["throws", throwing],
    ["is asynchronous", z.number().refine(async () => true)],
  ] as const) {
    onEveryStore(`that ${how} blocks the instance until it is correct`, async (start) => {
      const env = await start({ orchestrations: [withSchema(schema)] });
      const handle = await env.client.start("sums", { instanceId: "i" });
      await env.advance(1_000);
      await handle.enqueue("numbers", 1);
      await env.advance(1_000);
      expect(await handle.status()).toMatchObject({
        status: "Running",
        blocked: [{ reason: "defect", detail: expect.stringMatching(/the schema is wrong|asynchronously/) }],
      });
      expect(warnings(env)).toEqual([]);

      await env.restart({ orchestrations: [withSchema(z.number())] });
      await handle.enqueue("numbers", 2);
      expect(await env.finish(handle)).toEqual([1, 2]);
    });
  }

  scenario("that throws rejects the wait of an orchestration that fails with mistakes", async (start) => {
    const list = queue("numbers", { schema: throwing });
    const sums = orchestration("sums", { onDefect: "fail" }, async (ctx) =>
      ctx.dequeue(list).catch((error: Error) => error.message),
    );
    const { env, handle } = await started(start, sums);
    await handle.enqueue("numbers", 1);

    expect(await env.finish(handle)).toBe("the schema is wrong");
  });
});
