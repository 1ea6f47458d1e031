/** Reads after a failover, on a container that was created anew, and from replicas that lag behind. */
import { CosmosProvider } from "@duroxide-ts/cosmos";
import {
  createInstance,
  fetchOrchestration,
  raised,
  scheduled,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { LOCK_MS, type Stage } from "../support/stage.ts";
import { partitionedStages, timed } from "./stage.ts";

const given = partitionedStages(2);

/** Does what a program does: reads, starts, and fetches what it has started. Resolves to the time that it took, ms. */
async function works(stage: Stage, id: string): Promise<number> {
  const { provider } = stage;
  const read = await timed(stage, provider.getInstanceStatus("i1"));
  const enqueued = await timed(stage, provider.enqueueForOrchestrator(startItem(id)));
  const fetched = await timed(stage, fetchOrchestration(stage, { pollTimeoutMs: 30_000 }));
  expect(fetched.result?.item.instanceId).toBe(id);
  return read.ms + enqueued.ms + fetched.ms;
}

it("a process goes on within two seconds after a failover", async () => {
  const { emulator, stage, names } = given();
  for (const id of ["i1", "i2", "i3"]) await timed(stage, createInstance(stage, id));
  emulator.partitions.failover(names);
  expect(await works(stage, "after")).toBeLessThanOrEqual(2_000);
});

it("a process goes on within two seconds on a container that was created anew", async () => {
  const { stage } = given();
  for (const id of ["i1", "i2", "i3"]) await timed(stage, createInstance(stage, id));
  const { resource } = await stage.raw.read();
  await stage.raw.delete();
  const { id, partitionKey, indexingPolicy, defaultTtl } = resource ?? {};
  await stage.raw.database.containers.create({
    ...(id !== undefined && { id }),
    ...(partitionKey !== undefined && { partitionKey }),
    ...(indexingPolicy !== undefined && { indexingPolicy }),
    ...(defaultTtl !== undefined && { defaultTtl }),
  });
  expect(await works(stage, "after")).toBeLessThanOrEqual(2_000);
});

it("a history that is shorter than the instance says is read again", async () => {
  const { emulator, stage, names } = given();
  await timed(stage, createInstance(stage, "i1", { historyDelta: [scheduled("i1", 2), scheduled("i1", 3)] }));
  await stage.provider.enqueueForOrchestrator(raised("i1", "event"));
  let shortened = 0;
  await using provider = await CosmosProvider.connectThrough(
    { connectionString: emulator.connectionString, ...names, membership: false },
    async (request, next) => {
      const answer = await (emulator.send ?? next)(request);
      if (!String(request.body).includes("'history'") || shortened === 3) return answer;
      shortened++;
      const body = JSON.parse(answer.bodyAsText ?? "{}") as { Documents: { eventId?: number }[] };
      body.Documents = body.Documents.filter(({ eventId = 0 }) => eventId < 3);
      return { ...answer, bodyAsText: JSON.stringify(body) };
    },
  );
  const fetched = await fetchOrchestration({ provider, lockMs: LOCK_MS });
  expect(fetched?.item.history.map(({ event_id }) => event_id)).toEqual([1, 2, 3]);
  expect(shortened).toBe(3);
});
