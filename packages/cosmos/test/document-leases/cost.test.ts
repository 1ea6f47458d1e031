/**
 * Measures what leases cost, by the local endpoint's estimate: the table of benchmarks/document-leases.md, line by
 * line.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Container } from "@azure/cosmos";
import { DocumentLeases } from "@duroxide-ts/cosmos/document-leases";
import { expect, it } from "vitest";
import { type Fixture, fixture, WAYS } from "./fixture.ts";

const PAGE = path.resolve(import.meta.dirname, "../../../../benchmarks/document-leases.md");

/** Documents of four properties in the state "requested", in one partition, or each in one of its own. */
async function containerOf(given: Fixture, partitions: "one" | "many"): Promise<Container> {
  const container = await given.newContainer(["/tenant"]);
  for (let n = 0; n < 20; n++) {
    const tenant = partitions === "one" ? "t" : `t${n}`;
    await container.items.create({ id: `n${n}`, tenant, state: "requested", price: n });
  }
  return container;
}

const given = fixture({ physicalPartitions: 1 });

it("is what the documentation says", async () => {
  const columns = [];
  for (const [, way] of WAYS)
    columns.push(await costsOf(given(), (container) => DocumentLeases.on(container, way)));
  const [procedures = [], batches = []] = columns;

  const lines = procedures.map(([name, cost], index) => `| ${name} | ${cost} | ${batches[index]?.[1]} |`);

  const documented = readFileSync(PAGE, "utf8").split("\n");
  expect(lines.filter((line) => !documented.includes(line))).toEqual([]);
});

type Costs = readonly (readonly [string, string])[];

async function costsOf(it: Fixture, on: (container: Container) => DocumentLeases): Promise<Costs> {
  const leases = on(await containerOf(it, "one"));
  const first = { id: "n0", partitionKey: "t" };
  const lost = await leases.acquire(first, "anna");
  await leases.break(first, "anna");
  const costs: [string, string][] = [];
  const measure = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    costs.push([name, await costOf(it, work)]);
  };
  const next = (limit: number) =>
    leases.nextForState("requested", { limit, holder: "anna", partitionKey: "t" });

  await measure("`acquire`, also to renew", () => leases.acquire(first, "anna"));
  await measure("`acquire` of what another process holds", () =>
    leases.acquire(first, "ben").catch(() => {}),
  );
  const held = await leases.acquire(first, "anna");
  await measure("`update` of one property", () => leases.update(held, { price: 1 }));
  await measure("`update` with `giveBack`", () => leases.update(held, { price: 2 }, { giveBack: true }));
  await measure("`update` through a lost lease", () => leases.update(lost, { price: 3 }).catch(() => {}));
  await leases.acquire(first, "anna");
  await measure("`break`", () => leases.break(first, "anna"));
  await measure("`nextForState` of one, in a given partition", () => next(1));
  await measure("`nextForState` of ten, in a given partition", () => next(10));
  await next(20);
  await measure("`nextForState` that finds nothing, in a given partition", () => next(10));
  const ofOne = await costAcross(it, on(await containerOf(it, "one")));
  const ofMany = await costAcross(it, on(await containerOf(it, "many")));
  return [
    ...costs,
    ["`nextForState` of ten anywhere, all in one partition", ofOne],
    ["`nextForState` of ten anywhere, each in its own partition", ofMany],
  ];
}

async function costAcross(it: Fixture, leases: DocumentLeases): Promise<string> {
  await leases.prepare();
  // The partitions are asked for once.
  await leases.nextForState("none", { limit: 1, holder: "anna" });
  return costOf(it, () => leases.nextForState("requested", { limit: 10, holder: "anna" }));
}

/** The plan that the client library asks for with every query is not counted: it is its own affair. */
async function costOf({ emulator }: Fixture, work: () => Promise<unknown>): Promise<string> {
  const mark = emulator.requestLog.mark();
  await work();
  const { byOperation } = emulator.requestLog.since(mark);
  const counted = [...byOperation].filter(([kind]) => kind !== "item.queryPlan").map(([, counts]) => counts);
  const requests = counted.reduce((sum, counts) => sum + counts.requests, 0);
  const charge = counted.reduce((sum, counts) => sum + counts.charge, 0);
  return `${requests}, ${charge.toFixed(1)} RU`;
}
