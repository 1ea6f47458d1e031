import { expect, it } from "vitest";
import { encryptedCodec } from "../../src/codecs/index.ts";
import { orchestration, schedule, silentLogger } from "../../src/index.ts";
import { TestEnvironment } from "../../src/testing/index.ts";

const pay = orchestration("pay", async (_ctx, _input: { card: string }) => 0);
const given = schedule("s", { cron: "0 * * * *", orchestration: pay, input: { card: "4111" } });
const redact = (path: string, value: unknown): unknown => (path.endsWith(".card") ? "hidden" : value);
const codec = encryptedCodec({ keys: [{ id: "k", key: new Uint8Array(32) }] });

it.each([
  ["plain", undefined],
  ["encrypted", codec],
] as const)("a redacted client shows schedules, %s", async (_, each) => {
  await using env = await TestEnvironment.create({
    orchestrations: [pay],
    schedules: [given],
    logger: silentLogger,
    ...(each !== undefined && { codec: each }),
  });
  const { schedules } = env.client;
  await schedules.pause("s", { reason: "the vault" });
  expect((await schedules.get("s"))?.input).toEqual({ card: "4111" });
  const text = (await env.provider.getInstanceStatus("schedule:s"))?.customStatus ?? "";
  if (each !== undefined) expect(text).not.toContain("4111");
  const visible = env.client.redacted(redact);
  expect(await visible.schedules.get("s")).toMatchObject({ input: { card: "hidden" }, cron: "0 * * * *" });
  expect(await visible.schedules.list()).toHaveLength(1);
  expect(await visible.schedules.next("s", 1)).toEqual([]);
  await expect(visible.schedules.resume("s")).rejects.toMatchObject({
    code: expect.stringMatching(/^(read-only|refused)$/),
  });
  const changes = (await schedules.get("s"))?.changes.length;
  await schedules.apply([given]);
  expect((await schedules.get("s"))?.changes).toHaveLength(changes ?? 0);
});
