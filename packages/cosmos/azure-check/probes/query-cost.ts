/** Probe 12: what every query of the provider costs among many documents, and which indexes it uses. */
import { expect, type Fields, type Items } from "@duroxide-ts/cosmos-emulator/conformance";
import { ask } from "../queries/ask.ts";
import { mostRu, readsOf } from "../queries/bounds.ts";
import type { AskedQuery } from "../queries/capture.ts";
import { collectQueries } from "../queries/collect.ts";
import { seed } from "../queries/seed.ts";
import type { Stage } from "../stage.ts";
import { step } from "../step.ts";

const INDEX_METRICS = { "x-ms-cosmos-populateindexmetrics-V2": "True" };
const PARTITIONS = 20;

const DUE =
  "SELECT c.id, c.instanceId, c.visibleAt FROM c WHERE c.type = 'orch_queue' AND c.visibleAt <= @now";

const dueBy = (order: string): AskedQuery => ({
  text: `${DUE} ORDER BY ${order}`,
  parameters: [{ name: "@now", value: 0 }],
  partitionKey: undefined,
});

const EMPTY: AskedQuery = {
  text: "SELECT VALUE c.id FROM c WHERE c.type = 'nothing has this type'",
  parameters: [],
  partitionKey: undefined,
};

export const QUERY_COST = step({
  id: "2.12",
  phase: 2,
  title: "The cost of every query among many documents",
  gates: {},
  estimateRu: ({ queueRows, instances }) => (queueRows + instances) * 7.5 + 3_000,
  async run(stage, notes) {
    const items = await stage.items;
    await fill(stage, items);
    const { queries } = await stage.once("queries", collectQueries);
    const costs: Record<string, Cost> = {};
    const { scale, place } = stage;
    for (const query of queries) {
      const cost = await costOf(items, inFilledPartition(query));
      costs[named(query)] = cost;
      await notes.expect(`within its bound: ${named(query)}`, () => {
        const reads = readsOf(query);
        expect(reads !== undefined, "it has no bound in queries/bounds.ts");
        const isEmulator = place.emulator !== undefined;
        const most = reads && mostRu(reads, scale, { partitions: PARTITIONS, isEmulator });
        expect(most !== undefined && cost.ru <= most, `${cost.ru} RU; ${most} RU where it reads "${reads}"`);
      });
    }
    costs["with the filtered property first"] = await costOf(
      items,
      dueBy("c.type, c.visibleAt, c.enqueuedAt"),
    );
    costs["without it, as on containers that lack the index"] = await costOf(items, dueBy("c.visibleAt"));
    costs["of an empty query"] = await costOf(items, EMPTY);
    notes.record("first pages, RU and indexes", costs);
  },
});

/** Sends what is asked of one partition to one with many documents. */
function inFilledPartition(query: AskedQuery): AskedQuery {
  return query.partitionKey === undefined ? query : { ...query, partitionKey: partition(0) };
}

function partition(n: number): string {
  return `cost-${n % PARTITIONS}`;
}

interface Cost {
  readonly ru: number;
  readonly rows: number;
  readonly indexes: unknown;
}

/** Measures the first page, of 10 rows at most, as a fetch asks for it, in the most expensive physical partition. */
async function costOf(items: Items, query: AskedQuery): Promise<Cost> {
  const headers = { ...INDEX_METRICS, "x-ms-max-item-count": "10" };
  const { replies } = await ask(items, query, { headers, pages: "first" });
  const [dearest] = replies.toSorted((a, b) => b.charge - a.charge);
  const utilization = dearest?.header("x-ms-cosmos-index-utilization");
  return {
    ru: dearest?.charge ?? 0,
    rows: dearest?.status === 200 ? dearest.list.length : 0,
    indexes: utilization === undefined ? undefined : decodeURIComponent(utilization),
  };
}

/** Messages that become visible in a year, and instances that run. */
async function fill({ scale }: Stage, items: Items): Promise<void> {
  const laterMs = Date.now() + 365 * 86_400_000;
  const rows = (count: number, make: (n: number) => Fields): readonly Fields[] =>
    Array.from({ length: count }, (_, n) => ({ ...make(n), instanceId: partition(n) }));
  await seed(
    items,
    rows(scale.queueRows, (n) => ({
      id: `row-${n}`,
      type: "orch_queue",
      dispatchSlot: n % 64,
      workItem: "{}",
      visibleAt: laterMs + n,
      enqueuedAt: laterMs,
      lockToken: null,
      lockedUntil: null,
      attemptCount: 0,
    })),
  );
  await seed(
    items,
    rows(scale.instances, (n) => ({
      id: `instance-${n}`,
      type: "instance",
      orchestrationName: "probe",
      orchestrationVersion: "1.0.0",
      status: "Running",
      createdAt: n + 1,
      updatedAt: n + 1,
      parentInstanceId: null,
      lockToken: null,
      lockedUntil: null,
    })),
  );
}

function named({ text }: AskedQuery): string {
  return text.replaceAll(/\s+/g, " ");
}
