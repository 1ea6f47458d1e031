/** A service that does not answer: a call ends with its time, however long the caller's client would wait. */
import { expect, it } from "vitest";
import { fixture, WAYS } from "./fixture.ts";

const given = fixture();

it.each(WAYS)(
  "every call for a lease by %s is refused as unavailable once its time is over",
  async (_, way) => {
    const { emulator } = given();
    await given().put("n1", { state: "requested" });
    const leases = given().leases({ ...way, timeoutMs: 300, requestTimeoutMs: 200 });
    await leases.prepare();
    const lease = await given().leases(way).acquire("n1", "anna");
    emulator.faults.add({
      match: { operation: ["item.query", "item.batch", "item.patch", "storedProcedure.execute"] },
      effect: { kind: "delay", delayMs: 3_600_000 },
    });
    const calls = [
      leases.acquire("n1", "anna"),
      leases.update(lease, { state: "offered" }),
      leases.nextForState("requested", { limit: 1, holder: "ben" }),
    ];
    const outcomes = await Promise.allSettled(calls);
    const refused = { status: "rejected", reason: expect.objectContaining({ code: "unavailable" }) };
    expect(outcomes).toEqual([refused, refused, refused]);
  },
);
