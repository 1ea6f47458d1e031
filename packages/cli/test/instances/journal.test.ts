/** The progress that a command that was ended has left for the next call of it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { Journal, type JournalKey } from "../../src/instances/journal.ts";

const HOUR_MS = 3_600_000;
const KEY: JournalKey = { verb: "cancel", store: "sqlite:a.db", ids: ["a", "b"], flags: { reason: "r" } };

it.each([
  [11, ["a"], ["b"]],
  [13, [], []],
])("is gone on with for twelve hours: after %i hours (journal.J3)", (hours, done, unsure) => {
  const folder = mkdtempSync(path.join(tmpdir(), "journal-"));
  {
    using ended = new Journal(folder, KEY, Date.now(), { anew: false });
    ended.begin("a");
    ended.end("a");
    ended.begin("b");
  }
  using next = new Journal(folder, KEY, Date.now() + hours * HOUR_MS, { anew: false });
  expect([[...next.done], [...next.unsure]]).toEqual([done, unsure]);
  rmSync(folder, { recursive: true });
});
