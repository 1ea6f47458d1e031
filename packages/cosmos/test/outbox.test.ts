/** Messages to other instances arrive, and once, whatever becomes of the requests that deliver them. */
import { type InstanceHandle, orchestration } from "@duroxide-ts/core";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { describe, expect, it } from "vitest";
import { type Environment, startEnvironment } from "../../../test/support/environment.ts";
import { cosmosOn } from "../../../test/support/stores/cosmos.ts";
import { allDocuments, type Document, rawContainer } from "./invariants/documents.ts";
import { violationsIn } from "./invariants/histories.ts";
import { leftoversIn } from "./invariants/leftovers.ts";
import { type DeliveryFault, DeliveryFaults } from "./support/delivery-faults.ts";

const child = orchestration("child", async (_ctx, n: number) => n);

const parent = orchestration("parent", async (ctx, children: number) => {
  const tasks = Array.from({ length: children }, (_, n) => ctx.scheduleSubOrchestration(child, n + 1));
  const values = await ctx.all(tasks);
  return values.reduce((sum, value) => sum + value, 0);
});

/** Interval and age as in the suite of Rust (docs/reference/upstream/validation-catalogue.md). */
const RECONCILER = { reconcilerIntervalMs: 500, reconcilerAgeMs: 200 };

interface Outcome {
  /** Status after 15 seconds. */
  readonly status: object;
  readonly documents: readonly Document[];
}

/** A parent with so many children, on a network with these faults. */
async function run(children: number, faults: DeliveryFaults): Promise<Outcome> {
  await using emulator = await CosmosEmulator.start({ port: 0 });
  const store = cosmosOn(emulator, RECONCILER, faults.pass);
  await using env = await startEnvironment({ store, orchestrations: [parent, child] });
  const handle = await env.client.start(parent, { instanceId: "p", input: children });
  await env.advance(15_000);
  const status = await handle.status();
  // Where a process could not remove an intent, the reconciler removes it once it is old enough.
  await env.advance(60_000);
  using raw = rawContainer(emulator.connectionString, "duroxide", "duroxide");
  return { status, documents: await allDocuments(raw.container) };
}

/** Each message was created once, and processed once; nothing of the work is left. */
function expectDeliveredOnce(documents: readonly Document[], messages: number): void {
  expect([...violationsIn(documents), ...leftoversIn(documents)]).toEqual([]);
  expect(documents.filter(({ type }) => type === "receipt")).toHaveLength(messages);
}

const FAULTS: readonly DeliveryFault[] = ["before the create", "answer lost", "before the removal"];

describe.each(FAULTS)("a delivery that fails (%s)", (fault) => {
  it("once is repeated at once", async () => {
    const faults = new DeliveryFaults(fault, () => 1);

    const { status, documents } = await run(1, faults);

    expect(status).toMatchObject({ status: "Completed", output: 1 });
    expect(faults.attempts).toEqual([2, 2]);
    expectDeliveredOnce(documents, 2);
  });

  it("again and again is left to the reconciler", async () => {
    const faults = new DeliveryFaults(fault, () => 10);

    const { status, documents } = await run(1, faults);

    expect(status).toMatchObject({ status: "Completed", output: 1 });
    expectDeliveredOnce(documents, 2);
  });

  it("a different number of times for each of three children keeps none from its parent", async () => {
    const faults = new DeliveryFaults(fault, (message) => [1, 9, 4, 0, 10, 2][message] ?? 0);

    const { status, documents } = await run(3, faults);

    expect(status).toMatchObject({ status: "Completed", output: 6 });
    expectDeliveredOnce(documents, 6);
  });
});

/** A parent whose child's start never arrives, after half an hour. `repair` lets everything arrive. */
async function useStuckParent(
  fault: DeliveryFault,
  check: (parent: {
    readonly env: Environment;
    readonly handle: InstanceHandle<number>;
    readonly abandoned: () => readonly string[];
    readonly repair: () => void;
  }) => Promise<void>,
): Promise<void> {
  await using emulator = await CosmosEmulator.start({ port: 0 });
  const warnings: string[] = [];
  let left = Number.POSITIVE_INFINITY;
  const faults = new DeliveryFaults(fault, () => left);
  const onWarning = (message: string) => warnings.push(message);
  const store = cosmosOn(emulator, { ...RECONCILER, onWarning }, faults.pass);
  await using env = await startEnvironment({ store, orchestrations: [parent, child] });
  const handle = await env.client.start(parent, { instanceId: "p", input: 1 });
  await env.advance(30 * 60_000);
  const abandoned = () => warnings.filter((text) => text.includes("was abandoned after 10 attempts"));
  const repair = (): void => {
    left = 0;
  };
  await check({ env, handle, abandoned, repair });
}

it("a delivery that is refused ten times is abandoned with a warning, and a dead letter that can be put back", () =>
  useStuckParent("refused", async ({ env, handle, abandoned, repair }) => {
    expect(abandoned()).toHaveLength(1);
    const { deadLetters } = await env.client.admin.deadLetters();
    expect(deadLetters).toMatchObject([
      { kind: "orchestrator", instanceId: "p::sub::2", text: expect.stringContaining("StartOrchestration") },
    ]);

    repair();
    expect(await env.client.admin.requeueDeadLetter(deadLetters[0]?.id ?? "")).toBe(true);
    await env.advance(60_000);
    expect(await handle.status()).toMatchObject({ status: "Completed", output: 1 });
    expect((await env.client.admin.deadLetters()).deadLetters).toEqual([]);
  }));

it("a delivery that fails for half an hour by an outage arrives within a minute of its end", () =>
  useStuckParent("before the create", async ({ env, handle, abandoned, repair }) => {
    expect(abandoned()).toEqual([]);
    expect((await env.client.admin.deadLetters()).deadLetters).toEqual([]);

    repair();
    await env.advance(60_000);
    expect(await handle.status()).toMatchObject({ status: "Completed", output: 1 });
  }));

describe("a delivery without faults", () => {
  it("is one request that creates and one that removes, for each message", async () => {
    for (const fault of ["before the create", "before the removal"] as const) {
      const faults = new DeliveryFaults(fault, () => 0);

      const { status, documents } = await run(3, faults);

      expect(status).toMatchObject({ status: "Completed", output: 6 });
      expect(faults.attempts).toEqual([1, 1, 1, 1, 1, 1]);
      expectDeliveredOnce(documents, 6);
    }
  });

  it("of one turn is removed a hundred intents at a time", async () => {
    const wide = orchestration("wide", async (ctx) => {
      for (let n = 0; n < 150; n++) ctx.startOrchestration(child, { instanceId: `c${n}`, input: n });
    });
    const faults = new DeliveryFaults("before the removal", () => 0);
    await using emulator = await CosmosEmulator.start({ port: 0 });
    const store = cosmosOn(emulator, RECONCILER, faults.pass);
    await using env = await startEnvironment({ store, orchestrations: [wide, child] });

    await env.run(wide, { instanceId: "w" });
    await env.settle();

    expect(faults.attempts).toHaveLength(150);
    expect(faults.requests).toBe(2);
  });
});
