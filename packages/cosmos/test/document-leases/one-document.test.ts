/** One document, several callers that want it. Each behaviour holds with stored procedures and without. */
import { DocumentLeaseError } from "@duroxide-ts/cosmos/document-leases";
import { describe, expect, it } from "vitest";
import { callerClock, fixture, LEASE_MS, WAYS } from "./fixture.ts";
import { putText, readText } from "./raw-document.ts";

describe.each(WAYS)("a lease by %s", (_, way) => {
  const given = fixture();

  it("is given to one, refused to the next by name and time, and given again when it has expired", async () => {
    await given().put("n1", { state: "requested" });
    const leases = given().leases(way);

    const lease = await leases.acquire("n1", "anna");
    expect(lease).toMatchObject({ id: "n1", partitionKey: "n1", holder: "anna", durationMs: LEASE_MS });
    const refused: unknown = await leases.acquire("n1", "ben").catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "held", documentId: "n1", heldBy: "anna" });
    const expiresInMs = DocumentLeaseError.is(refused, "held") ? refused.expiresInMs : undefined;
    expect(expiresInMs).toBeGreaterThan(LEASE_MS - 300_000);
    expect(expiresInMs).toBeLessThanOrEqual(LEASE_MS);

    given().passTime(LEASE_MS);
    const next = await leases.acquire("n1", "ben");
    expect(next.holder).toBe("ben");
    expect(next.token).toBeGreaterThan(lease.token);
    expect(await given().read("n1")).toMatchObject({ state: "requested", lease: { holder: "ben" } });
  });

  it("is stored in the document, with holder, time and duration by the server's clock", async () => {
    await given().put("n1");
    const clock = callerClock(-7);
    const beganMs = Date.now();

    const lease = await given()
      .leases({ ...way, leaseMs: 5_000, clock })
      .acquire("n1", "anna");
    const endedMs = Date.now();

    const { lease: stored, _ts } = await given().read("n1");
    expect(stored).toMatchObject({ holder: "anna", durationMs: 5_000, token: lease.token });
    expect(stored).toMatchObject({ acquiredAtMs: lease.acquiredAtMs });
    // The server tells whole seconds. How long a request takes is not known.
    for (const toldMs of [lease.acquiredAtMs, Number(_ts) * 1_000]) {
      expect(toldMs).toBeGreaterThan(beganMs - 1_000);
      expect(toldMs).toBeLessThanOrEqual(endedMs);
    }
    expect(lease.heldUntilMs).toBe(clock.now() + 5_000);
  });

  it("lasts a minute by default", async () => {
    await given().put("n1");
    expect(await given().leases({}).acquire("n1", "anna")).toMatchObject({ durationMs: 60_000 });
  });

  it("does not depend on callers' clocks", async () => {
    await given().put("n1");
    const early = given().leases({ ...way, clock: callerClock(-5) });
    const late = given().leases({ ...way, clock: callerClock(9) });

    await early.acquire("n1", "anna");
    await expect(late.acquire("n1", "ben")).rejects.toMatchObject({ code: "held" });
    given().passTime(LEASE_MS);
    await late.acquire("n1", "ben");
    await expect(early.acquire("n1", "anna")).rejects.toMatchObject({ code: "held", heldBy: "ben" });
  });

  it("is renewed by its holder, under the same token", async () => {
    await given().put("n1");
    const leases = given().leases(way);
    const first = await leases.acquire("n1", "anna");

    given().passTime(LEASE_MS - 100_000);
    const renewed = await leases.acquire("n1", "anna");
    expect(renewed.token).toBe(first.token);
    expect(renewed.acquiredAtMs).toBeGreaterThan(first.acquiredAtMs);

    given().passTime(LEASE_MS - 100_000);
    await expect(leases.acquire("n1", "ben")).rejects.toMatchObject({ code: "held" });
  });

  it("that expired is a new one also for its holder", async () => {
    await given().put("n1");
    const leases = given().leases(way);
    const first = await leases.acquire("n1", "anna");

    given().passTime(LEASE_MS);
    const second = await leases.acquire("n1", "anna");

    expect(second.token).toBeGreaterThan(first.token);
    await expect(leases.update(first, { price: 1 })).rejects.toMatchObject({ code: "not-held" });
  });

  it("is broken by its holder, and then free for every caller", async () => {
    await given().put("n1");
    const leases = given().leases(way);
    const first = await leases.acquire("n1", "anna");

    await leases.break("n1", "anna");

    const next = await leases.acquire("n1", "ben");
    expect(next.token).toBeGreaterThan(first.token);
  });

  it("is not broken by another caller", async () => {
    await given().put("n1");
    const leases = given().leases(way);
    await expect(leases.break("n1", "ben")).rejects.toMatchObject({ code: "not-held" });

    await leases.acquire("n1", "anna");
    await expect(leases.break("n1", "ben")).rejects.toMatchObject({ code: "held", heldBy: "anna" });

    given().passTime(LEASE_MS);
    await expect(leases.break("n1", "ben")).rejects.toMatchObject({ code: "not-held" });
    await leases.break("n1", "anna");
    await expect(leases.break("n1", "anna")).rejects.toMatchObject({ code: "not-held" });
  });

  it("of a document that is not there is an error", async () => {
    const leases = given().leases(way);
    await expect(leases.acquire("none", "anna")).rejects.toMatchObject({ code: "document-not-found" });
    await expect(leases.break("none", "anna")).rejects.toMatchObject({ code: "document-not-found" });
  });

  it.each([
    ["a text", "anna"],
    ["without a token", { holder: "anna", acquiredAtMs: 1, durationMs: 1, expiresAtMs: 2 }],
    ["with a holder that is none", { holder: 7, token: 1, acquiredAtMs: 1, durationMs: 1, expiresAtMs: 2 }],
    ["without its end", { holder: "anna", token: 1, acquiredAtMs: 1, durationMs: 1 }],
    ["of another library", { leasedBy: "anna", leasedAt: 1, leaseDuration: 60 }],
  ])("that is malformed (%s) is an error, and stays as it is", async (_name, malformed) => {
    await given().put("n1", { state: "requested", lease: malformed });
    const leases = given().leases(way);
    await expect(leases.acquire("n1", "anna")).rejects.toMatchObject({ code: "malformed-lease" });
    await expect(leases.break("n1", "anna")).rejects.toMatchObject({ code: "malformed-lease" });
    expect(await leases.nextForState("requested", { limit: 1, holder: "anna" })).toEqual([]);
    expect(await given().read("n1")).toMatchObject({ lease: malformed });
  });

  it("goes to one of many callers that ask at once", async () => {
    await given().put("n1");
    const holders = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const leases = holders.map(() => given().leases(way));

    const outcomes = await Promise.allSettled(
      holders.map((holder, index) => leases[index]?.acquire("n1", holder)),
    );

    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(refused.map(({ code }) => code)).toEqual(Array(7).fill("held"));
  });

  it("leaves the rest of the document alone, to the last digit", async () => {
    const { emulator, container } = given();
    await putText(
      emulator,
      container,
      "n1",
      '{"id":"n1","big":9007199254740993,"nested":{"ä":[1,null,"x"]}}',
    );
    const leases = given().leases(way);

    const lease = await leases.acquire("n1", "anna");
    await leases.update(lease, { price: 1 });
    await leases.break("n1", "anna");

    const text = await readText(emulator, container, "n1");
    expect(text).toContain('"big":9007199254740993,"nested":{"ä":[1,null,"x"]}');
  });
});
