/** Tests what a process remembers of instances, and what it forgets. instances.I1 to instances.I5. */
import type { OrchestratorItem } from "@duroxide-ts/core/stores";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import type { Instance } from "../../src/documents/instance.ts";
import type { MessageRow } from "../../src/documents/rows.ts";
import { Agenda } from "../../src/memory/agenda.ts";
import { type DueInstance, Instances } from "../../src/memory/instances.ts";
import { GONE_MS } from "../../src/memory/waits.ts";

const ITEM: OrchestratorItem = { kind: "CancelInstance", instance: "a", reason: "test" };
const INSTANCE = { etag: "1" } as Instance;

function row(id: string, visibleAtMs: number): MessageRow {
  return { id, item: ITEM, visibleAtMs, orderMs: 0, enqueuedAtMs: 0, attempts: 0 };
}

function newInstances(capacity: number): Instances {
  const agenda = new Agenda<DueInstance>({
    clock: new VirtualClock(0),
    capacity: 2 * capacity,
    compare: (a, b) => a.atMs - b.atMs,
    atMs: ({ atMs }) => atMs,
  });
  return new Instances(agenda, capacity);
}

describe("known instances", () => {
  it("has an instance when a message of it falls due, and not before", () => {
    const instances = newInstances(10);
    instances.wrote("a", row("1", 100));
    expect(instances.nextMs(0)).toBe(100);
    expect(instances.takeDue(99)).toBeUndefined();
    expect(instances.takeDue(100)).toBe("a");
    expect(instances.takeDue(100)).toBeUndefined();
  });

  it("has the oldest first", () => {
    const instances = newInstances(10);
    for (const [index, name] of ["d", "b", "a", "c"].entries()) {
      instances.wrote(name, row(name, 100 - 7 * ((index * 3) % 4)));
    }
    const taken = [1, 2, 3, 4].map(() => instances.takeDue(200));
    const times = taken.map((name) => [...(instances.get(name ?? "")?.rows.values() ?? [])][0]?.visibleAtMs);
    expect(times).toEqual([...times].sort((a, b) => Number(a) - Number(b)));
  });

  it("takes a message that is listed long after it was consumed for a new one", () => {
    const instances = newInstances(10);
    instances.released("a", INSTANCE, ["1"], 0);
    expect(instances.isGone("a", "1", GONE_MS - 1)).toBe(true);
    expect(instances.isKnown("a", "1", GONE_MS - 1)).toBe(true);
    // A request that was sent before may arrive then, and store the message once more.
    expect(instances.isGone("a", "1", GONE_MS)).toBe(false);
    expect(instances.isKnown("a", "1", GONE_MS)).toBe(false);
  });

  it("does not offer what this process works on, until it is left or the lock is over", () => {
    const instances = newInstances(10);
    instances.holds("a", 500);
    instances.wrote("a", row("1", 100));
    expect(instances.takeDue(100)).toBeUndefined();
    instances.released("a", INSTANCE, [], 0);
    expect(instances.takeDue(101)).toBe("a");
    expect(instances.get("a")?.instance).toBe(INSTANCE);
    instances.holds("a", 500);
    expect(instances.takeDue(499)).toBeUndefined();
    expect(instances.takeDue(500)).toBe("a");
  });

  it("forgets messages that others may have taken, and keeps those that no process can have taken yet", () => {
    const instances = newInstances(10);
    instances.released("a", INSTANCE, [], 0);
    instances.wrote("a", row("due", 100));
    instances.wrote("a", row("later", 900));
    instances.forget("a", 100);
    expect([...(instances.get("a")?.rows.keys() ?? [])]).toEqual(["later"]);
    expect(instances.get("a")?.instance).toBeUndefined();
    expect(instances.takeDue(899)).toBeUndefined();
    expect(instances.takeDue(900)).toBe("a");
  });

  it("forgets messages with their turn", () => {
    const instances = newInstances(10);
    instances.wrote("a", row("1", 100));
    instances.holds("a", 500);
    instances.released("a", INSTANCE, ["1"], 0);
    expect(instances.takeDue(1_000)).toBeUndefined();
  });

  it("keeps the instances that were used last", () => {
    const instances = newInstances(2);
    for (const name of ["a", "b", "a", "c"]) instances.released(name, INSTANCE, [], 0);
    expect(["a", "b", "c"].map((name) => instances.get(name) !== undefined)).toEqual([true, false, true]);
  });

  it("knows the messages of the last turn to be gone, so that an answer from before leads nowhere", () => {
    const instances = newInstances(10);
    instances.wrote("a", row("2", 100));
    instances.released("a", INSTANCE, ["1"], 0);
    expect(["1", "2", "3"].map((id) => instances.isGone("a", id, 1))).toEqual([true, false, false]);
    expect(["1", "2", "3"].map((id) => instances.isKnown("a", id, 1))).toEqual([true, true, false]);
    instances.released("a", INSTANCE, ["2"], 0);
    expect(instances.isGone("a", "2", 1)).toBe(true);
  });

  it("offers an instance again for a message that falls due later (instances.I3)", () => {
    const instances = newInstances(10);
    for (const [id, atMs] of Object.entries({ "1": 100, "2": 300 })) instances.wrote("a", row(id, atMs));
    expect(instances.takeDue(100)).toBe("a");
    expect(instances.nextMs(100)).toBe(300);
    expect(instances.takeDue(299)).toBeUndefined();
    expect(instances.takeDue(300)).toBe("a");
  });

  it("offers an instance of which something is expected, known or not, also while the lock is held (instances.I3)", () => {
    const instances = newInstances(10);
    instances.expect("b", 200);
    instances.expect("b", 400);
    instances.holds("a", 500);
    instances.expect("a", 300);
    expect(instances.takeDue(199)).toBeUndefined();
    expect(instances.takeDue(200)).toBe("b");
    expect(instances.takeDue(300)).toBe("a");
    expect(instances.nextMs(300)).toBe(Number.POSITIVE_INFINITY);
  });

  it("keeps what is expected when it forgets the rest, and not when the instance is gone", () => {
    const instances = newInstances(10);
    for (const name of ["a", "b"]) {
      instances.wrote(name, row("1", 100));
      instances.expect(name, 500);
    }
    instances.forget("a", 100);
    instances.drop("b");
    expect(instances.takeDue(499)).toBeUndefined();
    expect([instances.takeDue(500), instances.takeDue(500)]).toEqual(["a", undefined]);
  });

  // instances.I6
  describe("doubtful messages", () => {
    function mayBeConsumed(instances: Instances, id: string): boolean {
      return instances.get("a")?.rows.get(id)?.mayBeConsumed === true;
    }

    it("are those that are written while the partition is read, until their write ends", () => {
      const instances = newInstances(10);
      const [first, second] = [instances.sending("a"), instances.sending("a")];
      const other = instances.sending("b");
      second[Symbol.dispose]();
      instances.read("a");
      const later = instances.sending("a");
      expect([first, second, other, later].map(({ partitionWasRead }) => partitionWasRead)).toEqual([
        true,
        false,
        false,
        false,
      ]);
    });

    it("are those in memory when the partition is read: another process may have its clock ahead", () => {
      const instances = newInstances(10);
      instances.wrote("a", row("due", 100));
      instances.wrote("a", row("later", 900));
      instances.read("a");
      instances.wrote("a", row("new", 100));
      expect(["due", "later", "new"].map((id) => mayBeConsumed(instances, id))).toEqual([true, true, false]);
    });

    it("are offered, and are forgotten with the turn that takes them", () => {
      const instances = newInstances(10);
      instances.wrote("a", { ...row("1", 100), mayBeConsumed: true });
      expect(instances.takeDue(100)).toBe("a");
      instances.released("a", INSTANCE, ["1"], 100);
      expect(instances.get("a")?.rows.size).toBe(0);
    });
  });

  it("does not offer the messages of an instance that it has forgotten for want of room (instances.I5)", () => {
    const instances = newInstances(1);
    instances.wrote("a", row("1", 100));
    instances.wrote("b", row("1", 200));
    expect([instances.takeDue(200), instances.takeDue(200)]).toEqual(["b", undefined]);
  });
});
