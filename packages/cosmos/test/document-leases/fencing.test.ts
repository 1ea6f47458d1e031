/** A caller that lost a lease cannot write through it, even where it does not know of the loss. */
import { describe, expect, it } from "vitest";
import { fixture, LEASE_MS, WAYS } from "./fixture.ts";

describe.each(WAYS)("an update through a lease by %s", (_, way) => {
  const given = fixture();

  it("changes the named properties, and resolves to the document as it is then", async () => {
    await given().put("n1", { state: "requested", price: 5, note: { by: "anna" } });
    const leases = given().leases(way);
    const lease = await leases.acquire("n1", "anna");

    const document = await leases.update(lease, { state: "offered", price: null, offer: { amount: 7 } });

    expect(document).toMatchObject({
      state: "offered",
      price: null,
      note: { by: "anna" },
      offer: { amount: 7 },
    });
    expect(document["lease"]).toMatchObject({ holder: "anna", token: lease.token });
    expect(await given().read("n1")).toEqual(document);
  });

  it("may be followed by another through the same lease, also after a renewal", async () => {
    await given().put("n1", { state: "requested" });
    const leases = given().leases(way);
    const lease = await leases.acquire("n1", "anna");

    await leases.update(lease, { state: "offered" });
    await leases.acquire("n1", "anna");
    await leases.update(lease, { state: "agreed" });

    expect(await given().read("n1")).toMatchObject({ state: "agreed" });
  });

  it("gives the lease back in the same write where it is asked to", async () => {
    await given().put("n1", { state: "requested" });
    const leases = given().leases(way);
    const lease = await leases.acquire("n1", "anna");

    await leases.update(lease, { state: "offered" }, { giveBack: true });

    const [next] = await leases.nextForState("offered", { limit: 1, holder: "ben" });
    expect(next?.token).toBeGreaterThan(lease.token);
    await expect(leases.update(lease, { state: "lost" })).rejects.toMatchObject({ code: "not-held" });
  });

  it("is refused once another caller took the document over", async () => {
    await given().put("n1", { state: "requested" });
    const leases = given().leases(way);
    const frozen = await leases.acquire("n1", "anna");
    given().passTime(LEASE_MS);
    const taken = await given().leases(way).acquire("n1", "ben");

    const late = leases.update(frozen, { state: "lost" }, { giveBack: true });
    await expect(late).rejects.toMatchObject({ code: "not-held", documentId: "n1", heldBy: "ben" });

    await leases.update(taken, { state: "offered" }, { giveBack: true });
    await expect(leases.update(frozen, { state: "lost" })).rejects.toMatchObject({ code: "not-held" });
    expect(await given().read("n1")).toMatchObject({ state: "offered" });
  });

  it("is refused also where the document was overwritten without its lease in between", async () => {
    await given().put("n1", { state: "requested" });
    const leases = given().leases(way);
    const first = await leases.acquire("n1", "anna");
    await given().put("n1", { state: "requested" });

    await expect(leases.update(first, { state: "lost" })).rejects.toMatchObject({ code: "not-held" });
    const second = await leases.acquire("n1", "ben");
    expect(second.token).toBeGreaterThan(first.token);
    await expect(leases.update(first, { state: "lost" })).rejects.toMatchObject({ code: "not-held" });
  });

  it("is carried out where the lease expired and no caller took it over", async () => {
    await given().put("n1", { state: "requested" });
    const leases = given().leases(way);
    const lease = await leases.acquire("n1", "anna");
    given().passTime(LEASE_MS);

    await leases.update(lease, { state: "offered" });

    expect(await given().read("n1")).toMatchObject({ state: "offered" });
  });

  it("of a document that was deleted is an error", async () => {
    await given().put("n1", { state: "requested" });
    const leases = given().leases(way);
    const lease = await leases.acquire("n1", "anna");
    await given().container.item("n1", "n1").delete();
    await expect(leases.update(lease, { state: "lost" })).rejects.toMatchObject({
      code: "document-not-found",
    });
  });

  it("compares holders to the letter", async () => {
    const holder = "o\"hara\\ ' é 🙂\u2028";
    await given().put("n1", { state: "requested" });
    const leases = given().leases(way);
    const lease = await leases.acquire("n1", holder);
    await leases.update(lease, { state: "offered" });
    const other = { ...lease, holder: "o\"hara\\ ' e 🙂\u2028" };
    await expect(leases.update(other, { state: "lost" })).rejects.toMatchObject({ code: "not-held" });
    expect(await given().read("n1")).toMatchObject({ state: "offered", lease: { holder } });
  });
});
