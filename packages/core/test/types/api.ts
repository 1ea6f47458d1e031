/**
 * The promises of the types, checked by the compiler alone: everything infers without an annotation beyond those shown,
 * and a line under `@ts-expect-error` must not compile. Nothing here runs.
 */
import { z } from "zod";
import {
  type ActivityDefinition,
  activity,
  type Client,
  event,
  type InstanceHandle,
  type Jsonify,
  key,
  type NotStorable,
  type OrchestrationContext,
  orchestration,
  queue,
  Runtime,
  type Task,
} from "../../src/index.ts";

/** Compiles only where both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function same<A, B>(yes: Same<A, B>): void;

declare const client: Client;
declare const ctx: OrchestrationContext;
declare const signal: AbortSignal;
declare const provider: Parameters<typeof Runtime.start>[0]["provider"];

const Order = z.object({ id: z.string(), lines: z.array(z.string()), cents: z.coerce.number() });
type OrderInput = z.input<typeof Order>;
type Order = z.output<typeof Order>;

// Definitions

const charge = activity("charge", { input: Order }, async (_ctx, order) => {
  same<typeof order, Order>(true);
  return { receipt: order.id };
});
const ship = activity("ship", async (_ctx, r: { receipt: string }) => `label-${r.receipt}`);
const ping = activity("ping", async () => 5);
const maybe = activity("maybe", async (_ctx, name?: string) => name ?? "nobody");
const plain = activity("plain", (_ctx, n: number) => n > 0);

const approved = event<boolean>("approved");
const poke = event<void>("poke");
const jobs = queue<{ n: number }>("jobs");
const progress = key<number>("progress");
const amount = event("amount", { schema: z.number() });

const checkout = orchestration("checkout", async (ctx, order: OrderInput) => {
  const receipt = await ctx.scheduleActivity(charge, order, {
    retry: { maxAttempts: 5, nonRetryable: ["ValidationError", TypeError], when: (_error, n) => n < 3 },
    timeout: { seconds: 1 },
    totalTimeout: { minutes: 1 },
    session: "card",
    tag: "gpu",
    signal,
  });
  same<typeof receipt, { receipt: string }>(true);

  const winner = await ctx.race([ctx.waitForEvent(approved), ctx.scheduleTimer({ hours: 24 })]);
  if (winner.index === 1) {
    same<typeof winner.value, void>(true);
    throw new Error("nobody approved");
  }
  same<typeof winner.value, boolean>(true);

  const [label, nothing] = await Promise.all([ctx.scheduleActivity(ship, receipt), ctx.scheduleTimer(1_000)]);
  same<typeof label, string>(true);
  same<typeof nothing, void>(true);
  ctx.kv.set(progress, 1);
  return label;
});

const eternal = orchestration("eternal", async (ctx, n: number): Promise<void> => {
  const job = await ctx.dequeue(jobs);
  same<typeof job, { n: number }>(true);
  return ctx.continueAsNew(eternal, n + job.n);
});

const validated = orchestration("validated", { version: "2.0.0", input: Order }, async (_ctx, order) => {
  same<typeof order, Order>(true);
  return order.cents;
});

const generated = orchestration("generated", function* (ctx, n: number) {
  const answer: number = yield ctx.scheduleActivity(ping);
  return answer + n;
});

const noInput = orchestration("no-input", async (ctx) => {
  await ctx.scheduleTimer(1);
  return "done";
});
const optionalInput = orchestration("optional-input", async (_ctx, name?: string) => name);

export async function activities(): Promise<void> {
  same<Awaited<ReturnType<typeof call>>, { receipt: string }>(true);
  async function call() {
    return ctx.scheduleActivity(charge, { id: "1", lines: [], cents: "5" });
  }
  const five = ctx.scheduleActivity(ping);
  same<typeof five, Task<number>>(true);
  five.cancel("changed my mind");
  same<Awaited<typeof five>, number>(true);

  const truth = await ctx.scheduleActivity(plain, 1);
  same<typeof truth, boolean>(true);

  await ctx.scheduleActivity(maybe);
  await ctx.scheduleActivity(maybe, "somebody");
  await ctx.scheduleActivity(ping, undefined, { tag: "gpu" });

  // @ts-expect-error a schema's input, not its output, is what callers pass
  void ctx.scheduleActivity(charge, { id: "1" });
  // @ts-expect-error the input is required
  void ctx.scheduleActivity(ship);
  // @ts-expect-error and of its type
  void ctx.scheduleActivity(ship, { receipt: 5 });
  // @ts-expect-error there is no such option
  void ctx.scheduleActivity(ping, undefined, { retries: 5 });
  // @ts-expect-error an orchestration is no activity
  void ctx.scheduleActivity(checkout, {});

  const loose = await ctx.scheduleActivity("charge", { any: "thing" });
  same<typeof loose, unknown>(true);
  await ctx.scheduleActivity("ping");
}

// What comes back from the store

interface Receipt {
  readonly at: Date;
  readonly total: number;
  readonly note?: string;
  readonly lines: readonly { readonly due: Date | undefined }[];
}
class Parcel {
  readonly id: string = "p";
  weight(): number {
    return 1;
  }
}
interface Tree {
  readonly label: string;
  readonly children: readonly Tree[];
}
interface Plain {
  readonly id: string;
  readonly tags?: readonly string[];
}

same<
  Jsonify<Receipt>,
  {
    readonly at: string;
    readonly total: number;
    readonly note?: string;
    readonly lines: readonly { readonly due: string | undefined }[];
  }
>(true);
same<Jsonify<Parcel>, { readonly id: string }>(true);
same<Jsonify<Tree>["children"][number]["children"][number]["label"], string>(true);
type AnyJson = null | string | number | boolean | AnyJson[] | { [name: string]: AnyJson | undefined };
declare const anyJson: AnyJson;
same<Jsonify<AnyJson>, AnyJson>(true);
same<Jsonify<{ readonly value: AnyJson; readonly at: Date }>["at"], string>(true);
export const saysAnything = orchestration("saysAnything", async () => anyJson);
export const grown = (tree: Jsonify<Tree>): Tree => tree;
same<Jsonify<Plain>, Plain>(true);
same<Jsonify<string | undefined>, string | null>(true);
same<Jsonify<[Date, number?]>, [string, (number | null)?]>(true);
same<Jsonify<void>, void>(true);
same<Jsonify<never>, never>(true);
same<Jsonify<unknown>, unknown>(true);
same<Jsonify<Record<string, Date>>, Record<string, string>>(true);
same<Jsonify<"a" | 5 | true | null>, "a" | 5 | true | null>(true);
same<Jsonify<URL>, string>(true);
same<Jsonify<bigint>, NotStorable<bigint>>(true);
same<Jsonify<Map<string, number>>, NotStorable<Map<string, number>>>(true);

const order = activity("order", async (): Promise<Receipt> => ({ at: new Date(0), total: 1, lines: [] }));
const dated = activity("dated", { result: z.coerce.date() }, async (_ctx, day: string) => new Date(day));
const datedOrder = orchestration("datedOrder", { result: z.coerce.date() }, async () => new Date(0));
const anything = activity("anything", async (_ctx, input: unknown) => input);
const alarm = event<Date>("alarm");
const checkedAlarm = event("checkedAlarm", { schema: z.coerce.date() });

export async function stored(handle: InstanceHandle<string>): Promise<void> {
  const { at, lines } = await ctx.scheduleActivity(order);
  same<typeof at, string>(true);
  same<(typeof lines)[number]["due"], string | undefined>(true);
  same<Awaited<ReturnType<typeof order.handler>>, Receipt>(true);

  const date = await ctx.scheduleActivity(dated, "2026-01-02");
  same<typeof date, Date>(true);
  same<typeof dated extends ActivityDefinition<infer I, infer _O, infer _P, infer _R> ? I : never, string>(
    true,
  );
  const childDate = await ctx.scheduleSubOrchestration(datedOrder);
  same<typeof childDate, Date>(true);
  const end = await (await client.start(datedOrder)).result();
  same<typeof end, Date>(true);

  const any = await ctx.scheduleActivity(anything, { at: "all" });
  same<typeof any, unknown>(true);
  await ctx.scheduleActivity(anything);

  const rings = await ctx.waitForEvent(alarm);
  same<typeof rings, string>(true);
  const ringsChecked = await ctx.waitForEvent(checkedAlarm);
  same<typeof ringsChecked, Date>(true);
  await handle.raise(alarm, new Date(0));

  // @ts-expect-error ping takes no input
  void ctx.scheduleActivity(ping, 5);
  // @ts-expect-error a handler of an activity is no generator
  activity("steps", function* () {
    yield 1;
  });
  // @ts-expect-error nor an async one
  activity("steps", async function* () {
    yield 1;
  });
  // @ts-expect-error a promise that is forgotten in a result
  activity("forgotten", async () => ({ five: Promise.resolve(5) }));
}

export async function combinators(): Promise<void> {
  const [label, answer] = await ctx.all([
    ctx.scheduleActivity(ship, { receipt: "r" }),
    ctx.scheduleActivity(ping),
  ]);
  same<typeof label, string>(true);
  same<typeof answer, number>(true);

  const [branched, told] = await ctx.all([
    (branch) => branch.scheduleActivity(ship, { receipt: "r" }),
    async (branch) => {
      await branch.scheduleTimer(1);
      return 5;
    },
  ]);
  same<typeof branched, string>(true);
  same<typeof told, number>(true);
  const settledBranches = await ctx.allSettled([(branch) => branch.scheduleActivity(ping), 7]);
  same<(typeof settledBranches)[0], PromiseSettledResult<number>>(true);
  const many = await ctx.all([1, 2, 3].map((n) => ctx.scheduleActivity(plain, n)));
  same<typeof many, boolean[]>(true);

  const [outcome] = await ctx.allSettled([ctx.scheduleActivity(ping)]);
  same<typeof outcome, PromiseSettledResult<number>>(true);

  const winner = await ctx.race([
    ctx.scheduleActivity(ping),
    async (branch) => {
      const word = await branch.waitForEvent<string>("word");
      return [word];
    },
    ctx.scheduleTimer({ minutes: 1, seconds: 30 }),
  ]);
  if (winner.index === 0) same<typeof winner.value, number>(true);
  else if (winner.index === 1) same<typeof winner.value, string[]>(true);
  else same<typeof winner.value, void>(true);
  // @ts-expect-error there are three entries only
  if (winner.index === 3) return;

  const anyOf = await ctx.race([1, 2].map((n) => ctx.scheduleActivity(plain, n)));
  same<typeof anyOf.index, number>(true);
  same<typeof anyOf.value, boolean>(true);

  // @ts-expect-error a duration has no such unit
  void ctx.scheduleTimer({ hour: 1 });
  // @ts-expect-error a value is no entry of a race
  void ctx.race([5]);
}

export async function channels(handle: InstanceHandle<string>): Promise<void> {
  const yes = await ctx.waitForEvent(approved);
  same<typeof yes, boolean>(true);
  const cents = await ctx.waitForEvent(amount);
  same<typeof cents, number>(true);
  const something = await ctx.waitForEvent("something");
  same<typeof something, unknown>(true);
  const named = await ctx.dequeue<string>("named");
  same<typeof named, string>(true);

  const percent = ctx.kv.get(progress);
  same<typeof percent, number | undefined>(true);
  const other = await ctx.kv.getFromInstance("other", progress);
  same<typeof other, number | undefined>(true);
  // @ts-expect-error not a number
  ctx.kv.set(progress, "half");
  ctx.kv.set("anything", { at: "all" });

  await handle.raise(approved, true);
  await handle.raise(poke);
  await handle.enqueue(jobs, { n: 1 });
  await handle.enqueue(jobs, { n: 1 }, { messageId: "job-1" });
  await handle.raise(approved, true, { messageId: "approval-1" });
  await handle.raise(poke, undefined, { messageId: "poke-1" });
  await handle.raise("anything", { at: "all" });
  // @ts-expect-error not a boolean
  await handle.raise(approved, "yes");
  // @ts-expect-error data is required
  await handle.raise(approved);
  // @ts-expect-error not a job
  await handle.enqueue(jobs, { m: 1 });
  // @ts-expect-error a queue is no event
  await handle.raise(jobs, { n: 1 });

  const seen = await handle.get(progress);
  same<typeof seen, number | undefined>(true);
  const waited = await handle.waitFor(progress);
  same<typeof waited, number>(true);
  const result = await handle.result({ timeout: { minutes: 5 }, signal });
  same<typeof result, string>(true);
}

export async function children(): Promise<void> {
  const label = await ctx.scheduleSubOrchestration(checkout, { id: "1", lines: [], cents: 1 });
  same<typeof label, string>(true);
  const done = await ctx.scheduleSubOrchestration(noInput);
  same<typeof done, string>(true);
  await ctx.scheduleSubOrchestration(noInput, undefined, { instanceId: "child", version: "1.0.0" });
  const sum = await ctx.scheduleSubOrchestration(generated, 5);
  same<typeof sum, number>(true);
  const unknown = await ctx.scheduleSubOrchestration("elsewhere", 1);
  same<typeof unknown, unknown>(true);
  // @ts-expect-error the input is required
  void ctx.scheduleSubOrchestration(checkout);
  // @ts-expect-error and of its type
  void ctx.scheduleSubOrchestration(eternal, "5");

  ctx.startOrchestration(noInput, { instanceId: "alone" });
  ctx.startOrchestration(eternal, { instanceId: "alone", input: 5 });
  // @ts-expect-error not a number
  ctx.startOrchestration(eternal, { instanceId: "alone", input: "5" });
  // @ts-expect-error the input is required
  ctx.startOrchestration(eternal, { instanceId: "alone" });
  // @ts-expect-error so is the id
  ctx.startOrchestration(noInput, {});

  const never = ctx.continueAsNew(eternal, 1);
  same<typeof never, Promise<never>>(true);
  // @ts-expect-error not a number
  void ctx.continueAsNew(eternal, "1");
  // @ts-expect-error the input is required
  void ctx.continueAsNew(eternal);
}

const keptFlag = event<boolean>("kept", { keep: true });
const keptPoke = event<undefined>("keptPoke", { keep: true });

export async function clients(): Promise<void> {
  const order = await client.start(checkout, {
    instanceId: "order-42",
    input: { id: "1", lines: [], cents: 5 },
  });
  same<typeof order, InstanceHandle<string>>(true);
  const again = client.handle(checkout, "order-42");
  same<typeof again, InstanceHandle<string>>(true);
  const cents = await client.start(validated, { input: { id: "1", lines: [], cents: "5" } });
  same<typeof cents, InstanceHandle<number>>(true);
  same<Awaited<ReturnType<typeof startGenerated>>, InstanceHandle<number>>(true);
  function startGenerated() {
    return client.start(generated, { input: 1 });
  }
  const loose = await client.start("elsewhere", { input: { any: "thing" } });
  same<typeof loose, InstanceHandle<unknown>>(true);

  await client.start(noInput);
  await client.start(noInput, { instanceId: "i" });
  await client.start(optionalInput);
  await client.start(optionalInput, { input: "x" });
  // @ts-expect-error the input is required
  await client.start(checkout);
  // @ts-expect-error also where there are other options
  await client.start(checkout, { instanceId: "order-42" });
  // @ts-expect-error and of its type
  await client.start(eternal, { input: "5" });

  const everything = await client.start(checkout, {
    input: { id: "1", lines: [], cents: 5 },
    raise: [{ event: keptFlag, data: true }, { event: keptPoke }],
    enqueue: [
      { queue: jobs, message: { n: 1 } },
      { queue: "anything", message: 5 },
    ],
    ifExists: "restart",
    timeout: { days: 1 },
    messageId: "start-1",
  });
  same<typeof everything, InstanceHandle<string>>(true);
  await client.start(noInput, { raise: [{ event: keptPoke }] });
  await client.start("elsewhere", { raise: [{ event: keptFlag, data: true }] });
  // @ts-expect-error not a boolean
  await client.start(noInput, { raise: [{ event: keptFlag, data: "yes" }] });
  // @ts-expect-error data is required
  await client.start(noInput, { raise: [{ event: keptFlag }] });
  // @ts-expect-error not a job
  await client.start(noInput, { enqueue: [{ queue: jobs, message: { m: 1 } }] });
  // @ts-expect-error an event that is not kept would be lost
  await client.start(noInput, { raise: [{ event: approved, data: true }] });
  // @ts-expect-error there is no such rule
  await client.start(noInput, { ifExists: "replace" });

  const status = await order.status();
  if (status.status === "Completed") same<typeof status.output, string>(true);
  // @ts-expect-error only a completed instance has an output
  void status.output;
}

export async function runtimes(): Promise<void> {
  await using _runtime = await Runtime.start({
    provider,
    activities: [
      charge,
      ship,
      ping,
      maybe,
      plain,
      order,
      dated,
      anything,
      ship.mock(async (_ctx, r) => r.receipt),
    ],
    orchestrations: [checkout, eternal, validated, generated, noInput, optionalInput, datedOrder],
    orchestrationConcurrency: 2,
    workerTagFilter: { kind: "tags", tags: ["gpu"] },
  });
  // @ts-expect-error an activity is no orchestration
  await Runtime.start({ provider, orchestrations: [charge] });
  // @ts-expect-error a mock returns what the activity returns
  ship.mock(async () => 5);
}

// Custom statuses

interface Progress {
  readonly step: string;
  readonly at?: Date;
}

const reporting = orchestration("reporting", async (ctx: OrchestrationContext<Progress>, n: number) => {
  ctx.setCustomStatus({ step: "begun", at: new Date(0) });
  ctx.setCustomStatus(undefined);
  // @ts-expect-error of its type only
  ctx.setCustomStatus({ stage: "begun" });
  same<ReturnType<typeof ctx.getCustomStatus>, Jsonify<Progress> | undefined>(true);
  // @ts-expect-error in branches too
  await ctx.all([async (branch) => branch.setCustomStatus(1)]);
  return n;
});

const Percent = z.object({ percent: z.coerce.number() });

const checked = orchestration("checked", { customStatus: Percent, input: Order }, async (ctx, order) => {
  same<typeof order, Order>(true);
  ctx.setCustomStatus({ percent: "50" });
  // @ts-expect-error of the schema only
  ctx.setCustomStatus("half");
  same<ReturnType<typeof ctx.getCustomStatus>, { percent: number } | undefined>(true);
});

export async function customStatuses(): Promise<void> {
  const handle = await client.start(reporting, { input: 1 });
  same<typeof handle, InstanceHandle<number, Jsonify<Progress>>>(true);
  const status = await handle.status();
  if (status.status === "Running") same<typeof status.customStatus, Jsonify<Progress> | undefined>(true);
  for await (const each of client.handle(checked, "i").customStatus())
    same<typeof each, { percent: number } | undefined>(true);
  const untyped = await client.handle(checkout, "i").status();
  if (untyped.status === "Running") same<typeof untyped.customStatus, unknown>(true);
  await Runtime.start({ provider, orchestrations: [reporting, checked] });
  const helper = (_ctx: OrchestrationContext): void => {};
  orchestration("helped", async (ctx: OrchestrationContext<Progress>) => helper(ctx));
}
