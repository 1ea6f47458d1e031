/** A failure quotes its message, which may fill a document of the store already. */
import { activity, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import type { ActivityOutcome, OrchestrationAck } from "@duroxide-ts/core/stores";
import { MemoryProvider, VirtualClock } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";
import { activityItem, startItem } from "../support/work-items.ts";

const LARGE = JSON.stringify('"'.repeat(300_000));

class Noting extends MemoryProvider {
  readonly failures: unknown[] = [];

  override ackWorkItem(token: string, outcome?: ActivityOutcome): Promise<void> {
    if (outcome?.kind === "ActivityFailed") this.failures.push(outcome.details);
    return super.ackWorkItem(token, outcome);
  }

  override ackOrchestrationItem(ack: OrchestrationAck) {
    for (const event of ack.historyDelta)
      if (event.type === "OrchestrationFailed") this.failures.push(event.details);
    return super.ackOrchestrationItem(ack);
  }
}

it.each(["activity", "turn"])(
  "the failure of an %s above its attempt limit quotes a part of a large message",
  async (which) => {
    const clock = new VirtualClock();
    await using provider = new Noting({ clock });
    if (which === "activity") {
      await provider.enqueueForWorker(activityItem(LARGE));
    } else {
      await provider.enqueueForOrchestrator(startItem("i", "work", LARGE));
    }
    for (let delivery = 0; delivery < 3; delivery++) {
      const lock = { lockTimeoutMs: 1_000, pollTimeoutMs: 0 };
      if (which === "activity") {
        const fetched = await provider.fetchWorkItem({ ...lock, tagFilter: { kind: "any" } });
        await provider.renewWorkItemLock(fetched?.lockToken ?? "", 1, { alone: true });
      } else {
        const fetched = await provider.fetchOrchestrationItem(lock);
        await provider.renewOrchestrationItemLock(fetched?.lockToken ?? "", 1, { alone: true });
      }
      await clock.advance(1_000);
    }
    await using _runtime = await Runtime.start({
      provider,
      clock,
      maxAttempts: 1,
      activities: [activity("work", async (_ctx, text: string) => text.length)],
      // A turn with code is blocked, and not ended.
      orchestrations: [orchestration("other", async () => 1)],
      onMissingHandler: "fail",
      reportWorker: false,
      logger: silentLogger,
    });
    await clock.settle();

    expect(provider.failures).toMatchObject([{ Poison: { attempt_count: 6 } }]);
    expect(JSON.stringify(provider.failures).length).toBeLessThan(300_000);
  },
);
