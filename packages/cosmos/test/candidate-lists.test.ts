/** The work that queries found, which the fetches of a process share; candidates.CA2, candidates.CA4 and candidates.CA5. */
import { SeededRandom, VirtualClock } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";
import { Candidates } from "../src/fetching/candidates.ts";
import { alone } from "../src/fetching/membership/members.ts";
import type { Parts, Work } from "../src/memory/parts.ts";
import type { Page } from "../src/service/pages.ts";
import { START_MS } from "./support/stage.ts";

interface Row {
  readonly id: string;
  readonly visibleAtMs?: number;
}

type Scan = (range: string, continuation: string | undefined) => Promise<Page<Row>>;

const INTERVAL_MS = { min: 20, max: 1_000 };

/** A list over these physical partitions, each of which answers with `scan`. */
function listOver(ranges: readonly string[], scan: Scan, seed = "list") {
  const clock = new VirtualClock(START_MS);
  const ofService = (range: string, _spec: unknown, _limit: number, continuation?: string) =>
    scan(range, continuation);
  const service = { random: new SeededRandom(seed) };
  let late = 0;
  const candidates = new Candidates<Row, Row>({
    parts: { clock, service } as unknown as Parts,
    limits: INTERVAL_MS,
    members: alone,
    group: { queue: "orch_queue", asks: "all" },
    stop: new AbortController().signal,
    spec: () => ({ query: "" }),
    rowOf: ({ id, visibleAtMs = START_MS }) => ({ instanceId: id, visibleAtMs }),
    isNews: () => true,
    toCandidates: async (found) => found,
    sort: (rows) => rows,
    onLate: () => {
      late++;
    },
  });
  const known = Promise.resolve(ranges);
  const shared = { scan: ofService };
  const work = {
    clock,
    service,
    ranges: { known },
    untilMs: START_MS,
    within: () => shared,
  } as unknown as Work;
  return { clock, candidates, ask: () => candidates.ask(work), late: () => late };
}

it("a query begins at the front after a candidate was locked, and behind the last page otherwise (candidates.CA2)", async () => {
  const begun: (string | undefined)[] = [];
  const { candidates, ask } = listOver(["0"], async (_, continuation) => {
    begun.push(continuation);
    return { results: [{ id: `row-${begun.length}` }], continuation: `behind page ${begun.length}` };
  });
  await ask();
  await ask();
  candidates.drop(({ id }) => id === "row-2");
  await ask();
  expect(begun).toEqual([undefined, "behind page 1", undefined]);
});

it("unknown work in an answer that comes after its query was over wakes the fetches (candidates.CA4)", async () => {
  const slow = Promise.withResolvers<Page<Row>>();
  const { clock, candidates, ask, late } = listOver(["quick", "slow"], (range) =>
    range === "slow" ? slow.promise : Promise.resolve({ results: [], continuation: undefined }),
  );
  const asked = ask();
  await clock.advance(1_000);
  await asked;
  expect(late()).toBe(0);

  slow.resolve({ results: [{ id: "row" }], continuation: undefined });
  await clock.settle();
  expect(late()).toBe(1);
  expect(candidates.first()).toEqual({ id: "row" });
  expect(candidates.nextMs).toBeLessThan(clock.now() + INTERVAL_MS.max);
});

/** The ids in the order in which they are tried, after this process lost a row to another one. */
async function triedAfterALoss(rows: readonly Row[], seed: string): Promise<readonly string[]> {
  const { candidates, ask } = listOver(["0"], async () => ({ results: rows, continuation: undefined }), seed);
  candidates.lose(() => false);
  await ask();
  return rows.map(() => candidates.take()?.id ?? "");
}

it("processes that contend try young rows in orders of their own, behind old ones by age (candidates.CA5)", async () => {
  const old = ["old 1", "old 2"].map((id) => ({ id, visibleAtMs: START_MS - INTERVAL_MS.max }));
  const young = Array.from({ length: 8 }, (_, n) => ({ id: `young ${n}`, visibleAtMs: START_MS }));
  const orders = [];
  for (const seed of ["one", "other"]) orders.push(await triedAfterALoss([...old, ...young], seed));
  const [one = [], other = []] = orders;
  expect(one.slice(0, 2)).toEqual(["old 1", "old 2"]);
  expect(other.slice(0, 2)).toEqual(["old 1", "old 2"]);
  expect(one).not.toEqual(other);
  expect(one.toSorted()).toEqual(other.toSorted());
});
