/** Answers that are lost, a service that is busy: nothing is lost, and nothing is leased twice. */
import { DocumentLeases } from "@duroxide-ts/cosmos/document-leases";
import { describe, expect, it } from "vitest";
import { letTimePass } from "../connection/fixture.ts";
import { callerClock, fixture, WAYS } from "./fixture.ts";

/** The requests by which leases are written, in either way. */
const WRITES = ["item.batch", "storedProcedure.execute", "item.patch"] as const;

describe.each(WAYS)("a lease by %s", (_, way) => {
  const given = fixture();

  const loseAnswers = (next: number): void => {
    const match = { operation: [...WRITES] };
    given().emulator.faults.add({ match, next, effect: { kind: "loseResponse" } });
  };
  const throttle = (next: number, retryAfterMs: number): void => {
    const match = { operation: [...WRITES] };
    given().emulator.faults.add({ match, next, effect: { kind: "error", status: 429, retryAfterMs } });
  };

  it("is found again after a lost answer, under the token that was stored", async () => {
    await given().put("n1");
    const leases = given().leases(way);
    await leases.prepare();
    loseAnswers(1);

    const lease = await leases.acquire("n1", "anna");

    expect((await given().read("n1"))["lease"]).toMatchObject({ holder: "anna", token: lease.token });
    expect(lease.token - lease.acquiredAtMs).toBeLessThanOrEqual(0);
    await leases.update(lease, { state: "offered" });
  });

  it("is given back once, also when the answer to that is lost", async () => {
    await given().put("n1");
    const leases = given().leases(way);
    await leases.acquire("n1", "anna");
    loseAnswers(1);

    await leases.break("n1", "anna");

    await expect(leases.break("n1", "anna")).rejects.toMatchObject({ code: "not-held" });
  });

  it("ends with its update, also when the answer to that is lost", async () => {
    await given().put("n1", { state: "requested" });
    const leases = given().leases(way);
    const lease = await leases.acquire("n1", "anna");
    loseAnswers(1);

    const document = await leases.update(lease, { state: "offered" }, { giveBack: true });

    expect(document).toMatchObject({ state: "offered" });
    expect(await given().read("n1")).toEqual(document);
  });

  it("is reported lost, with the doubt, where another caller took the document after a lost answer", async () => {
    await given().put("n1", { state: "requested" });
    const clock = callerClock(0);
    const leases = given().leases({ ...way, clock });
    const lease = await leases.acquire("n1", "anna");
    loseAnswers(1);
    const match = { operation: "item.patch" } as const;
    given().emulator.faults.add({ match, next: 1, effect: { kind: "error", status: 503 } });
    const update = leases.update(lease, { state: "offered" }, { giveBack: true });
    const caught = update.catch((error: unknown) => error);
    while (clock.nextDueMs === undefined) await new Promise((resolve) => setImmediate(resolve));

    await given().leases(way).acquire("n1", "ben");

    const error = await letTimePass(clock, caught);
    expect(error).toMatchObject({ code: "not-held", heldBy: "ben" });
    expect(String(error)).toContain("may have been executed");
  });

  it.each([1, 2])(
    "is found again by nextForState after %i lost answers, and none is leased twice",
    async (times) => {
      for (const id of ["a", "b", "c", "d", "e"]) await given().put(id, { state: "requested" });
      const container = await given().newContainer(["/tenant"]);
      void container;
      const leases = given().leases(way);
      await leases.prepare();
      loseAnswers(times);

      const taken = await leases.nextForState("requested", { limit: 3, holder: "anna" });

      expect(taken).toHaveLength(3);
      for (const { id, token } of taken) {
        expect((await given().read(id))["lease"]).toMatchObject({ holder: "anna", token });
      }
      expect(await leases.nextForState("requested", { limit: 9, holder: "ben" })).toHaveLength(2);
    },
  );

  it("is waited for as long as a throttled service advises", async () => {
    await given().put("n1", { state: "requested" });
    const clock = callerClock(-2);
    const leases = given().leases({ ...way, clock });
    await leases.prepare();
    const beforeMs = clock.now();

    throttle(2, 700);
    await letTimePass(clock, leases.acquire("n1", "anna"));
    expect(clock.now() - beforeMs).toBe(1_400);
    await leases.break("n1", "anna");

    throttle(2, 700);
    const next = leases.nextForState("requested", { limit: 1, holder: "ben" });
    expect(await letTimePass(clock, next)).toMatchObject([{ id: "n1" }]);
    expect(clock.now() - beforeMs).toBe(2_800);
  });

  it("fails with an error that may be repeated where the service stays busy, and nothing is lost", async () => {
    for (const id of ["a", "b", "c"]) await given().put(id, { state: "requested" });
    const clock = callerClock(0);
    const leases = given().leases({ ...way, clock, timeoutMs: 2_000 });
    await leases.prepare();

    throttle(1_000, 900);
    const error = await letTimePass(
      clock,
      leases.nextForState("requested", { limit: 3, holder: "anna" }).catch((e: unknown) => e),
    );
    expect(error).toMatchObject({ name: "ProviderError", code: "unavailable", retryable: true });

    given().emulator.faults.clear();
    expect(await leases.nextForState("requested", { limit: 3, holder: "ben" })).toHaveLength(3);
  });

  it("that was had is handed out although the rest could not be reached", async () => {
    for (const [at, id] of ["a", "b", "c", "d"].entries()) await given().put(id, { state: "requested", at });
    const warnings: string[] = [];
    const onWarning = (text: string): number => warnings.push(text);
    const clock = callerClock(0);
    // In order of a property all partitions are asked at once.
    const leases = given().leases({ ...way, clock, timeoutMs: 1_000, orderBy: "at", onWarning });
    await leases.prepare();
    const effect = { kind: "error", status: 429, retryAfterMs: 5_000 } as const;
    given().emulator.faults.add({ match: { operation: [...WRITES], partitionKey: "b" }, effect });

    const next = leases.nextForState("requested", { limit: 4, holder: "anna" });

    expect((await letTimePass(clock, next)).map(({ id }) => id).sort()).toEqual(["a", "c", "d"]);
    expect(warnings).toHaveLength(1);
  });
});

describe.each(WAYS)("more than one request takes, by %s", (_, way) => {
  const given = fixture();

  it("is handed out as far as it was had when the service became busy", async () => {
    const container = await given().newContainer(["/tenant"]);
    for (let n = 0; n < 150; n++) {
      const text = "x".repeat(5_000);
      await container.items.create({ id: `n${n}`, tenant: "t", state: "requested", text });
    }
    const warnings: string[] = [];
    const onWarning = (text: string): number => warnings.push(text);
    const clock = callerClock(0);
    const leases = DocumentLeases.on(container, { ...way, clock, timeoutMs: 1_000, onWarning });
    await leases.prepare();
    const effect = { kind: "error", status: 429, retryAfterMs: 5_000 } as const;
    given().emulator.faults.add({ match: { operation: [...WRITES] }, skip: 1, effect });

    const next = leases.nextForState("requested", { limit: 150, holder: "anna", partitionKey: "t" });
    const taken = await letTimePass(clock, next);

    expect(taken.length).toBeGreaterThan(50);
    expect(taken.length).toBeLessThan(150);
    expect(warnings).toHaveLength(1);
  });
});

describe.each(WAYS)("a document that is written all the time", (_, way) => {
  const given = fixture();

  it("is leased all the same", async () => {
    await given().put("n1", { state: "requested", n: 0 });
    const leases = given().leases(way);
    await leases.prepare();
    let isDone = false;
    const write = async (): Promise<void> => {
      const item = given().container.item("n1", "n1");
      for (let n = 1; !isDone; n++) await item.patch([{ op: "set", path: "/n", value: n }]);
    };
    const writing = write();

    const [lease] = await leases.nextForState("requested", { limit: 1, holder: "anna" });
    await leases.acquire("n1", "anna");
    isDone = true;
    await writing;

    expect(lease?.id).toBe("n1");
  });
});
