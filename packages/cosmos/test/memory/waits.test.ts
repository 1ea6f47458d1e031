/** How the times of the provider depend on each other (src/memory/waits.ts). */
import { systemRandom } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { toSettings } from "../../src/connection/options.ts";
import { RECEIPT_TTL_SECONDS } from "../../src/documents/receipt.ts";
import * as waits from "../../src/memory/waits.ts";

const settings = toSettings({ endpoint: "http://localhost:8081", key: "a2V5", random: systemRandom });

describe("times that depend on each other", () => {
  it("an instance counts as free when it was free for the shortest poll interval", () => {
    expect(waits.FREE_MS).toBe(settings.pollIntervalMs.min);
    expect(waits.UNREAD_MS).toBeGreaterThan(waits.FREE_MS);
  });

  it("a busy process polls several times in the head start of another one, and an idle one does not wait for its end", () => {
    expect(waits.HEAD_START_MS).toBeGreaterThan(4 * settings.pollIntervalMs.min);
    expect(waits.HEAD_START_MS).toBeLessThan(settings.pollIntervalMs.max);
  });

  it("what is left to others is left until they have had their turn after the head start", () => {
    const seenByOthersMs = waits.HEAD_START_MS + 5 * settings.pollIntervalMs.max;
    expect(waits.LEFT_TO_OTHERS_MS).toBeGreaterThan(seenByOthersMs);
    expect(waits.OTHER_VERSION_MS).toBeGreaterThan(seenByOthersMs);
  });

  it("best effort after a commit ends before other processes begin to take over", () => {
    expect(waits.DELIVERY_MS).toBeLessThanOrEqual(settings.reconcilerAgeMs);
    expect(waits.BEST_EFFORT_MS).toBeLessThan(waits.LEAST_FETCH_MS);
  });

  it("a lock is remembered for longer than anything is tried under it", () => {
    expect(waits.REMEMBER_LOCK_MS).toBeGreaterThan(waits.ADMIN_TIMEOUT_MS + waits.FINISH_MS);
    expect(waits.COMMIT_MARGIN_MS).toBeLessThan(waits.FIND_LOCK_MS);
  });

  it("what the service removes by itself outlives every call that needs it", () => {
    expect(waits.START_MARK_TTL_SECONDS * 1_000).toBeGreaterThan(2 * waits.WRITE_PATIENCE_MS);
  });

  it("receipts outlive the messages that are delivered without a look at the target, and every attempt of a call", () => {
    const receiptMs = RECEIPT_TTL_SECONDS * 1_000;
    expect(receiptMs).toBeGreaterThanOrEqual(2 * waits.OLD_INTENT_MS);
    const attemptsMs = waits.FIRST_REDELIVERY_MS * 2 ** (waits.MOST_REDELIVERY_DOUBLINGS + 1);
    expect(waits.OLD_INTENT_MS).toBeGreaterThan(attemptsMs);
  });

  it("an agenda looks for stale items more often than items become stale", () => {
    expect(waits.AGENDA_PURGE_MS).toBeLessThan(waits.AGENDA_STALE_MS);
    expect(waits.AGENDA_STALE_MS).toBeGreaterThan(waits.LEFT_TO_OTHERS_MS);
  });
});
