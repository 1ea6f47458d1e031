/** Only executions whose pinned version is supported, decided before anything is locked or read (contract §6.2). */
import { parseSemver, type Semver, type VersionRange } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { type Fixture, openFile, openMemory } from "./support/fixture.ts";
import { continueItem, failed, raised, started, startItem } from "./support/messages.ts";
import { ack, createInstance, fetchOrchestration, mustFetch, present, turn } from "./support/turns.ts";

const semver = (text: string): Semver => present(parseSemver(text));

const range = (min: string, max: string): VersionRange => ({ min: semver(min), max: semver(max) });

async function createPinned({ provider }: Fixture, instance: string, version?: string): Promise<void> {
  const metadata = version === undefined ? {} : { pinnedVersion: semver(version) };
  await createInstance(provider, instance, { metadata, orchestratorItems: [raised(instance, "e")] });
  await provider.enqueueForOrchestrator(raised("parked", "x"), 1_000_000);
}

async function found(
  { provider }: Fixture,
  ...supportedVersions: VersionRange[]
): Promise<string | undefined> {
  const fetched = await fetchOrchestration(provider, { supportedVersions });
  if (fetched !== undefined) await provider.abandonOrchestrationItem(fetched.lockToken);
  return fetched?.item.instanceId;
}

describe("a fetch with supported versions", () => {
  it("takes what lies in a range, both ends included", async () => {
    await using store = await openMemory();
    await createPinned(store, "a", "1.0.0");
    expect(await found(store, range("1.0.0", "1.9.99"))).toBe("a");
    expect(await found(store, range("0.0.0", "1.0.0"))).toBe("a");
    expect(await found(store, range("0.0.0", "0.99.99"))).toBeUndefined();
    expect(await found(store, range("1.0.1", "9.0.0"))).toBeUndefined();
    expect((await fetchOrchestration(store.provider))?.item.instanceId).toBe("a");
  });

  it("finds its own whatever stands before it in the queue", async () => {
    await using store = await openMemory();
    await createPinned(store, "one", "1.0.0");
    expect(await found(store, range("2.0.0", "2.9.9"))).toBeUndefined();
    await store.provider.abandonOrchestrationItem((await mustFetch(store.provider)).lockToken, {
      delayMs: 10,
    });
    await createPinned(store, "two", "2.0.0");
    await store.clock.advance(10);
    expect(await found(store, range("2.0.0", "2.9.9"))).toBe("two");
    expect(await found(store, range("1.0.0", "1.9.9"))).toBe("one");
  });

  it("knows several ranges, and nothing between them", async () => {
    await using store = await openMemory();
    for (const version of ["1.0.0", "2.0.0", "3.0.0"]) {
      await createInstance(store.provider, version, { metadata: { pinnedVersion: semver(version) } });
    }
    for (const version of ["1.0.0", "2.0.0", "3.0.0"]) {
      await store.provider.enqueueForOrchestrator(raised(version, "e"));
    }
    const supportedVersions = [range("1.0.0", "1.9.9"), range("3.0.0", "3.9.9")];
    const taken = [];
    for (let n = 0; n < 3; n++) {
      taken.push((await fetchOrchestration(store.provider, { supportedVersions }))?.item.instanceId);
    }
    expect(taken).toEqual(["1.0.0", "3.0.0", undefined]);
  });

  it("compares large components and pre-releases as versions, not as packed numbers", async () => {
    await using store = await openMemory();
    await createPinned(store, "a", "0.1.1500");
    expect(await found(store, range("0.2.0", "0.3.0"))).toBeUndefined();
    expect(await found(store, range("0.1.0", "0.1.2000"))).toBe("a");
    await using other = await openMemory();
    await createPinned(other, "b", "1.0.0-rc.1");
    expect(await found(other, range("1.0.0", "2.0.0"))).toBeUndefined();
    expect(await found(other, range("1.0.0-rc.1", "2.0.0"))).toBe("b");
  });

  it("takes executions without a pinned version, and new instances", async () => {
    await using store = await openMemory();
    await createPinned(store, "a");
    expect(await found(store, range("99.0.0", "99.0.0"))).toBe("a");
    await using other = await openMemory();
    await other.provider.enqueueForOrchestrator(startItem("new"));
    expect(await found(other, range("99.0.0", "99.0.0"))).toBe("new");
  });

  it("with no range takes nothing, not even the unpinned", async () => {
    await using store = await openMemory();
    await createPinned(store, "a");
    expect(await found(store)).toBeUndefined();
    const waiting = fetchOrchestration(store.provider, { supportedVersions: [], pollTimeoutMs: 1_000 });
    await store.clock.advance(1_000);
    expect(await waiting).toBeUndefined();
  });

  it("locks no instance twice", async () => {
    await using store = await openMemory();
    await createPinned(store, "a", "1.0.0");
    const options = { supportedVersions: [range("1.0.0", "1.0.0")] };
    const fetched = await Promise.all([1, 2].map(() => fetchOrchestration(store.provider, options)));
    expect(fetched.filter((each) => each !== undefined)).toHaveLength(1);
  });
});

describe("a pinned version", () => {
  it("stays where a turn brings none, and follows the turn that brings one", async () => {
    await using store = await openMemory();
    await createPinned(store, "a", "1.0.0");
    await ack(store.provider, await mustFetch(store.provider));
    await store.provider.enqueueForOrchestrator(raised("a", "e"));
    expect(await found(store, range("1.0.0", "1.0.0"))).toBe("a");
    await ack(store.provider, await mustFetch(store.provider), {
      metadata: { pinnedVersion: semver("2.0.0") },
    });
    await store.provider.enqueueForOrchestrator(raised("a", "e"));
    expect(await found(store, range("1.0.0", "1.0.0"))).toBeUndefined();
    expect(await found(store, range("2.0.0", "2.0.0"))).toBe("a");
  });

  it("is not inherited by the next execution", async () => {
    await using store = await openMemory();
    const { provider } = store;
    await createInstance(provider, "a", { metadata: { pinnedVersion: semver("1.0.0") } });
    await turn(provider, "a", {
      metadata: { status: "ContinuedAsNew", output: "" },
      orchestratorItems: [continueItem("a")],
    });
    expect(await found(store, range("2.0.0", "2.0.0"))).toBeUndefined();
    await ack(provider, await mustFetch(provider), { executionId: 2, historyDelta: [started("a", 2)] });
    await provider.enqueueForOrchestrator(raised("a", "e"));
    expect(await found(store, range("2.0.0", "2.0.0"))).toBe("a");
  });
});

describe("a history that cannot be read", () => {
  it("is reported with the item, counts attempts, and is never looked at by those who may not have it", async () => {
    await using store = await openFile();
    const { provider } = store;
    await createPinned(store, "a", "99.0.0");
    store.openRaw().exec(`UPDATE history SET event = '{"unknown": true}'`);
    expect(await found(store, range("1.0.0", "2.0.0"))).toBeUndefined();
    for (let attempt = 1; attempt <= 5; attempt++) {
      const { item, attemptCount, lockToken } = await mustFetch(provider);
      expect(item.historyError).toMatch(/event/);
      expect(item.history).toEqual([]);
      expect(attemptCount).toBe(attempt);
      await provider.abandonOrchestrationItem(lockToken);
    }
    await expect(provider.readHistory("a")).rejects.toMatchObject({ code: "corrupt-data", retryable: false });
    await expect(provider.readHistory("a", 1)).rejects.toMatchObject({ code: "corrupt-data" });
    await expect(provider.getInstanceStats("a")).rejects.toMatchObject({ code: "corrupt-data" });
  });

  it("can still be ended", async () => {
    await using store = await openFile();
    const { provider } = store;
    await createPinned(store, "a", "1.0.0");
    store.openRaw().exec("UPDATE history SET event = 'not json'");
    await ack(provider, await mustFetch(provider), {
      historyDelta: [failed("a", 99_999, "corrupt")],
      metadata: { status: "Failed", output: "corrupt" },
    });
    expect(await provider.admin.getInstanceInfo("a")).toMatchObject({ status: "Failed", output: "corrupt" });
  });
});
