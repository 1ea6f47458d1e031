/** Waiting fetches share a poll only if they accept the same rows, whatever their names are made of. */
import type { FetchedWork, FetchWorkOptions } from "@duroxide-ts/core/stores";
import { activity, createInstance } from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { inMemory, openMemory, type SqliteCaller } from "./support/fixture.ts";

function wait(
  { provider }: SqliteCaller,
  tags: readonly string[],
  ownerId?: string,
): Promise<FetchedWork | undefined> {
  const options: FetchWorkOptions = {
    lockTimeoutMs: 30_000,
    pollTimeoutMs: 60_000,
    tagFilter: { kind: "tags", tags },
    ...(ownerId !== undefined && { session: { ownerId, lockTimeoutMs: 30_000 } }),
  };
  return provider.fetchWorkItem(options);
}

describe("fetches that wait", () => {
  inMemory("for a tag with a line feed are not those that wait for its two halves", async (store) => {
    const { provider, clock } = store;
    const halves = wait(store, ["a", "b"]);
    const whole = wait(store, ["a\nb"]);
    await clock.settle();
    await Promise.all([
      provider.enqueueForWorker(activity("i", 1, { tag: "a" })),
      provider.enqueueForWorker(activity("i", 2, { tag: "b" })),
      provider.enqueueForWorker(activity("i", 3, { tag: "a\nb" })),
    ]);
    expect((await halves)?.item.tag).toBe("a");
    expect((await whole)?.item.tag).toBe("a\nb");
  });

  it("for an owner and a tag with a space between them do not hide one another's rows (parked-fetches.P2)", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await createInstance(store, "i");
    const unlucky = wait(store, ["a"], "b c");
    const lucky = wait(store, ["a b"], "c");
    await clock.settle();
    const row = { tag: "a b", session_id: "s" };
    await provider.enqueueForWorker(activity("i", 1, row));
    await clock.settle();
    await clock.advance(60_000);
    expect((await lucky)?.item.id).toBe(1);
    expect(await unlucky).toBeUndefined();
  });
});
