/** Encrypted payloads in whole programs: nothing of them is in the store, keys rotate, stores in clear migrate. */
import { activity, Client, event, orchestration, type PayloadCodec, queue } from "@duroxide-ts/core";
import { encryptedCodec } from "@duroxide-ts/core/codecs";
import { replay } from "@duroxide-ts/core/testing";
import { describe, expect } from "vitest";
import type { Environment } from "../support/environment.ts";
import { onEveryStore } from "../support/scenario.ts";

const SECRET = "swordfish";
const key = (id: string, fill: number) => ({ id, key: new Uint8Array(32).fill(fill) });
const OLD = key("old", 1);
const NEW = key("new", 2);

const echo = activity("echo", async (_ctx, value: { secret: string }) => ({ got: value.secret }));
const child = orchestration("child", async (_ctx, value: { secret: string }) => ({ child: value.secret }));
const go = event<string>("go");
const box = queue<string>("box");
const keeps = orchestration("keeps", async (ctx, { secret, round }: { secret: string; round: number }) => {
  const { got } = await ctx.scheduleActivity(echo, { secret });
  const inner = await ctx.scheduleSubOrchestration(child, { secret: got });
  ctx.kv.set("entry", { secret });
  ctx.setCustomStatus({ secret });
  const word = await ctx.waitForEvent(go);
  const message = await ctx.dequeue(box);
  if (round === 1) return ctx.continueAsNew("keeps", { secret, round: 2 });
  return { got, ...inner, word, message };
});
const program = { orchestrations: [keeps, child], activities: [echo] };
const RESULT = { got: SECRET, child: SECRET, word: SECRET, message: SECRET };

async function runRound(env: Environment, execution: number): Promise<void> {
  const handle = env.client.handle(keeps, "i");
  await env.advance(1_000);
  expect((await env.events("i", execution)).at(-1)?.type).toBe("ExternalSubscribed");
  await handle.raise(go, SECRET);
  await handle.enqueue(box, SECRET);
  await env.advance(1_000);
}

describe("encrypted payloads", () => {
  onEveryStore("leave nothing of themselves in the store, and replay", async (start) => {
    const codec = encryptedCodec({ keys: [OLD], compress: { aboveBytes: 100 }, associatedData: "test" });
    const env = await start({ ...program, options: { codec, liveExecutions: 0 } });
    const handle = await env.client.start(keeps, { instanceId: "i", input: { secret: SECRET, round: 1 } });
    await runRound(env, 1);
    await runRound(env, 2);
    expect(await env.finish(handle)).toEqual(RESULT);

    const history = [...(await env.events("i", 1)), ...(await env.events("i", 2))];
    const { provider } = env;
    const stored = [
      history,
      await provider.getInstanceStatus("i"),
      [...(await provider.getKvValues("i"))],
      await env.client.admin.info("i"),
    ];
    expect(JSON.stringify(stored, (_key, it) => (typeof it === "bigint" ? String(it) : it))).not.toContain(
      SECRET,
    );
    expect(await handle.get("entry")).toEqual({ secret: SECRET });
    expect(await handle.status()).toMatchObject({ customStatus: { secret: SECRET }, output: RESULT });
    await replay(history, { orchestrations: program.orchestrations, codec });
  });

  onEveryStore("survive the rotation of keys and the move from a store in clear", async (start) => {
    const steps: readonly (PayloadCodec | undefined)[] = [
      undefined,
      encryptedCodec({ keys: [OLD], allowPlain: true }),
      encryptedCodec({ keys: [OLD, NEW], allowPlain: true }),
      encryptedCodec({ keys: [NEW, OLD], allowPlain: true }),
    ];
    const counts = orchestration("counts", async (ctx) => {
      const got: string[] = [];
      for (const step of steps.keys()) {
        got.push((await ctx.scheduleActivity(echo, { secret: `${SECRET} ${step}` })).got);
        got.push(await ctx.waitForEvent(go));
      }
      return got;
    });
    const env = await start({ orchestrations: [counts], activities: [echo] });
    const { provider } = env;
    await env.client.start(counts, { instanceId: "i" });
    for (const codec of steps) {
      if (codec !== undefined) await env.restart({ options: { codec } });
      await env.advance(1_000);
      const client = new Client(provider, { clock: env.clock, ...(codec && { codec }) });
      await client.handle(counts, "i").raise(go, "went on");
      await env.advance(1_000);
    }
    const [last] = steps.slice(-1);
    const client = new Client(provider, { clock: env.clock, ...(last && { codec: last }) });
    expect(await env.finish(client.handle(counts, "i"))).toEqual(
      [...steps.keys()].flatMap((step) => [`${SECRET} ${step}`, "went on"]),
    );
  });
});
