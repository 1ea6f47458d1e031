/** At which batch of which process a death comes. */
import type { InProcessRequest } from "@duroxide-ts/cosmos-emulator";
import { expect, it } from "vitest";
import { RequestDeaths } from "../cosmos/request-deaths.ts";
import { Chance } from "../world/chance.ts";
import { newWorld } from "./new-world.ts";

const BATCH: InProcessRequest = {
  method: "POST",
  path: "/dbs/d/colls/c/docs",
  headers: { "x-ms-cosmos-is-batch-request": "True" },
  body: "[]",
};
const LARGE: InProcessRequest = { ...BATCH, body: "x".repeat(50_000) };
const READ: InProcessRequest = { ...BATCH, method: "GET" };

/** Seeds, enough for each count of batches to be drawn. */
const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);

it("lets every process live that is not to die, and at every request that is no batch", () => {
  const machine = newWorld().machine("m");
  const deaths = new RequestDeaths(new Chance(1));
  expect(deaths.fateOf(machine, LARGE)).toBe("lives");
  deaths.prepare();
  deaths.begin();
  for (let at = 0; at < 50; at++) expect(deaths.fateOf(machine, READ)).toBe("lives");
});

it.each(SEEDS)("comes at one of the next batches of a process, once (seed %i)", (seed) => {
  const machine = newWorld().machine("m");
  const deaths = new RequestDeaths(new Chance(seed));
  deaths.prepare();
  const fates = Array.from({ length: 30 }, () => deaths.fateOf(machine, BATCH));
  expect(fates.filter((fate) => fate !== "lives")).toHaveLength(1);
});

it.each(SEEDS)(
  "comes at the beginning of a deletion or soon after it, to the process that sent it (seed %i)",
  (seed) => {
    const world = newWorld();
    const [deleting, other] = [world.machine("deleting"), world.machine("other")];
    const deaths = new RequestDeaths(new Chance(seed));
    deaths.begin();
    const begin: InProcessRequest = { ...BATCH, body: '[{"type":"delete_intent","targets":[]}]' };
    const fates = [begin, BATCH, BATCH, BATCH].map((each) => deaths.fateOf(deleting, each));
    expect(fates.some((fate) => fate !== "lives")).toBe(true);
    for (let at = 0; at < 30; at++) expect(deaths.fateOf(other, BATCH)).toBe("lives");
  },
);

it.each(SEEDS)(
  "comes at a turn that starts several detached instances, or at the batch after it (seed %i)",
  (seed) => {
    const world = newWorld();
    const [starting, other] = [world.machine("starting"), world.machine("other")];
    const deaths = new RequestDeaths(new Chance(seed));
    deaths.begin();
    const intent = String.raw`{"type":"outbox_intent","payload":"{\\"parent_instance\\":null}"}`;
    const one: InProcessRequest = { ...BATCH, body: `[${intent}]` };
    const several: InProcessRequest = { ...BATCH, body: `[${intent},${intent}]` };
    for (let at = 0; at < 30; at++) expect(deaths.fateOf(other, one)).toBe("lives");
    const fates = [several, BATCH].map((each) => deaths.fateOf(starting, each));
    expect(fates.some((fate) => fate !== "lives")).toBe(true);
    for (let at = 0; at < 30; at++) expect(deaths.fateOf(other, BATCH)).toBe("lives");
  },
);

it.each(SEEDS)("comes at a large batch or soon after it, to the process that sent it (seed %i)", (seed) => {
  const world = newWorld();
  const [writer, other] = [world.machine("writer"), world.machine("other")];
  const deaths = new RequestDeaths(new Chance(seed));
  deaths.begin();
  for (let at = 0; at < 30; at++) expect(deaths.fateOf(other, BATCH)).toBe("lives");
  const fates = [LARGE, BATCH, BATCH, BATCH].map((each) => deaths.fateOf(writer, each));
  expect(fates.some((fate) => fate !== "lives")).toBe(true);
  for (let at = 0; at < 30; at++) expect(deaths.fateOf(other, BATCH)).toBe("lives");
});
