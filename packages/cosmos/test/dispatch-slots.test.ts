/** The same instance has the same slot in Rust and here: docs/reference/wire-format.md §7. */
import { describe, expect, it } from "vitest";
import { hashInstanceId } from "../src/documents/dispatch-slot.ts";
import { DISPATCH_SLOTS, dispatchSlot } from "../src/index.ts";
import { dispatchSlotVectors } from "./vectors.ts";

describe("the slot of an instance", () => {
  it("is Rust's, as is the whole hash", () => {
    expect(dispatchSlotVectors).toHaveLength(212);
    for (const { instanceId, hash, slot } of dispatchSlotVectors) {
      const { low, high } = hashInstanceId(instanceId);
      expect(((BigInt(high) << 32n) | BigInt(low)).toString(), JSON.stringify(instanceId)).toBe(hash);
      expect(dispatchSlot(instanceId), JSON.stringify(instanceId)).toBe(slot);
    }
  });

  it("spreads evenly over all slots", () => {
    const counts = new Array<number>(DISPATCH_SLOTS).fill(0);
    for (let i = 0; i < 100 * DISPATCH_SLOTS; i += 1) {
      const slot = dispatchSlot(`order-${i}`);
      counts[slot] = (counts[slot] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(50);
    expect(Math.max(...counts)).toBeLessThan(150);
  });
});
