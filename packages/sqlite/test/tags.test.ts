/** Which activities a worker takes, by exact tag (contract §12). */
import type { TagFilter } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { type Fixture, openMemory } from "./support/fixture.ts";
import { activity } from "./support/messages.ts";
import { createInstance, fail, fetchWork, mustFetchWork } from "./support/turns.ts";

/** One activity for each tag, with ids from 1; an empty text is no tag. */
async function enqueue({ provider }: Fixture, ...tags: (string | undefined)[]): Promise<void> {
  for (const [index, tag] of tags.entries()) {
    await provider.enqueueForWorker(activity("i", index + 1, tag === undefined ? {} : { tag }));
  }
}

async function drain({ provider }: Fixture, tagFilter: TagFilter): Promise<unknown[]> {
  const ids = [];
  for (
    let work = await fetchWork(provider, { tagFilter });
    work;
    work = await fetchWork(provider, { tagFilter })
  ) {
    ids.push(work.item.id);
  }
  return ids;
}

describe("a tag filter", () => {
  it.each<[TagFilter, number[]]>([
    [{ kind: "default-only" }, [1, 5]],
    [{ kind: "tags", tags: ["gpu"] }, [2, 4]],
    [{ kind: "tags", tags: ["gpu", "cpu"] }, [2, 3, 4]],
    [{ kind: "default-and", tags: ["gpu"] }, [1, 2, 4, 5]],
    [{ kind: "any" }, [1, 2, 3, 4, 5]],
    [{ kind: "none" }, []],
    [{ kind: "tags", tags: ["GPU"] }, []],
    [{ kind: "tags", tags: ["gp"] }, []],
  ])("%o takes its own in order, and nothing else", async (tagFilter, ids) => {
    await using store = await openMemory();
    await enqueue(store, undefined, "gpu", "cpu", "gpu", undefined);
    expect(await drain(store, tagFilter)).toEqual(ids);
  });

  it("tells the empty tag from no tag", async () => {
    await using store = await openMemory();
    await enqueue(store, undefined, "");
    expect(await drain(store, { kind: "tags", tags: [""] })).toEqual([2]);
    expect(await drain(store, { kind: "default-only" })).toEqual([1]);
  });

  it("has 1 to 5 tags", async () => {
    await using store = await openMemory();
    for (const tags of [[], ["1", "2", "3", "4", "5", "6"]]) {
      await fail(fetchWork(store.provider, { tagFilter: { kind: "tags", tags } }), "invalid-input");
    }
  });

  it("does not hide what stands behind what it excludes", async () => {
    await using store = await openMemory();
    await enqueue(store, ...Array.from({ length: 200 }, () => "gpu"), undefined);
    expect(await drain(store, { kind: "default-only" })).toEqual([201]);
  });
});

describe("a tag", () => {
  it("survives being given back", async () => {
    await using store = await openMemory();
    await enqueue(store, "gpu");
    const tagFilter = { kind: "tags", tags: ["gpu"] } as const;
    const first = await mustFetchWork(store.provider, { tagFilter });
    await store.provider.abandonWorkItem(first.lockToken);
    expect(await fetchWork(store.provider)).toBeUndefined();
    expect(await mustFetchWork(store.provider, { tagFilter })).toMatchObject({
      item: { tag: "gpu" },
      attemptCount: 2,
    });
  });

  it("counts for activities from a turn too", async () => {
    await using store = await openMemory();
    await createInstance(store.provider, "i", {
      workerItems: [activity("i", 1, { tag: "gpu" }), activity("i", 2)],
    });
    expect(await drain(store, { kind: "default-only" })).toEqual([2]);
    expect(await drain(store, { kind: "tags", tags: ["gpu"] })).toEqual([1]);
  });

  it("sends each of several waiting workers its own", async () => {
    await using store = await openMemory();
    const wait = (tagFilter: TagFilter): ReturnType<typeof fetchWork> =>
      fetchWork(store.provider, { tagFilter, pollTimeoutMs: 1_000 });
    const gpu = wait({ kind: "tags", tags: ["gpu"] });
    const plain = wait({ kind: "default-only" });
    await enqueue(store, undefined, "gpu");
    expect((await gpu)?.item.id).toBe(2);
    expect((await plain)?.item.id).toBe(1);
  });
});
