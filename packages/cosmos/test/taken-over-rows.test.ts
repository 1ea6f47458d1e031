/**
 * The row of an activity that ends with its turn becomes the row of the next activity (commit.K7). Where another request
 * may name the row, it is deleted, and the next activity has a row of its own.
 */
import { ProviderError } from "@duroxide-ts/core";
import type { FetchedWork, StreamAppend } from "@duroxide-ts/core/stores";
import { fetchWork, given } from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { allDocuments } from "./invariants/documents.ts";
import type { PlannedActivity } from "./support/plan.ts";
import {
  finishWithTurn,
  finishWork,
  mustWork,
  type RunningHere,
  runClaimed,
  runHere,
} from "./support/steps.ts";
import { useStage } from "./support/use-stage.ts";
import { expectSettled } from "./support/waiting-fetch.ts";
import { WAIT_MS } from "./support/warm-turn.ts";

const stage = useStage("taken-over-rows");

const THEN: PlannedActivity = { label: "x", afterwards: { activities: [{ label: "y" }] } };

async function rows(): Promise<readonly string[]> {
  const documents = await allDocuments(stage.raw);
  return documents.filter(({ type }) => type === "worker_queue").map(({ id }) => id);
}

function appendOf({ lockToken }: FetchedWork): StreamAppend {
  const writer = { call: "2", name: "x", delivery: "d", leastAttempt: 1, written: 0, lockToken };
  const bounds = { maxItems: 10, maxBytes: 1_000 };
  return { instanceId: "a", stream: "s", values: ["1"], close: false, bounds, writer };
}

/** The only activity of the instance. */
function only({ works }: RunningHere): FetchedWork {
  return given(works[0], "no activity");
}

describe("the row of an activity that ends with its turn", () => {
  it("becomes that of the next one, which nobody reaches with the lock of the first", async () => {
    const running = await runClaimed(stage, THEN);
    const before = await rows();
    await finishWithTurn(stage, running);
    expect(await rows()).toEqual(before);
    const { lockToken } = only(running);
    for (const late of [
      stage.provider.renewWorkItemLock(lockToken, 1_000),
      stage.provider.abandonWorkItem(lockToken),
      finishWork(stage, only(running)),
      stage.provider.appendStream?.(appendOf(only(running))),
    ])
      await expect(late).rejects.toMatchObject({ code: "lock-lost" });
    const next = await mustWork(stage);
    expect(next).toMatchObject({ attemptCount: 1 });
    await finishWork(stage, next);
    await expectSettled(stage);
  });

  it("goes to the fetch that waits for the next one, with the lock of that fetch", async () => {
    const running = await runClaimed(stage, THEN);
    const before = await rows();
    const waiting = fetchWork(stage, { pollTimeoutMs: WAIT_MS });
    await stage.trap.idle();
    await finishWithTurn(stage, running);
    expect(await rows()).toEqual(before);
    const next = given(await waiting, "no second activity");
    expect(next).toMatchObject({ attemptCount: 1 });
    await finishWork(stage, next);
    await expectSettled(stage);
  });

  it("is deleted where the next one has another place to be", async () => {
    const running = await runHere(stage, THEN);
    const before = await rows();
    await finishWithTurn(stage, running);
    const after = await rows();
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
  });

  // append-values.AV1
  it("is deleted where it has written to a stream, because a repeated request may still name it", async () => {
    const running = await runClaimed(stage, THEN);
    await stage.provider.appendStream?.(appendOf(only(running)));
    const before = await rows();
    await finishWithTurn(stage, running);
    expect(await rows()).not.toEqual(before);
  });

  it("takes no values from the moment at which it is taken over", async () => {
    const running = await runClaimed(stage, THEN);
    const ending = finishWithTurn(stage, running);
    const late = stage.provider.appendStream?.(appendOf(only(running)));
    await expect(late).rejects.toSatisfy(
      (error) => error instanceof ProviderError && error.code === "lock-lost",
    );
    await ending;
  });

  it("stays the next one's where the same turn gives up an activity that it ends", async () => {
    const running = await runClaimed(
      stage,
      { label: "x", afterwards: { activities: [{ label: "z" }, { label: "z2" }], cancel: ["y"] } },
      { label: "y" },
    );
    await finishWithTurn(stage, running);
    for (const next of [await mustWork(stage), await mustWork(stage)]) await finishWork(stage, next);
    await expectSettled(stage);
  });
});
