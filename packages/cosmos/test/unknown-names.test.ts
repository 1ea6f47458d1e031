/**
 * Work for code that a process does not have is left to processes that have it, also to those of Rust, which see neither
 * a lock nor an attempt (docs/decisions/attempts-and-blocked-work.md).
 */
import {
  ack,
  activity,
  createInstance,
  fetchOrchestration,
  fetchWork,
  mustFetch,
  mustFetchWork,
  raised,
  startItem,
  timer,
} from "@duroxide-ts/provider-tests/building-blocks";
import { beforeEach, describe, expect, it } from "vitest";
import { allDocuments } from "./invariants/documents.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("names");

/** Time during which the work is only for workers that know its name, ms. */
const HEAD_START_MS = 10_000;

const STRANGER = { orchestrations: new Set(["Other"]) };
const KNOWER = { orchestrations: new Set(["Other", "TestOrch"]) };
const OTHER_WORKER = { activities: new Set(["other"]) };
const WORKER = { activities: new Set(["work"]) };

/** All documents, without what the service adds. */
async function stored(): Promise<readonly unknown[]> {
  const documents = await allDocuments(stage.raw);
  return documents
    .map(({ _ts: _, ...document }) => document)
    .sort((a, b) => (`${a.instanceId} ${a.id}` < `${b.instanceId} ${b.id}` ? -1 : 1));
}

async function fetchesNothingAndWritesNothing(fetch: () => Promise<unknown>): Promise<void> {
  const before = await stored();
  for (let looks = 0; looks < 3; looks++) {
    expect(await fetch()).toBeUndefined();
    await stage.clock.advance(HEAD_START_MS / 4);
  }
  expect(await stored()).toEqual(before);
}

describe("a turn", () => {
  // handler-reservation.N1
  it.each([
    ["that begins an instance", async () => stage.provider.enqueueForOrchestrator(startItem("i"))],
    [
      "of an instance",
      async () => {
        await createInstance(stage, "i");
        await stage.provider.enqueueForOrchestrator(raised("i", "poke"));
      },
    ],
    [
      "of an instance that this process has just left",
      async () => {
        await createInstance(stage, "i", { orchestratorItems: [timer("i", stage.clock.now())] });
      },
    ],
  ])("%s is left to workers that know its orchestration", async (_, arrange) => {
    await arrange();
    await fetchesNothingAndWritesNothing(() => fetchOrchestration(stage, STRANGER));
    const { attemptCount } = await mustFetch(await stage.openAnother(), KNOWER);
    expect(attemptCount).toBe(1);
  });

  it("of a version that this process lacks is left to processes that have it", async () => {
    const start = startItem("i", { version: "1.0.0" });
    await stage.provider.enqueueForOrchestrator(start);
    const newer = { ...KNOWER, versions: new Set(["TestOrch@2.0.0"]) };
    await fetchesNothingAndWritesNothing(() => fetchOrchestration(stage, newer));
    const both = { ...KNOWER, versions: new Set(["TestOrch@1.0.0", "TestOrch@2.0.0"]) };
    const fetched = await mustFetch(await stage.openAnother(), both);
    expect(fetched.attemptCount).toBe(1);
    await ack(stage, fetched, { metadata: { orchestrationName: "TestOrch", orchestrationVersion: "1.0.0" } });
    await stage.provider.enqueueForOrchestrator(raised("i", "poke"));
    expect(await fetchOrchestration(stage, newer)).toBeUndefined();
    expect(await fetchOrchestration(stage, both)).toBeDefined();
  });

  it("is not locked in passing for a fetch that does not know its orchestration", async () => {
    const stranger = fetchOrchestration(stage, { ...STRANGER, pollTimeoutMs: 60_000 });
    await createInstance(stage, "i", { orchestratorItems: [timer("i", stage.clock.now())] });
    expect((await mustFetch(stage, KNOWER)).item.messages).toMatchObject([{ kind: "TimerFired" }]);
    await stage.provider.close();
    expect(await stranger).toBeUndefined();
  });

  it("is for a worker that knows the orchestration of the next execution", async () => {
    await createInstance(stage, "i", {
      metadata: { status: "ContinuedAsNew", output: "{}" },
      orchestratorItems: [
        {
          kind: "ContinueAsNew",
          instance: "i",
          orchestration: "Other",
          input: "{}",
          version: null,
          carry_forward_events: [],
        },
      ],
    });
    expect(await fetchOrchestration(stage, { orchestrations: new Set(["TestOrch"]) })).toBeUndefined();
    expect(await fetchOrchestration(stage, STRANGER)).toBeDefined();
  });

  // handler-reservation.N3
  it("with a cancellation, or of an instance that has ended, is for every worker", async () => {
    await createInstance(stage, "i");
    await stage.provider.enqueueForOrchestrator({ kind: "CancelInstance", instance: "i", reason: "enough" });
    const cancelled = await mustFetch(stage, STRANGER);
    await ack(stage, cancelled, { metadata: { status: "Failed", output: "cancelled" } });
    await stage.provider.enqueueForOrchestrator(raised("i", "late"));
    expect(await fetchOrchestration(stage, STRANGER)).toBeDefined();
  });

  it("does not hide another one", async () => {
    for (let n = 0; n < 120; n++) await stage.provider.enqueueForOrchestrator(startItem(`unknown-${n}`));
    await stage.provider.enqueueForOrchestrator(startItem("known", { orchestration: "Other" }));
    expect((await mustFetch(stage, STRANGER)).item.instanceId).toBe("known");
  });

  describe("that no worker has taken for a while", () => {
    const BLOCKED = { reason: "missing-orchestration", detail: "not here" } as const;

    beforeEach(async () => {
      await stage.provider.enqueueForOrchestrator(startItem("i"));
      await stage.clock.advance(HEAD_START_MS);
      const { lockToken } = await mustFetch(stage, STRANGER);
      const options = { delayMs: 1_000, ignoreAttempt: true, blocked: BLOCKED };
      await stage.provider.abandonOrchestrationItem(lockToken, options);
      await stage.clock.advance(1_000);
    });

    // handler-reservation.N2
    it("is noted as blocked once, and not touched again", async () => {
      await stage.clock.advance(600_000);
      await fetchesNothingAndWritesNothing(() => fetchOrchestration(stage, STRANGER));
      expect((await stage.provider.admin.listBlocked({ instanceId: "i" })).blocked).toMatchObject([
        { ...BLOCKED, attempts: 1 },
      ]);
    });

    // handler-reservation.N2
    it("is there for workers that know it, without an attempt", async () => {
      expect((await mustFetch(await stage.openAnother(), KNOWER)).attemptCount).toBe(1);
    });
  });
});

describe("an activity", () => {
  beforeEach(() => createInstance(stage, "i", { workerItems: [activity("i", 2)] }));

  // handler-reservation.N1
  it.each(["the process that wrote it", "another process"])(
    "is left to workers that know it, for %s",
    async (who) => {
      const caller = who === "another process" ? await stage.openAnother() : stage;
      await fetchesNothingAndWritesNothing(() => fetchWork(caller, OTHER_WORKER));
      expect((await mustFetchWork(caller, WORKER)).attemptCount).toBe(1);
    },
  );

  it("is not locked in passing for a fetch that does not know it", async () => {
    const stranger = fetchWork(stage, { ...OTHER_WORKER, pollTimeoutMs: 60_000 });
    await createInstance(stage, "j", { workerItems: [activity("j", 2)] });
    expect((await mustFetchWork(stage, WORKER)).attemptCount).toBe(1);
    expect((await mustFetchWork(stage, WORKER)).attemptCount).toBe(1);
    await stage.provider.close();
    expect(await stranger).toBeUndefined();
  });

  // handler-reservation.N2
  it("that no worker has taken for a while is noted as blocked once, and not touched again", async () => {
    await stage.clock.advance(HEAD_START_MS);
    const { lockToken } = await mustFetchWork(stage, OTHER_WORKER);
    const blocked = { reason: "missing-activity", detail: "not here" } as const;
    await stage.provider.abandonWorkItem(lockToken, { delayMs: 1_000, ignoreAttempt: true, blocked });
    await stage.clock.advance(60_000);
    const other = await stage.openAnother();
    await fetchesNothingAndWritesNothing(() => fetchWork(stage, OTHER_WORKER));
    await fetchesNothingAndWritesNothing(() => fetchWork(other, OTHER_WORKER));
    expect((await mustFetchWork(other, WORKER)).attemptCount).toBe(1);
  });
});
