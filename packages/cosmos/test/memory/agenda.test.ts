/** Tests what a process may try to lock next. agenda.A1 to agenda.A5. */
import { VirtualClock } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import { Agenda } from "../../src/memory/agenda.ts";

interface Task {
  readonly id: string;
  readonly atMs: number;
  readonly rank: number;
  readonly tag?: string;
}

function newAgendaBy(compare: (a: Task, b: Task) => number, capacity = 10_000): Agenda<Task> {
  return new Agenda({ clock: new VirtualClock(0), capacity, compare, atMs: ({ atMs }) => atMs });
}

function newAgenda(capacity = 10_000): Agenda<Task> {
  return newAgendaBy((a, b) => a.rank - b.rank, capacity);
}

function task(id: string, rank: number, atMs = 0, tag = ""): Task {
  return { id, rank, atMs, tag };
}

/** Takes everything that is due, one by one. */
function taken(agenda: Agenda<Task>, nowMs: number): string[] {
  const ids: string[] = [];
  for (let found = agenda.first(nowMs); found !== undefined; found = agenda.first(nowMs)) {
    ids.push(found.id);
    agenda.remove(found.id);
  }
  return ids;
}

describe("an agenda", () => {
  it("returns items in queue order, equal ones in the order in which they came (agenda.A3)", () => {
    const agenda = newAgenda();
    for (const [id, rank] of Object.entries({ c: 2, a: 1, d: 2, b: 1 })) agenda.put(task(id, rank));
    expect(taken(agenda, 0)).toEqual(["a", "b", "c", "d"]);
  });

  it("orders items that became due at different instants by the queue (agenda.A3)", () => {
    const agenda = newAgenda();
    agenda.put(task("early", 2, 100));
    agenda.put(task("late", 1, 200));
    expect(agenda.first(150)?.id).toBe("early");
    expect(taken(agenda, 200)).toEqual(["late", "early"]);
  });

  it("returns an item from its instant on, and keeps it until it is removed", () => {
    const agenda = newAgenda();
    agenda.put(task("a", 1, 100));
    expect(agenda.first(99)).toBeUndefined();
    expect(agenda.first(100)?.id).toBe("a");
    expect(agenda.first(100)?.id).toBe("a");
    agenda.remove("a");
    expect(agenda.first(100)).toBeUndefined();
    expect(agenda.has("a")).toBe(false);
  });

  it("has one entry for an item that is put again, at its place among equal ones (agenda.A1)", () => {
    const agenda = newAgenda();
    for (const id of ["a", "b"]) agenda.put(task(id, 1));
    expect(agenda.first(0)?.id).toBe("a");
    agenda.put(task("a", 1, 500));
    expect(agenda.get("a")?.atMs).toBe(500);
    expect(agenda.first(499)?.id).toBe("b");
    expect(taken(agenda, 500)).toEqual(["a", "b"]);
  });

  it("passes over items that are declined (agenda.A3)", () => {
    const agenda = newAgenda();
    agenda.put(task("a", 1, 0, "gpu"));
    agenda.put(task("b", 2));
    expect(agenda.first(0, ({ tag }) => tag !== "gpu")?.id).toBe("b");
    expect(agenda.first(0, () => false)).toBeUndefined();
    expect(agenda.first(0)?.id).toBe("a");
  });

  it("names the instant of the next item, declined ones aside (agenda.A4)", () => {
    const agenda = newAgenda();
    expect(agenda.nextMs).toBe(Number.POSITIVE_INFINITY);
    agenda.put(task("declined", 1, 100));
    agenda.put(task("replaced", 1, 150));
    agenda.put(task("replaced", 1, 400));
    agenda.put(task("removed", 1, 200));
    agenda.put(task("next", 1, 300));
    agenda.remove("removed");
    agenda.first(100, () => false);
    expect(agenda.nextMs).toBe(300);
  });

  it("has no more entries than its capacity, and drops those that were due for a minute (agenda.A5)", () => {
    const agenda = newAgenda(2);
    for (const id of ["a", "b", "c"]) agenda.put(task(id, 1, 0));
    expect(["a", "b", "c"].map((id) => agenda.has(id))).toEqual([true, true, false]);
    agenda.put(task("a", 1, 5_000));
    agenda.put(task("d", 1, 60_000));
    expect(["a", "b", "d"].map((id) => agenda.has(id))).toEqual([true, false, true]);
  });

  it("agrees with a list that is sorted anew for each call", () => {
    const agenda = newAgenda();
    const model = new Map<string, Task & { readonly arrival: number }>();
    let seed = 1;
    const below = (most: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % most;
    };
    for (let nowMs = 0; nowMs < 3_000; nowMs++) {
      const id = String(below(200));
      if (below(4) === 0) {
        agenda.remove(id);
        model.delete(id);
      } else {
        const put = task(id, below(5), nowMs + below(400) - 100, below(2) === 0 ? "x" : "y");
        agenda.put(put);
        model.set(id, { ...put, arrival: model.get(id)?.arrival ?? nowMs });
      }
      const tag = below(3) === 0 ? "x" : undefined;
      const accepts = (each: Task): boolean => tag === undefined || each.tag === tag;
      const [expected] = [...model.values()]
        .filter((each) => each.atMs <= nowMs && accepts(each))
        .sort((a, b) => a.rank - b.rank || a.arrival - b.arrival);
      expect(agenda.first(nowMs, accepts)?.id).toBe(expected?.id);
    }
  });

  /** Comparisons and not milliseconds, so that the speed of the machine does not matter. */
  it("compares items in proportion to n log n when a fan-out is put, put again and asked for (agenda.A2)", () => {
    const compared = (count: number): number => {
      let comparisons = 0;
      const agenda = newAgendaBy((a, b) => {
        comparisons++;
        return a.rank - b.rank;
      });
      for (let n = 0; n < count; n++) agenda.put(task(`row ${(n * 7_919) % count}`, n));
      for (let n = 0; n < count; n++) {
        const row = agenda.first(0);
        if (row === undefined) throw new Error("an item is missing");
        agenda.put({ ...row, atMs: 30_000 });
        agenda.has(row.id);
      }
      expect(agenda.first(0)).toBeUndefined();
      return comparisons;
    };
    const [few, many] = [compared(100), compared(5_000)];
    expect(many / 5_000).toBeLessThan(3 * (few / 100));
  });
});
