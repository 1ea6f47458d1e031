/** Probe 17: many writers of one document, and more than the throughput carries. */
import {
  ATOMIC_BATCH,
  expect,
  expectEqual,
  expectStatus,
  keyHeader,
  type Reply,
} from "@duroxide-ts/cosmos-emulator/conformance";
import type { Stage } from "../stage.ts";
import { step } from "../step.ts";
import { placeOf } from "./refused-operations.ts";

const IN_A_BATCH = 100;

export const THROTTLING = step({
  id: "2.17",
  phase: 2,
  title: "Hot documents and throttling",
  gates: {},
  estimateRu: ({ writers, burst }) => writers * 12 + burst * 700,
  async run(stage, notes) {
    const { items, pk } = await stage.partitionWith("hot", { id: "a", n: 0 });
    const patches = await Promise.all(
      Array.from({ length: stage.scale.writers }, () =>
        stage.raw.send({
          method: "PATCH",
          link: `${items.link}/docs/a`,
          headers: { "x-ms-documentdb-partitionkey": keyHeader([pk]) },
          body: [{ op: "incr", path: "/n", value: 1 }],
          showThrottling: true,
        }),
      ),
    );
    notes.record(`answers to ${stage.scale.writers} patches of one document`, counted(patches));
    await notes.expect("each patch is done, or refused with 412, 429 or 449", () => {
      const other = patches.find(({ status }) => ![200, 412, 429, 449].includes(status));
      expect(other === undefined, `one is ${other?.status}/${other?.substatus}`);
    });
    const batches = await burst(stage, pk);
    notes.record("answers to a burst of batches of 100 creates", counted(batches));
    const refused = batches.filter((reply) => placeOf(reply).includes("429"));
    notes.record("where 429 stands", refused.map(placeOf)[0]);
    notes.record("retry-after ms", refused.map(retryAfter));
    await notes.expect("a throttled batch says when to retry", () => {
      const silent = refused.filter((reply) => reply.status === 429 && retryAfter(reply) === undefined);
      expect(silent.length === 0, `${silent.length} do not say when`);
    });
    await notes.expect("a throttled batch stores nothing", async () => {
      const stored = batches.filter(({ status }) => status === 200).length * IN_A_BATCH;
      const query = "SELECT VALUE COUNT(1) FROM c WHERE STARTSWITH(c.id, 'b')";
      expectEqual(expectStatus(await items.query(query, { key: [pk] }), 200).list, [stored], "documents");
    });
  },
});

async function burst(stage: Stage, pk: string): Promise<readonly Reply[]> {
  return Promise.all(
    Array.from({ length: stage.scale.burst }, (_, n) =>
      stage.raw.send({
        method: "POST",
        link: `${stage.containerLink}/docs`,
        headers: { ...ATOMIC_BATCH, "x-ms-documentdb-partitionkey": keyHeader([pk]) },
        body: Array.from({ length: IN_A_BATCH }, (_, m) => ({
          operationType: "Create",
          resourceBody: { id: `b${n}-${m}`, instanceId: pk },
        })),
        showThrottling: true,
      }),
    ),
  );
}

function retryAfter(reply: Reply): string | undefined {
  return reply.header("x-ms-retry-after-ms");
}

function counted(replies: readonly Reply[]): Readonly<Record<string, number>> {
  const places = Map.groupBy(replies, placeOf);
  return Object.fromEntries([...places].map(([place, { length }]) => [place, length]));
}
