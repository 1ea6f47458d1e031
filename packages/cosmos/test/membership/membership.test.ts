/** Processes on one container know of each other; membership.M1 to membership.M5. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BEAT_MS, Fleet, LEASE_MS, POLL_MS } from "./support/fleet.ts";

describe("membership", () => {
  let fleet: Fleet;

  beforeEach(async () => {
    fleet = await Fleet.start();
  });
  afterEach(async () => {
    await fleet[Symbol.asyncDispose]();
  });

  /** How long it takes until every process that lives has a peer group of so many, ms. */
  const untilTeams = async (size: number, mostMs: number): Promise<number> => {
    const startedMs = fleet.clock.now();
    let reachedMs = Number.POSITIVE_INFINITY;
    await fleet.advance(mostMs, () => {
      const living = fleet.processes.filter(({ clock }) => clock.isRunning);
      if (living.every(({ teamSize }) => teamSize === size))
        reachedMs = Math.min(reachedMs, fleet.clock.now() - startedMs);
    });
    return reachedMs;
  };

  it("of a process that is alone is a peer group of one", async () => {
    await fleet.settled(1);
    expect(fleet.teamSizes).toEqual([1]);
  });

  it("makes a peer group of eight processes", async () => {
    await fleet.settled(8);
    expect(fleet.teamSizes).toEqual(Array.from({ length: 8 }, () => 8));
  });

  it("lets a process that joins know the others within two seconds, and the others know it within a beat", async () => {
    await fleet.settled(3);
    const newcomer = await fleet.join();
    expect(newcomer.teamSize).toBe(1);
    await fleet.advance(2_000);
    expect(newcomer.teamSize).toBe(4);
    expect(await untilTeams(4, BEAT_MS)).toBeLessThanOrEqual(BEAT_MS);
  });

  it("forgets a process that closed within a beat", async () => {
    const [leaver] = await fleet.settled(8);
    fleet.processes.shift();
    await leaver?.membership.close();
    expect(await untilTeams(7, 2 * BEAT_MS)).toBeLessThanOrEqual(BEAT_MS + POLL_MS);
  });

  it("forgets a process that was killed within a lease", async () => {
    const [victim] = await fleet.settled(8);
    victim?.clock.kill();
    expect(await untilTeams(7, 2 * LEASE_MS)).toBeLessThanOrEqual(LEASE_MS + POLL_MS);
  });

  it("takes a process that beats but no longer asks for one that has gone (membership.M3)", async () => {
    const [saturated] = await fleet.settled(3);
    if (saturated !== undefined) saturated.isAsking = false;
    await fleet.advance(LEASE_MS + POLL_MS);
    expect(fleet.teamSizes.slice(1)).toEqual([2, 2]);
  });

  it("of a process that was stopped for longer than its lease begins anew (membership.M2)", async () => {
    const [frozen] = await fleet.settled(4);
    frozen?.clock.freeze();
    await fleet.advance(2 * LEASE_MS);
    expect(fleet.teamSizes.slice(1)).toEqual([3, 3, 3]);
    frozen?.clock.thaw();
    expect(frozen?.teamSize).toBe(1);

    await fleet.advance(3 * BEAT_MS);
    expect(fleet.teamSizes).toEqual([4, 4, 4, 4]);
  });

  it.each([LEASE_MS + 1, 3_600_000, -3_600_000])(
    "of a process whose clock jumps by %i ms begins anew (membership.M2)",
    async (jumpMs) => {
      const [jumper] = await fleet.settled(4);
      if (jumper !== undefined) jumper.clock.offsetMs = jumpMs;
      expect(jumper?.teamSize).toBe(1);

      await fleet.advance(3 * BEAT_MS);
      expect(fleet.teamSizes).toEqual([4, 4, 4, 4]);
    },
  );

  it("does not compare the clocks of processes", async () => {
    for (const clockOffsetMs of [-3_600_000, -30_000, 0, 30_000]) await fleet.join({ clockOffsetMs });
    await fleet.advance(3 * BEAT_MS);
    for (let n = 0; n < 4; n++) {
      expect(fleet.teamSizes).toEqual([4, 4, 4, 4]);
      await fleet.advance(BEAT_MS);
    }
  });

  it("joins only processes that ask for the same (membership.M4)", async () => {
    const of = (asks: string) => ({ groups: [{ queue: "worker_queue", asks }] as const });
    for (const asks of ["a", "a", "b"]) await fleet.join(of(asks));
    await fleet.advance(3 * BEAT_MS);
    expect(fleet.teamSizes).toEqual([2, 2, 1]);
  });

  it("costs a process among eight less than one request and two request units a second", async () => {
    const joining = fleet.clock.now();
    await fleet.settled(8);
    await fleet.advance(3 * BEAT_MS);
    const seconds = (fleet.clock.now() - joining) / 1_000;
    for (const { log } of fleet.processes) {
      expect(log.length / seconds).toBeLessThan(1);
      expect(log.reduce((sum, { charge }) => sum + charge, 0) / seconds).toBeLessThan(2);
    }
  });

  it("costs nothing where nothing is asked for (membership.M5)", async () => {
    const client = await fleet.join({ groups: [] });
    await fleet.advance(LEASE_MS);
    expect(client.log).toEqual([]);
  });
});
