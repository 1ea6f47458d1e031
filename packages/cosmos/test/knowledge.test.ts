/** What a process may remember of instances, and what it must forget. */
import type { OrchestratorItem } from "@duroxide-ts/core/stores";
import { describe, expect, it } from "vitest";
import type { Instance } from "../src/schema/instance.ts";
import type { MessageRow } from "../src/schema/rows.ts";
import { Knowledge } from "../src/store/knowledge.ts";

const ITEM: OrchestratorItem = { kind: "CancelInstance", instance: "a", reason: "test" };
const INSTANCE = { etag: "1" } as Instance;

function row(id: string, visibleAtMs: number): MessageRow {
  return { id, item: ITEM, visibleAtMs, orderMs: 0, enqueuedAtMs: 0, attempts: 0 };
}

describe("knowledge of instances", () => {
  it("has an instance when a message of it falls due, and not before", () => {
    const knowledge = new Knowledge(10);
    knowledge.wrote("a", row("1", 100));
    expect(knowledge.nextDueMs).toBe(100);
    expect(knowledge.takeDue(99)).toBeUndefined();
    expect(knowledge.takeDue(100)).toBe("a");
    expect(knowledge.takeDue(100)).toBeUndefined();
  });

  it("has the oldest first", () => {
    const knowledge = new Knowledge(10);
    for (const [index, name] of ["d", "b", "a", "c"].entries()) {
      knowledge.wrote(name, row(name, 100 - 7 * ((index * 3) % 4)));
    }
    const taken = [1, 2, 3, 4].map(() => knowledge.takeDue(200));
    const times = taken.map((name) => [...(knowledge.get(name ?? "")?.rows.values() ?? [])][0]?.visibleAtMs);
    expect(times).toEqual([...times].sort((a, b) => Number(a) - Number(b)));
  });

  it("does not offer what this process works on, until it is left or the lock is over", () => {
    const knowledge = new Knowledge(10);
    knowledge.holds("a", 500);
    knowledge.wrote("a", row("1", 100));
    expect(knowledge.takeDue(100)).toBeUndefined();
    knowledge.left("a", INSTANCE, [], 0);
    expect(knowledge.takeDue(101)).toBe("a");
    expect(knowledge.get("a")?.instance).toBe(INSTANCE);
    knowledge.holds("a", 500);
    expect(knowledge.takeDue(499)).toBeUndefined();
    expect(knowledge.takeDue(500)).toBe("a");
  });

  it("forgets messages that others may have taken, and keeps those that nobody can have taken yet", () => {
    const knowledge = new Knowledge(10);
    knowledge.left("a", INSTANCE, [], 0);
    knowledge.wrote("a", row("due", 100));
    knowledge.wrote("a", row("later", 900));
    knowledge.forget("a", 100);
    expect([...(knowledge.get("a")?.rows.keys() ?? [])]).toEqual(["later"]);
    expect(knowledge.get("a")?.instance).toBeUndefined();
    expect(knowledge.takeDue(899)).toBeUndefined();
    expect(knowledge.takeDue(900)).toBe("a");
  });

  it("forgets messages with their turn", () => {
    const knowledge = new Knowledge(10);
    knowledge.wrote("a", row("1", 100));
    knowledge.holds("a", 500);
    knowledge.left("a", INSTANCE, ["1"], 0);
    expect(knowledge.takeDue(1_000)).toBeUndefined();
  });

  it("keeps the instances that were used last", () => {
    const knowledge = new Knowledge(2);
    for (const name of ["a", "b", "a", "c"]) knowledge.left(name, INSTANCE, [], 0);
    expect(["a", "b", "c"].map((name) => knowledge.get(name) !== undefined)).toEqual([true, false, true]);
  });

  it("knows the messages of the last turn to be gone, so that an answer from before leads nowhere", () => {
    const knowledge = new Knowledge(10);
    knowledge.wrote("a", row("2", 100));
    knowledge.left("a", INSTANCE, ["1"], 0);
    expect(["1", "2", "3"].map((id) => knowledge.isGone("a", id))).toEqual([true, false, false]);
    expect(["1", "2", "3"].map((id) => knowledge.isKnown("a", id))).toEqual([true, true, false]);
    knowledge.left("a", INSTANCE, ["2"], 0);
    expect(knowledge.isGone("a", "2")).toBe(true);
  });
});
