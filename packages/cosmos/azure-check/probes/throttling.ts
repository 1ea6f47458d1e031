/** Probe 17: many writers of one document, and more than the throughput carries. */
import { ATOMIC_BATCH, keyHeader } from "../../../cosmos-emulator/conformance/client/items.ts";
import type { Reply } from "../../../cosmos-emulator/conformance/client/reply.ts";
import { expect } from "../../../cosmos-emulator/conformance/expect.ts";
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
    notes.record(
      "retry-after ms",
      refused.map((reply) => reply.header("x-ms-retry-after-ms")),
    );
    await notes.expect("a batch that is throttled stores nothing and says when to retry", () => {
      const silent = refused.find(({ status, header }) => status === 429 && !header);
      expect(silent === undefined, "one does not say when");
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

function counted(replies: readonly Reply[]): Readonly<Record<string, number>> {
  const places = Map.groupBy(replies, placeOf);
  return Object.fromEntries([...places].map(([place, { length }]) => [place, length]));
}
