/** Providers that are members: what the option does, from the first fetch to the last close. */
import { activity, orchestration } from "@duroxide-ts/core";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { expect, it } from "vitest";
import { startEnvironment } from "../../../../test/support/environment.ts";
import { cosmosOn } from "../../../../test/support/stores/cosmos.ts";
import { allDocuments, rawContainer } from "../invariants/documents.ts";
import { violationsIn } from "../invariants/histories.ts";
import { leftoversIn } from "../invariants/leftovers.ts";

const double = activity("double", async (_ctx, n: number) => 2 * n);
const program = orchestration("program", async (ctx, n: number) => {
  await ctx.scheduleTimer(20_000);
  return ctx.scheduleActivity(double, n);
});
const handlers = { orchestrations: [program], activities: [double] };

const INSTANCES = 40;

it("three providers finish every orchestration, and leave no member behind", async () => {
  await using emulator = await CosmosEmulator.start({ port: 0, physicalPartitions: 2 });
  using raw = rawContainer(emulator.connectionString, "duroxide", "duroxide");
  const store = cosmosOn(emulator, { membership: {} });
  const membersIn = async (): Promise<number> =>
    (await allDocuments(raw.container)).filter(({ type }) => type === "member").length;
  {
    await using env = await startEnvironment({ store, ...handlers });
    await env.startElsewhere(handlers);
    await env.startElsewhere(handlers);
    await env.advance(15_000);
    const handles = [];
    for (let n = 0; n < INSTANCES; n++) {
      handles.push(await env.client.start(program, { instanceId: `i${n}`, input: n }));
    }
    const outputs = [];
    for (const handle of handles) outputs.push(await env.finish(handle));
    expect(outputs).toEqual(Array.from({ length: INSTANCES }, (_, n) => 2 * n));
    expect(await membersIn()).toBe(3);
  }
  expect(await membersIn()).toBe(0);
  const documents = await allDocuments(raw.container);
  expect([...violationsIn(documents), ...leftoversIn(documents)]).toEqual([]);
});
