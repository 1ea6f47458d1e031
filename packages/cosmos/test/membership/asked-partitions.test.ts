/** Tests which partitions a busy process queries, and which rows it leaves; asked-partitions.AP1 to asked-partitions.AP4. */
import { expect, it } from "vitest";
import { AskedPartitions } from "../../src/fetching/membership/asked-partitions.ts";
import { alone } from "../../src/fetching/membership/members.ts";
import type { PeerGroup } from "../../src/fetching/membership/peer-group.ts";
import { HEAD_START_MS } from "../../src/memory/waits.ts";
import { namesOf, teamsOf } from "./support/teams.ts";

const INTERVAL_MS = 1_000;
const RANGES = ["0", "1", "2", "3"];
const START_MS = 5_000 * INTERVAL_MS;

/** A process of each peer group. */
function fleet(teams: readonly PeerGroup[], asksAll = false): readonly AskedPartitions[] {
  return teams.map((peerGroup) => {
    const members = { ...alone, peerGroup: () => peerGroup };
    return new AskedPartitions({ members, intervalMs: INTERVAL_MS, asksAll: () => asksAll });
  });
}

const asks = (process: AskedPartitions, range: string, nowMs: number): boolean =>
  process.isAsked(range, RANGES.length, nowMs);
const leaves = (process: AskedPartitions, range: string, visibleAtMs: number, nowMs: number): boolean =>
  process.leftUntilMs(range, RANGES.length, visibleAtMs, nowMs) !== undefined;

it("each partition has one process that queries it again and tries its rows at once (asked-partitions.AP1)", () => {
  const processes = fleet(teamsOf(namesOf(4)));
  for (const range of RANGES) {
    for (const process of processes) expect(asks(process, range, START_MS)).toBe(true);
    expect(processes.filter((process) => asks(process, range, START_MS + 100))).toHaveLength(1);
    const inTurn = processes.filter((process) => !leaves(process, range, START_MS, START_MS + 100));
    expect(inTurn).toHaveLength(1);
  }
});

it("the others query a partition once in an interval, and leave rows for 200 ms (asked-partitions.AP1)", () => {
  const [process] = fleet(teamsOf(namesOf(4)));
  if (process === undefined) throw new Error("no process");
  const times = Array.from({ length: 200 }, (_, n) => START_MS + 100 * n);
  const asked = times.filter((atMs) => asks(process, "0", atMs));
  const pauses = asked.slice(1).map((atMs, n) => atMs - (asked[n] ?? 0));
  expect(Math.max(...pauses)).toBe(INTERVAL_MS);
  for (const atMs of times) {
    const untilMs = process.leftUntilMs("0", RANGES.length, atMs, atMs);
    expect([undefined, atMs + HEAD_START_MS]).toContain(untilMs);
  }
});

it("a process that finds rows which wait helps for an interval (asked-partitions.AP2)", () => {
  const helper = fleet(teamsOf(namesOf(4))).find((process) => leaves(process, "0", START_MS, START_MS));
  if (helper === undefined) throw new Error("no process leaves the row");
  expect(asks(helper, "0", START_MS)).toBe(true);
  expect(asks(helper, "0", START_MS + 1)).toBe(false);
  expect(leaves(helper, "0", START_MS - HEAD_START_MS, START_MS)).toBe(false);
  expect(asks(helper, "0", START_MS + 1)).toBe(true);
});

it("a process that owns sessions queries every partition (asked-partitions.AP3)", () => {
  const processes = fleet(teamsOf(namesOf(4)), true);
  for (const process of processes) {
    for (let n = 0; n < 5; n++) expect(asks(process, "0", START_MS + n)).toBe(true);
  }
});

it("on one partition every process queries and tries everything at once (asked-partitions.AP4)", () => {
  for (const process of fleet(teamsOf(namesOf(4)))) {
    for (let n = 0; n < 5; n++) expect(process.isAsked("0", 1, START_MS + n)).toBe(true);
    expect(process.leftUntilMs("0", 1, START_MS, START_MS)).toBeUndefined();
  }
});
