/**
 * The turns that begin in the open transaction: those of kinds that were short (early-turns.E1 to early-turns.E4).
 */
import type { FetchedOrchestration } from "@duroxide-ts/core/stores";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import { EarlyTurns } from "../src/commit/early-turns.ts";

interface Turns {
  readonly clock: VirtualClock;
  readonly early: EarlyTurns;
  /** Hands out a turn that nothing but its kind keeps from beginning early; answers whether it does. */
  begin(name: string, lastEventId?: number): { readonly joins: boolean; end(): void };
  /** Hands out and ends this many turns at once. */
  short(count: number, name: string, lastEventId?: number): void;
  long(name: string, lastEventId?: number): Promise<void>;
}

function turns(): Turns {
  const clock = new VirtualClock();
  const early = new EarlyTurns(clock);
  let number = 0;
  const begin: Turns["begin"] = (name, lastEventId = 0) => {
    const lockToken = `token-${number++}`;
    const joins = early.served(lockToken, name, lastEventId);
    early.began({ lockToken } as FetchedOrchestration);
    return { joins, end: () => early.ended(lockToken) };
  };
  return {
    clock,
    early,
    begin,
    short(count, name, lastEventId) {
      for (let n = 0; n < count; n++) begin(name, lastEventId).end();
    },
    async long(name, lastEventId) {
      const turn = begin(name, lastEventId);
      await clock.advance(1_000);
      turn.end();
    },
  };
}

describe("a turn joins the open transaction", () => {
  it("not before two of its kind were short (early-turns.E1)", () => {
    const { begin, short } = turns();
    expect(begin("a").joins).toBe(false);
    short(1, "a");
    expect(begin("a").joins).toBe(false);
    short(1, "a");
    expect(begin("a").joins).toBe(true);
    expect(begin("b").joins).toBe(false);
  });

  it("not where only earlier turns of its orchestration were short (early-turns.E1)", () => {
    const { begin, short } = turns();
    short(100, "a", 0);
    expect(begin("a", 3).joins).toBe(false);
    short(2, "a", 3);
    expect(begin("a", 3).joins).toBe(true);
    expect(begin("a", 30).joins).toBe(false);
  });

  it("in a long loop, which has few stages, almost always", () => {
    const { begin } = turns();
    let joined = 0;
    for (let n = 0; n < 1_000; n++) {
      const turn = begin("loop", 3 * n);
      if (turn.joins) joined++;
      turn.end();
    }
    expect(joined).toBeGreaterThan(980);
  });

  it("not while turns that were handed out with it have not ended", () => {
    const { begin, short } = turns();
    short(1, "a");
    begin("a");
    expect(begin("a").joins).toBe(false);
  });

  it("not after a long one of its orchestration, of whatever kind, until many were short again (early-turns.E3)", async () => {
    const { begin, short, long } = turns();
    short(2, "a", 0);
    short(2, "b", 0);
    await long("a", 30);
    expect(begin("a", 0).joins).toBe(false);
    expect(begin("b", 0).joins).toBe(true);
    short(127, "a", 0);
    expect(begin("a", 0).joins).toBe(false);
    short(1, "a", 0);
    expect(begin("a", 0).joins).toBe(true);
    await long("a", 30);
    short(1_000, "a", 0);
    expect(begin("a", 0).joins).toBe(false);
  });

  it("though a hundred that were handed over with it took longer together (early-turns.E2)", async () => {
    const { begin, short, clock } = turns();
    short(2, "a");
    const together = Array.from({ length: 100 }, () => begin("a"));
    await clock.advance(290);
    for (const turn of together) turn.end();
    expect(begin("a").joins).toBe(true);
  });

  it("not for ten times as long as a slow round of the event loop took (early-turns.E4)", async () => {
    const { begin, short, clock, early } = turns();
    short(2, "a");
    early.roundTook(100);
    expect(begin("a").joins).toBe(true);
    early.roundTook(101);
    await clock.advance(1_009);
    expect(begin("a").joins).toBe(false);
    await clock.advance(1);
    expect(begin("a").joins).toBe(true);
  });
});
