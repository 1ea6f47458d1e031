/** Tests what a process remembers of the unfinished work that it stored; unfinished.UF1 and unfinished.UF2. */
import { beforeEach, expect, it } from "vitest";
import type { BatchOperation, BatchOutcome } from "../src/service/batch.ts";
import { Unfinished, unfinishedKey } from "../src/service/unfinished.ts";

const INTENT: BatchOperation = { kind: "create", body: { id: "intent", type: "outbox_intent" } };
const SENT_MS = 1_000;

const refused = (repeated: boolean): BatchOutcome => ({ ok: false, index: 0, status: 409, repeated });

let unfinished: Unfinished;
beforeEach(() => {
  unfinished = new Unfinished();
  unfinished.sent("a", [INTENT], SENT_MS);
});

it("a document counts as stored before the answer, and no longer when its write is refused (unfinished.UF1)", () => {
  expect(unfinished.isEmpty).toBe(false);
  unfinished.answered("a", [INTENT], refused(false));
  expect(unfinished.isEmpty).toBe(true);
});

it("a document counts as stored when a repetition is refused, because the first request may have stored it (unfinished.UF1)", () => {
  unfinished.answered("a", [INTENT], refused(true));
  expect(unfinished.isEmpty).toBe(false);
});

it("a search ends what was written before it began and was not found, and nothing else (unfinished.UF2)", () => {
  unfinished.searched(new Set(), SENT_MS);
  expect(unfinished.isEmpty).toBe(false);
  unfinished.searched(new Set([unfinishedKey("a", "intent")]), SENT_MS + 1);
  expect(unfinished.isEmpty).toBe(false);
  unfinished.searched(new Set(), SENT_MS + 1);
  expect(unfinished.isEmpty).toBe(true);
});
