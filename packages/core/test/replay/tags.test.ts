/** Tags of a turn, in its commit and in history (docs/decisions/queries.md). */
import { expect, test } from "vitest";
import { HistoryIndex } from "../../src/replay/history/history-index.ts";
import { type Body, engineTurn, history, type Line, nextTurn, STARTED } from "../support/engine-turn.ts";

const raised = { kind: "ExternalRaised", instance: "i", name: "e", data: "1" } as const;
const marked = (tags: object): Line => ["ExternalSubscribed", { name: "e", tags_after: tags } as never];

const sets: Body = async (ctx) => {
  ctx.setTags({ a: 1 });
  await ctx.waitForEvent("e");
  await ctx.waitForEvent("e");
};

test("a turn that leaves other tags stores all of them, and marks its last event", async () => {
  const turn = await engineTurn(sets, history([STARTED]));
  expect(turn.tags).toEqual({ a: 1 });
  expect(turn.delta.map(({ tags_after }) => tags_after)).toEqual([{ a: 1 }]);
});

test("a turn from memory that changes none stores none", async () => {
  const first = await engineTurn(sets, history([STARTED]));
  const second = await nextTurn(first, [raised]);
  expect(second.tags).toBeUndefined();
  expect(second.delta.some(({ tags_after }) => tags_after !== undefined)).toBe(false);
});

test("a turn from history stores those that are there again, which Rust may have removed, and marks nothing", async () => {
  const turn = await engineTurn(sets, history([STARTED, marked({ a: 1 })]), [raised]);
  expect(turn.tags).toEqual({ a: 1 });
  expect(turn.delta.some(({ tags_after }) => tags_after !== undefined)).toBe(false);
});

test("code that sets tags anew, or no more, takes effect in the next turn", async () => {
  const other = await engineTurn(sets, history([STARTED, marked({ b: 2 })]), [raised]);
  expect(other.tags).toEqual({ a: 1 });
  expect(HistoryIndex.of(other.delta).tags).toEqual({ a: 1 });
});

test("code that does not match its history changes none", async () => {
  const turn = await engineTurn(sets, history([STARTED, ["TimerCreated", { fire_at_ms: 5 }]]), [raised]);
  expect(turn.end.kind).toBe("failed");
  expect(turn.tags).toBeUndefined();
});
