/** Processes that share slots on the local endpoint, each with its own connection, in virtual time. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BEAT_MS, Fleet, LEASE_MS, POLL_MS, type Process, TURNS, WORK } from "./support/fleet.ts";

const ALL = 256;
const once = Array.from({ length: ALL }, () => 1);

describe("slot leases", () => {
  let fleet: Fleet;

  beforeEach(async () => {
    fleet = await Fleet.start();
  });
  afterEach(async () => {
    await fleet[Symbol.asyncDispose]();
  });

  const sizes = (processes: readonly Process[] = fleet.processes): number[] =>
    processes.map((process) => process.serves().size);

  const contains = (slots: ReadonlySet<number>, others: ReadonlySet<number> = new Set()): boolean =>
    others.size > 0 && [...others].every((slot) => slots.has(slot));

  /** The slots that were nobody's at the end of a step, and for how long at most, ms. */
  const unservedMs = async (durationMs: number): Promise<number> => {
    const sinceMs = new Map<number, number>();
    let longestMs = 0;
    await fleet.advance(durationMs, () => {
      fleet.coverage().forEach((count, slot) => {
        if (count > 0) sinceMs.set(slot, 0);
        else sinceMs.set(slot, (sinceMs.get(slot) ?? 0) + POLL_MS);
        longestMs = Math.max(longestMs, sinceMs.get(slot) ?? 0);
      });
    });
    return longestMs;
  };

  it("give a process that is alone every slot", async () => {
    const [only] = await fleet.settled(1);
    expect(only?.serves().size).toBe(ALL);
  });

  it("divide the slots of both queues between eight processes, each slot to one of them", async () => {
    await fleet.settled(8);
    expect(sizes()).toEqual(Array.from({ length: 8 }, () => 32));
    expect([fleet.coverage(TURNS), fleet.coverage(WORK)]).toEqual([once, once]);
  });

  it("let a process that joins serve everything until it has its share, which it takes within two seconds", async () => {
    const before = (await fleet.settled(3)).map((process) => process.serves());
    const newcomer = await fleet.join();
    expect(newcomer.serves().size).toBe(ALL);

    await fleet.advance(2_000);
    expect(newcomer.serves().size).toBe(64);

    await fleet.advance(3 * BEAT_MS);
    expect(fleet.coverage()).toEqual(once);
    const kept = before.map((slots, n) => contains(slots, fleet.processes[n]?.serves()));
    expect(kept).toEqual([true, true, true]);
  });

  it("leave every process what it has when another one dies", async () => {
    const [victim, ...others] = await fleet.settled(4);
    const before = others.map((process) => process.serves());
    victim?.clock.kill();
    await fleet.advance(LEASE_MS + 2 * BEAT_MS);
    const kept = others.map((process, n) => contains(process.serves(), before[n]));
    expect(kept).toEqual([true, true, true]);
  });

  it("serve the slots of a process that closed within a beat", async () => {
    const [leaver, ...others] = await fleet.settled(8);
    fleet.processes.shift();
    await leaver?.leases.close();
    expect(await unservedMs(2 * BEAT_MS)).toBeLessThanOrEqual(BEAT_MS);
    await fleet.advance(2 * BEAT_MS);
    expect(fleet.coverage()).toEqual(once);
    expect(Math.max(...sizes(others)) - Math.min(...sizes(others))).toBeLessThanOrEqual(1);
  });

  it("serve the slots of a process that was killed within a lease and a poll", async () => {
    const [victim, ...others] = await fleet.settled(8);
    victim?.clock.kill();
    expect(await unservedMs(2 * LEASE_MS)).toBeLessThanOrEqual(LEASE_MS + POLL_MS);
    expect(fleet.coverage()).toEqual(once);
    expect(sizes(others).every((size) => size === 36 || size === 37)).toBe(true);
  });

  it("take a process that beats but no longer asks for one that has gone", async () => {
    const [saturated] = await fleet.settled(3);
    if (saturated !== undefined) saturated.isAsking = false;
    expect(await unservedMs(2 * LEASE_MS)).toBeLessThanOrEqual(LEASE_MS + POLL_MS);
    expect(sizes()).toEqual([0, 128, 128]);
  });

  it("let a process that was stopped for longer than its lease serve everything, and soon its share again", async () => {
    const [frozen] = await fleet.settled(4);
    frozen?.clock.freeze();
    await fleet.advance(2 * LEASE_MS);
    frozen?.clock.thaw();
    expect(frozen?.serves().size).toBe(ALL);

    await fleet.advance(3 * BEAT_MS);
    expect(fleet.coverage()).toEqual(once);
    expect(sizes()).toEqual([64, 64, 64, 64]);
  });

  it.each([LEASE_MS + 1, 3_600_000, -3_600_000])(
    "let a process whose clock jumps by %i ms serve everything, and soon its share again",
    async (jumpMs) => {
      const [jumper] = await fleet.settled(4);
      if (jumper !== undefined) jumper.clock.offsetMs = jumpMs;
      expect(jumper?.serves().size).toBe(ALL);

      await fleet.advance(3 * BEAT_MS);
      expect(fleet.coverage()).toEqual(once);
      expect(sizes()).toEqual([64, 64, 64, 64]);
    },
  );

  it("do not compare the clocks of processes", async () => {
    for (const clockOffsetMs of [-3_600_000, -30_000, 0, 30_000]) await fleet.join({ clockOffsetMs });
    await fleet.advance(3 * BEAT_MS);
    const before = fleet.processes.map((process) => process.serves());
    expect(fleet.coverage()).toEqual(once);

    await fleet.advance(2 * LEASE_MS);
    expect(fleet.processes.map((process) => process.serves())).toEqual(before);
  });

  it("are shared only by those who ask for the same", async () => {
    const of = (asks: string) => ({ groups: [{ queue: "worker_queue", asks }] as const });
    const [a, b, c] = [await fleet.join(of("a")), await fleet.join(of("a")), await fleet.join(of("b"))];
    await fleet.advance(3 * BEAT_MS);
    const served = [a, b, c].map((process, n) => process.serves(of(n < 2 ? "a" : "b").groups[0]).size);
    expect(served).toEqual([128, 128, ALL]);
  });

  it("cost a process among eight less than one request and two request units a second", async () => {
    const joining = fleet.clock.now();
    await fleet.settled(8);
    await fleet.advance(3 * BEAT_MS);
    const seconds = (fleet.clock.now() - joining) / 1_000;
    for (const { log } of fleet.processes) {
      expect(log.length / seconds).toBeLessThan(1);
      expect(log.reduce((sum, { charge }) => sum + charge, 0) / seconds).toBeLessThan(2);
    }
  });

  it("cost nothing where nothing is asked for", async () => {
    const client = await fleet.join({ groups: [] });
    await fleet.advance(LEASE_MS);
    expect(client.log).toEqual([]);
  });
});
