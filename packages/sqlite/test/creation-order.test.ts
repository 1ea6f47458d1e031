/** Keys of instances whose row exists before their start (creation-order.I1 and creation-order.I2). */
import {
  ack,
  activity,
  createInstance,
  fetchWork,
  mustFetch,
  raised,
  scheduled,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect } from "vitest";
import { type Fixture, onFile } from "./support/fixture.ts";

/** Creates another instance, at a later time than what was stored before and an earlier one than what comes after. */
async function createLater({ clock, ...caller }: Fixture, instanceId: string): Promise<void> {
  await clock.advance(1);
  await createInstance(caller, instanceId);
  await clock.advance(1);
}

describe("an instance with a message before its start", () => {
  onFile("is listed by its start, not by the message (creation-order.I1)", async (store) => {
    await store.provider.enqueueForOrchestrator(raised("a", "early"));
    await createLater(store, "b");
    await createInstance(store, "a");
    const { instances } = await store.provider.admin.queryInstances();
    expect(instances.map(({ instanceId }) => instanceId)).toEqual(["a", "b"]);
  });

  onFile("gets the message with its start (creation-order.I1)", async (store) => {
    await store.provider.enqueueForOrchestrator(raised("a", "early"));
    await createLater(store, "b");
    await store.provider.enqueueForOrchestrator(startItem("a"));
    const { item } = await mustFetch(store);
    expect(item.messages).toEqual([raised("a", "early"), startItem("a")]);
  });
});

describe("a start does not change the key of an instance", () => {
  onFile("that has a history (creation-order.I2)", async (store) => {
    const event = scheduled("a", 7);
    await store.provider.appendHistory("a", 1, [event]);
    await createLater(store, "b");
    await store.provider.enqueueForOrchestrator(startItem("a"));
    expect(await store.provider.readHistory("a")).toEqual([event]);
  });

  onFile("that has an activity, which a turn of it cancels (creation-order.I2)", async (store) => {
    await store.provider.enqueueForWorker(activity("a", 7));
    await createLater(store, "b");
    await createInstance(store, "a", {
      cancelledActivities: [{ instanceId: "a", executionId: 1, activityId: 7 }],
    });
    expect(await fetchWork(store)).toBeUndefined();
  });

  onFile("that is locked, which keeps its lock (creation-order.I2)", async (store) => {
    await store.provider.enqueueForOrchestrator(startItem("a"));
    const fetched = await mustFetch(store);
    await createLater(store, "b");
    await store.provider.enqueueForOrchestrator(startItem("a"));
    await expect(ack(store, fetched)).resolves.toBeDefined();
  });
});
