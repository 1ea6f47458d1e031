/** A whole document is saved through its lease: acquire, save, break. */
import { describe, expect, it } from "vitest";
import { fixture, LEASE_MS, WAYS } from "./fixture.ts";

describe.each(WAYS)("a document that is saved through a lease by %s", (_, way) => {
  const given = fixture();

  it("keeps its lease, which is then broken by its holder", async () => {
    await given().put("n1", { state: "requested", price: 5 });
    const leases = given().leases(way);

    const lease = await leases.acquire("n1", "anna");
    const saved = await leases.replace(lease, { id: "n1", state: "offered" });
    await expect(leases.acquire("n1", "ben")).rejects.toMatchObject({ code: "held", heldBy: "anna" });
    await leases.break("n1", "anna");

    expect(saved).toMatchObject({ state: "offered", lease: { holder: "anna", token: lease.token } });
    const stored = await given().read("n1");
    expect(stored).toMatchObject({ state: "offered", lease: { token: lease.token } });
    expect(stored).not.toHaveProperty("price");
    expect(stored).not.toHaveProperty("lease.holder");
  });

  it("gives the lease back in the same write where it is asked to", async () => {
    await given().put("n1", { state: "requested" });
    const leases = given().leases(way);
    const lease = await leases.acquire("n1", "anna");
    await leases.replace(lease, { ...lease.document, state: "offered" }, { giveBack: true });
    expect(await leases.acquire("n1", "ben")).toMatchObject({ document: { state: "offered" } });
    await expect(leases.replace(lease, { id: "n1" })).rejects.toMatchObject({ code: "not-held" });
  });

  it("keeps the time of a renewal", async () => {
    await given().put("n1");
    const leases = given().leases(way);
    const lease = await leases.acquire("n1", "anna");
    given().passTime(LEASE_MS / 2);
    await leases.acquire("n1", "anna");
    await leases.replace(lease, { id: "n1", state: "offered" });
    given().passTime(LEASE_MS / 2);
    await expect(leases.acquire("n1", "ben")).rejects.toMatchObject({ code: "held" });
  });

  it("is not written once another caller took it over, or removed it", async () => {
    await given().put("n1", { state: "requested" });
    const leases = given().leases(way);
    const frozen = await leases.acquire("n1", "anna");
    given().passTime(LEASE_MS);
    await leases.acquire("n1", "ben");
    const late = leases.replace(frozen, { id: "n1", state: "lost" });
    await expect(late).rejects.toMatchObject({ code: "not-held", heldBy: "ben" });
    expect(await given().read("n1")).toMatchObject({ state: "requested" });
    await given().container.item("n1", "n1").delete();
    const gone = leases.replace(frozen, { id: "n1", state: "lost" });
    await expect(gone).rejects.toMatchObject({ code: "document-not-found" });
  });

  it("refuses at once what cannot be stored, and options that there are not", async () => {
    await given().put("n1", { state: "requested" });
    const leases = given().leases(way);
    const lease = await leases.acquire("n1", "anna");
    const circle: Record<string, unknown> = { id: "n1" };
    circle["itself"] = circle;
    const misspelt = { giveback: true } as object;
    for (const call of [
      () => leases.replace(lease, { id: "n1", price: 5n }),
      () => leases.replace(lease, circle as { id: string }),
      () => leases.update(lease, { price: 5n }),
      () => leases.replace(lease, { id: "n1" }, misspelt),
      () => leases.update(lease, { state: "offered" }, misspelt),
    ])
      await expect(call()).rejects.toMatchObject({ code: "invalid-input" });
    expect(await given().read("n1")).toMatchObject({ state: "requested" });
  });

  it("is written once where the response is lost", async () => {
    await given().put("n1", { state: "requested" });
    const leases = given().leases(way);
    const lease = await leases.acquire("n1", "anna");
    const match = { operation: "item.replace" } as const;
    given().emulator.faults.add({ match, effect: { kind: "loseResponse" }, next: 1 });
    // The repetition of the same request finds another ETag; a further write would be refused.
    given().emulator.faults.add({ match, effect: { kind: "error", status: 403 }, skip: 1 });
    const saved = await leases.replace(lease, { id: "n1", state: "offered" }, { giveBack: true });
    expect(saved).toMatchObject({ state: "offered" });
    expect(await given().read("n1")).toMatchObject({ state: "offered", lease: { token: lease.token } });
  });

  it("must be the document of the lease", async () => {
    await given().put("n1");
    const leases = given().leases(way);
    const lease = await leases.acquire("n1", "anna");
    await expect(leases.replace(lease, { id: "n2" })).rejects.toMatchObject({ code: "invalid-input" });
  });
});
