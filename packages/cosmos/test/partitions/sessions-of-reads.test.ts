/** Reads after a failover, on a container that was created anew, and from replicas that lag behind. */
import { createInstance, fetchOrchestration, startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import type { Stage } from "../support/stage.ts";
import { idsIn, partitionedStages, timed } from "./stage.ts";

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

// unbegun-child.U2
it("the cancellation of a child in another partition is deleted with it, although replicas do not show it", async () => {
  const { emulator, stage, names } = given();
  const [[parent = ""], [child = ""]] = await Promise.all([idsIn(stage, "0", 1), idsIn(stage, "1", 1)]);
  await timed(stage, createInstance(stage, parent));
  const start = startItem(child, { parent_instance: parent, parent_id: 2 });
  await timed(stage, stage.provider.enqueueForOrchestrator(start));
  const deleting = await stage.openAnother();
  const cancellation = { kind: "CancelInstance", instance: child, reason: "dropped" } as const;
  await timed(stage, stage.provider.enqueueForOrchestrator(cancellation));
  const match = { operation: "read", container: names.container, range: "1" } as const;
  emulator.faults.add({ match, effect: { kind: "staleRead", writesBehind: 1 } });
  const deletion = deleting.provider.admin.deleteInstance(parent, { force: true });
  expect((await timed(stage, deletion)).result).toMatchObject({ queueMessagesDeleted: 2 });
});
