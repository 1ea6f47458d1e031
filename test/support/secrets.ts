/**
 * A store with a secret in every place that an orchestration, an activity, a client or an operator can write. A secret
 * in a payload, or in the properties of an error, is `{ card: "S3CRET-<place>" }`; a text without parts is
 * `PR0SE-<place>`.
 */
import { setTimeout as sleep } from "node:timers/promises";
import {
  activity,
  Client,
  event,
  key,
  orchestration,
  type PayloadCodec,
  type Provider,
  queue,
  Runtime,
  schedule,
  silentLogger,
} from "@duroxide-ts/core";

export const SECRET = /S3CRET-[\w-]+/g;
export const PROSE = /PR0SE-[\w-]+/g;

const secret = (place: string): { readonly card: string } => ({ card: `S3CRET-${place}` });

class Declined extends Error {
  readonly card: string;
  readonly nested: string;

  constructor(place: string) {
    super(`PR0SE-message-${place}`, {
      cause: Object.assign(new Error(`PR0SE-cause-${place}`), secret(`cause-${place}`)),
    });
    this.card = `S3CRET-property-${place}`;
    this.nested = JSON.stringify(secret(`json-in-property-${place}`));
  }
}

const echo = activity("echo", async (ctx, value: unknown) => {
  await ctx.stream("shown").write(secret("stream-of-activity"));
  ctx.progress(secret("progress"));
  return value;
});
const decline = activity("decline", async (_ctx, place: string): Promise<string> => {
  if (place !== "several") throw new Declined(place);
  throw new AggregateError([new Declined("first"), new Declined("second")], "PR0SE-aggregate");
});

const lines = queue<unknown>("lines");
const kept = event<unknown>("kept", { keep: true });
const plain = event<unknown>("plain");
const total = key<unknown>("total");
const texts = key<string>("texts");

const child = orchestration("child", async (ctx, input: unknown) => {
  await ctx.scheduleActivity(echo, input);
  return secret("child-output");
});

const full = orchestration("full", async (ctx, _input: unknown) => {
  ctx.setCustomStatus(secret("status"));
  ctx.stream("shown").write(secret("stream"));
  ctx.kv.set(total, secret("entry"));
  ctx.kv.set(texts, JSON.stringify(JSON.stringify(secret("json-in-json"))));
  await ctx.dequeue(lines);
  await ctx.waitForEvent(kept);
  await ctx.waitForEvent(plain);
  await ctx.kv.getFromInstance("full", total);
  await ctx.kv.getFromInstance("full", texts);
  await ctx.scheduleActivity(echo, secret("activity"));
  await ctx.scheduleSubOrchestration(child, secret("child"));
  ctx.startOrchestration(child, { instanceId: "detached", input: secret("detached") });
  return secret("output");
});

const rounds = orchestration("rounds", async (ctx, round: number) => {
  ctx.setCustomStatus(secret(`status-of-round-${round}`));
  if (round === 0) {
    await ctx.waitForEvent("go on");
    return ctx.continueAsNew("rounds", 1);
  }
  await ctx.waitForEvent("never");
});

const failing = orchestration("failing", async (ctx, place: string) => ctx.scheduleActivity(decline, place));
const parent = orchestration("parent", async (ctx, _input: unknown) =>
  ctx.scheduleSubOrchestration(failing, "of-child"),
);
const patient = orchestration("patient", async (ctx, _input: unknown) =>
  ctx.scheduleActivity(decline, "patient", {
    retry: { maxAttempts: 5, backoff: { kind: "fixed", delay: { days: 1 } } },
  }),
);
const throwing = orchestration("throwing", async (_ctx, _input: unknown) => {
  throw new Declined("of-code");
});
/** A schema that takes nothing, and quotes what it refuses. */
const never = event("never", {
  schema: {
    "~standard": { version: 1, vendor: "test", validate: () => ({ issues: [{ message: "PR0SE-misfit" }] }) },
  },
});
const waiting = orchestration("waiting", async (ctx, _input: unknown) => ctx.waitForEvent(never));

/** Its code is another one after a deployment. */
const changing = (given: (input: unknown) => unknown) =>
  orchestration("changing", async (ctx, input: unknown) => {
    await ctx.scheduleActivity(echo, given(input));
    await ctx.waitForEvent("never");
  });

/** Its ids, in the order in which they were started. */
export const INSTANCES = [
  "full",
  "rounds",
  "failing",
  "several",
  "parent",
  "patient",
  "waiting",
  "cancelled",
  "terminated",
  "retried",
  "suspended",
  "changing",
  "throwing",
] as const;

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds().catch(() => false))) await sleep(20);
}

export async function fillWithSecrets(provider: Provider, codec?: PayloadCodec): Promise<void> {
  const options = { logger: silentLogger, ...(codec !== undefined && { codec }) };
  const client = new Client(provider, options);
  const { admin } = client;
  const run = (code: ReturnType<typeof changing>): Promise<Runtime> =>
    Runtime.start({
      ...options,
      provider,
      activities: [echo, decline],
      orchestrations: [full, rounds, failing, parent, patient, waiting, throwing, child, code],
    });
  const waits = (id: string, name: string) => async (): Promise<boolean> =>
    (await admin.timeline(id)).waits.some((wait) => wait.name === name);
  {
    await using _runtime = await run(changing((input) => input));
    const input = secret("input");
    const yearly = { cron: "0 3 1 1 *", orchestration: "full", input: secret("schedule") };
    await client.schedules.apply([schedule("secret", yearly)], { reason: "PR0SE-apply" });
    await client.schedules.pause("secret", { reason: "PR0SE-pause" });
    const first = await client.start(full, { instanceId: "full", input });
    await first.enqueue(lines, secret("queue"));
    await first.raise(kept, secret("kept"));
    await client.start(rounds, { instanceId: "rounds", input: 0 });
    const failed = [
      await client.start(failing, { instanceId: "failing", input: "alone" }),
      await client.start(failing, { instanceId: "several", input: "several" }),
      await client.start(parent, { instanceId: "parent", input }),
      await client.start(failing, { instanceId: "retried", input: "again" }),
      await client.start(throwing, { instanceId: "throwing", input }),
    ];
    await client.start(patient, { instanceId: "patient", input });
    for (const id of ["waiting", "cancelled", "terminated", "suspended"])
      await client.start(waiting, { instanceId: id, input });
    await client.start(
      changing(() => null),
      { instanceId: "changing", input: secret("quoted") },
    );
    await until(waits("full", "plain"));
    await first.raise(plain, secret("event"));
    await until(waits("rounds", "go on"));
    const second = client.handle(rounds, "rounds");
    await second.enqueue("unread", secret("carried"));
    await second.raise("go on");
    await until(waits("rounds", "never"));
    await until(waits("waiting", "never"));
    const open = client.handle(waiting, "waiting");
    await open.raise("other", secret("unread-event"));
    await open.enqueue("unread", secret("unread-message"));
    await open.raise("never", secret("set-aside"));
    await until(async () => {
      const { unread, setAside } = await admin.timeline("waiting");
      return unread.length === 2 && setAside.length === 1;
    });
    for (const handle of [first, ...failed]) await handle.result().catch(() => undefined);
    await admin.retry("retried", { by: "ada", reason: "PR0SE-retry" });
    await client
      .handle(failing, "retried")
      .result()
      .catch(() => undefined);
    await until(waits("cancelled", "never"));
    const cancelled = client.handle(waiting, "cancelled");
    await cancelled.cancel("PR0SE-cancel");
    await cancelled.result().catch(() => undefined);
    await until(waits("terminated", "never"));
    await admin.terminate("terminated", { by: "ada", reason: "PR0SE-terminate" });
    await until(async () =>
      (await admin.timeline("patient")).waits.some((wait) => wait.nextRetryAtMs !== undefined),
    );
    await until(waits("suspended", "never"));
    await admin.suspend("suspended", { by: "ada", reason: "PR0SE-suspend" });
    await until(waits("changing", "never"));
  }
  await using _runtime = await run(changing(() => secret("asked")));
  await client.handle("changing", "changing").raise("news", null);
  await until(async () => {
    const status = await client.handle("changing", "changing").status();
    return "blocked" in status && status.blocked !== undefined;
  });
}
