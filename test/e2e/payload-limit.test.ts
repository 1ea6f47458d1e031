/** One limit for payloads on every store: refused where they are made, before anything is stored. */
import { activity, Client, DuroxideError, event, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { RecordingLogger } from "../support/recording-logger.ts";
import { engineScenario, onEveryStore } from "../support/scenario.ts";

const LARGE = "x".repeat(3_000_000);
let runs = 0;
const big = activity("big", async () => {
  runs++;
  return LARGE;
});
const echo = activity("echo", async (_ctx, value: unknown) => value);
const note = event<string>("note");
const tries = orchestration("tries", async (ctx, what: string) => {
  try {
    if (what === "result") await ctx.scheduleActivity(big);
    else await ctx.scheduleActivity(echo, LARGE);
    return "taken";
  } catch (error) {
    return (error as Error).message;
  }
});
const returns = orchestration("returns", async () => LARGE);
const handlers = { orchestrations: [tries, returns], activities: [big, echo] };
const LIMIT = /takes 3000\d+ bytes in the store, more than maxPayloadBytes \(1500000\)/;

describe("a payload above the limit", () => {
  onEveryStore("as a result fails the activity, which runs once and can be caught", async (start) => {
    const env = await start(handlers);
    runs = 0;

    expect(await env.run(tries, { input: "result" })).toMatch(LIMIT);
    expect(runs).toBe(1);
  });

  onEveryStore("as an input of a call is thrown there", async (start) => {
    const env = await start(handlers);

    expect(await env.run(tries, { input: "input" })).toMatch(LIMIT);
    expect(await env.history("i")).toHaveLength(2);
  });

  onEveryStore("as an output fails the orchestration", async (start) => {
    const env = await start(handlers);

    expect((await env.failureOf(returns)).message).toMatch(LIMIT);
  });

  onEveryStore("is refused by the client, which names it", async (start) => {
    const { client } = await start(handlers);
    const handle = client.handle(tries, "i");
    const refusals = [
      await client.start(tries, { instanceId: "i", input: LARGE }).catch((error: unknown) => error),
      await handle.raise(note, LARGE).catch((error: unknown) => error),
      await handle.enqueue("box", LARGE).catch((error: unknown) => error),
    ];

    for (const error of refusals) expect(DuroxideError.is(error, "limit-exceeded")).toBe(true);
    expect(refusals.map((error) => (error as Error).message.split(":")[0])).toEqual([
      'input of orchestration "tries"',
      'event "note"',
      'message of queue "box"',
    ]);
    expect(await handle.status()).toEqual({ status: "NotFound" });
  });

  onEveryStore("counts as the store holds it: quotes are escaped twice", async (start) => {
    const { provider } = await start(handlers);
    const client = new Client(provider, { maxPayloadBytes: 1_000 });

    await client.start(tries, { instanceId: "a", input: "x".repeat(900) });
    await expect(client.start(tries, { instanceId: "b", input: '"'.repeat(200) })).rejects.toMatchObject({
      code: "limit-exceeded",
    });
  });
});

/** A text of n letters takes n + 14 bytes in a store: three pairs of quotes, the inner ones escaped. */
const LIMIT_BYTES = 10_000;
const some = (letters: number): string => "x".repeat(letters);

/** Makes one payload of the given number of letters; the other texts are short. */
const makes = orchestration("makes", async (ctx, { what, letters }: { what: string; letters: number }) => {
  const text = some(letters);
  try {
    if (what === "activity-input") await ctx.scheduleActivity(length, text);
    else if (what === "activity-result") await ctx.scheduleActivity(letter, letters);
    else if (what === "child-input") await ctx.scheduleSubOrchestration(counts, text);
    else if (what === "child-output") await ctx.scheduleSubOrchestration(spells, letters);
    else if (what === "detached-input")
      ctx.startOrchestration(counts, { instanceId: "detached", input: text });
    else if (what === "next-input") await ctx.continueAsNew("counts", text);
    else if (what === "custom-status") ctx.setCustomStatus(text);
    else if (what === "kv-value") ctx.kv.set("entry", text);
    return "taken";
  } catch (error) {
    const { message, retryable } = error as { message: string; retryable?: boolean };
    return { message, retryable };
  }
});
const length = activity("length", async (_ctx, text: string) => text.length);
const letter = activity("letter", async (_ctx, letters: number) => some(letters));
const counts = orchestration("counts", async (_ctx, text: string) => text.length);
const spells = orchestration("spells", async (_ctx, letters: number) => some(letters));
const program = { orchestrations: [makes, counts, spells], activities: [length, letter] };

const SUBJECTS: Readonly<Record<string, string>> = {
  "activity-input": 'input of activity "length"',
  "activity-result": 'result of activity "letter"',
  "child-input": 'input of child orchestration "counts"',
  "child-output": 'output of orchestration "spells"',
  "detached-input": 'input of orchestration "counts"',
  "next-input": 'input of orchestration "counts"',
  "custom-status": 'custom status of orchestration "makes"',
  "kv-value": 'value of key "entry"',
};

describe("the refusal of a payload that orchestration code makes", () => {
  for (const [what, subject] of Object.entries(SUBJECTS)) {
    engineScenario(`names what, size and limit, can be caught and is final: ${what}`, async (start) => {
      const env = await start({ ...program, options: { maxPayloadBytes: LIMIT_BYTES } });
      expect(await env.run(makes, { input: { what, letters: 20_000 } })).toEqual({
        message: expect.stringContaining(
          `${subject}: the payload takes 20014 bytes in the store, more than maxPayloadBytes (10000)`,
        ),
        retryable: false,
      });
    });
  }
});

describe("a payload above a tenth of the limit", () => {
  for (const [what, subject] of Object.entries(SUBJECTS)) {
    engineScenario(`is a warning, once for its kind and name: ${what}`, async (start) => {
      const env = await start({ ...program, options: { maxPayloadBytes: LIMIT_BYTES } });
      for (const instanceId of ["a", "b"]) {
        await env.run(makes, { instanceId, input: { what, letters: 2_000 } });
      }
      const warnings = env.log.entries.filter(
        ({ fields }) => fields["event"] === "payload_large" && fields["bytes"] === 2_014,
      );
      const said = warnings.filter(({ message }) => message.startsWith(subject));
      expect(said).toMatchObject([{ level: "warn", fields: { bytes: 2_014, limit_bytes: LIMIT_BYTES } }]);
    });
  }

  engineScenario("is none if it takes less", async (start) => {
    const env = await start({ ...program, options: { maxPayloadBytes: LIMIT_BYTES } });
    const input = { what: "activity-input", letters: 986 };
    await env.run(makes, { instanceId: "i", input });
    expect(env.log.entries.filter(({ fields }) => fields["event"] === "payload_large")).toEqual([]);
  });

  engineScenario("is a warning of the client for what it sends", async (start) => {
    const { provider } = await start(program);
    const log = new RecordingLogger();
    const client = new Client(provider, { maxPayloadBytes: LIMIT_BYTES, logger: log });
    for (let round = 0; round < 2; round++) {
      const handle = await client.start("lives elsewhere", { instanceId: "i", input: some(2_000) });
      await handle.raise(note, some(2_000));
      await handle.enqueue("box", some(2_000));
    }
    expect(log.entries.map(({ message }) => message.split(" takes ")[0])).toEqual([
      'input of orchestration "lives elsewhere"',
      'event "note"',
      'message of queue "box"',
    ]);
  });
});
