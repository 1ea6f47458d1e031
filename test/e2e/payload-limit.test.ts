/** One limit for payloads on every store: refused where they are made, before anything is stored. */
import { activity, Client, DuroxideError, event, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { onEveryStore } from "../support/scenario.ts";

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
    const handle = await env.client.start(tries, { instanceId: "i", input: "result" });

    expect(await env.finish(handle)).toMatch(LIMIT);
    expect(runs).toBe(1);
  });

  onEveryStore("as an input of a call is thrown there", async (start) => {
    const env = await start(handlers);
    const handle = await env.client.start(tries, { instanceId: "i", input: "input" });

    expect(await env.finish(handle)).toMatch(LIMIT);
    expect(await env.history("i")).toHaveLength(2);
  });

  onEveryStore("as an output fails the orchestration", async (start) => {
    const env = await start(handlers);

    expect((await env.failure(await env.client.start(returns, { instanceId: "i" }))).message).toMatch(LIMIT);
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
      '"note"',
      '"box"',
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
