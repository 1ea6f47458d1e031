/** How many deletions share a transaction: as many as take a few milliseconds (admin/bulk-pace.ts). */
import { VirtualClock } from "@duroxide-ts/core/testing";
import { complete, createInstance } from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { BulkPace } from "../src/admin/bulk-pace.ts";
import type { OpenTransaction } from "../src/commit/open-transaction.ts";
import { onFile } from "./support/fixture.ts";

const NO_TRANSACTION = {} as OpenTransaction;

/** The sizes of the groups of so many deletions, each of which takes so long. */
async function groupsOf(count: number, eachMs: number): Promise<readonly number[]> {
  let nowMs = 0;
  const pace = new BulkPace({ now: () => nowMs, schedule: () => () => {} });
  const groups: number[] = [];
  let open = 0;
  const deletion = pace.timed(() => {
    nowMs += eachMs;
  });
  await pace.inGroups(
    Array.from({ length: count }, (_, n) => n),
    async () => {
      if (open++ === 0) groups.push(0);
      groups[groups.length - 1] = open;
      await Promise.resolve();
      deletion(NO_TRANSACTION);
      open--;
    },
  );
  return groups;
}

describe("deletions in groups", () => {
  it("are twice as many after each group that was quick", async () => {
    expect(await groupsOf(20, 0)).toEqual([1, 2, 4, 8, 5]);
  });

  it("are one at a time where each takes long", async () => {
    expect(await groupsOf(4, 100)).toEqual([1, 1, 1, 1]);
  });

  it("reject with the first failure after the others of its group", async () => {
    const pace = new BulkPace(new VirtualClock());
    const done: number[] = [];
    const write = async (n: number): Promise<void> => {
      if (n === 1) throw new Error("no");
      done.push(n);
    };
    await expect(pace.inGroups([0, 1, 2, 3, 4], write)).rejects.toThrow("no");
    expect(done).toEqual([0, 2]);
  });
});

onFile("a bulk deletion of many instances takes few commits", async (store) => {
  for (let n = 0; n < 30; n++) {
    await createInstance(store, `i-${n}`);
    await complete(store, `i-${n}`);
  }
  const raw = store.openRaw();
  const version = (): number => Number(raw.prepare("PRAGMA data_version").get()?.["data_version"]);
  let commits = 0;
  let last = version();
  const deleting = store.provider.admin.deleteInstances({});
  let isOver = false;
  void deleting.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    if (version() !== last) commits++;
    last = version();
  }
  expect(await deleting).toMatchObject({ instancesDeleted: 30 });
  expect(commits).toBeLessThan(10);
});
