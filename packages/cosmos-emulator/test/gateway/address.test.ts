import { describe, expect, it } from "vitest";
import { parseAddress } from "../../src/gateway/requests/address.ts";
import { Fixture, keyOf, withFixture } from "./support/fixture.ts";

const strict = { slashesInIds: false };
const lenient = { slashesInIds: true };

describe("an address", () => {
  it.each([
    ["/", "account", "one", "", ""],
    ["/dbs", "database", "feed", "dbs", ""],
    ["/dbs/d", "database", "one", "dbs", "dbs/d"],
    ["/dbs/d/colls", "container", "feed", "colls", "dbs/d"],
    ["/dbs/d/colls/c/", "container", "one", "colls", "dbs/d/colls/c"],
    ["/dbs/d/colls/c/docs", "item", "feed", "docs", "dbs/d/colls/c"],
    ["/dbs/d/colls/c/docs/i", "item", "one", "docs", "dbs/d/colls/c/docs/i"],
    ["/dbs/d/colls/c/pkranges", "partitionKeyRange", "feed", "pkranges", "dbs/d/colls/c"],
    ["/dbs/d/colls/c/sprocs/s", "storedProcedure", "one", "sprocs", "dbs/d/colls/c/sprocs/s"],
    [
      "/dbs/d/colls/c/operations/partitionkeydelete",
      "partitionKeyOperation",
      "one",
      "colls",
      "dbs/d/colls/c",
    ],
    ["/offers", "offer", "feed", "offers", ""],
    ["/offers/AbC=", "offer", "one", "offers", "abc="],
    ["/dbs/d/users/u/permissions", "permission", "feed", "permissions", "dbs/d/users/u"],
    ["http://proxy.example/dbs/d", "database", "one", "dbs", "dbs/d"],
  ])("of %s names a resource and what is signed", (path, kind, scope, signedType, signedLink) => {
    expect(parseAddress(path, strict)).toMatchObject({ kind, scope, signedType, signedLink });
  });

  it.each([
    ["a?b&c=d", "a?b&c=d"],
    ["?", "?"],
    ["a%20b", "a b"],
    ["100%25", "100%"],
    ["%E2%82%AC", "€"],
    ["a+b", "a+b"],
    ["path%2Flike", "path/like"],
  ])("reads the item id %s from the raw path", (raw, id) => {
    const address = parseAddress(`/dbs/d/colls/c/docs/${raw}`, strict);
    expect(address).toMatchObject({ id, signedLink: `dbs/d/colls/c/docs/${id}` });
  });

  it("leaves out a query string where no item follows", () => {
    expect(parseAddress("/dbs/d/colls?x=1", strict)).toMatchObject({
      kind: "container",
      signedLink: "dbs/d",
    });
    expect(parseAddress("/dbs/d/colls/c/docs?x=1", strict)).toMatchObject({ kind: "item", scope: "feed" });
  });

  it.each(["/dbs/%", "/dbs/%C3", "/dbs//colls", "/dbs/d/colls/c/docs/%E2%82"])(
    "that cannot be read is refused with 400: %s",
    (path) => {
      expect(() => parseAddress(path, strict)).toThrow(expect.objectContaining({ status: 400 }));
    },
  );

  it.each(["/nonsense", "/dbs/d/nonsense", "/dbs/d/colls/c/docs/i/attachments", "/dbs/d/colls/c/docs/a/b"])(
    "of nothing that exists is refused with 400: %s",
    (path) => {
      expect(() => parseAddress(path, strict)).toThrow(expect.objectContaining({ status: 400 }));
    },
  );

  it("may have slashes in the item id of a lenient endpoint", () => {
    const address = parseAddress("/dbs/d/colls/c/docs/a/b%2Fc", lenient);
    expect(address).toMatchObject({ kind: "item", scope: "one", id: "a/b/c" });
  });
});

describe("items over HTTP", () => {
  it.each(["a?b&c=d", "?", "100%", "a b", "naïve €", "a+b", "it's:'quoted';"])(
    "are found under the id %s",
    async (id) => {
      await using fixture = await Fixture.start();
      expect((await fixture.create({ id, pk: "p" })).status).toBe(201);
      const read = await fixture.item("GET", "p", id);
      expect([read.status, read.json?.id]).toEqual([200, id]);
    },
  );

  withFixture("are found by their _self link and by the container's _rid", async (fixture) => {
    const { json: item } = await fixture.create({ id: "a", pk: "p" });
    const bySelf = await fixture.client.signed(
      "GET",
      { link: item._self.replace(/\/$/, "") },
      { headers: keyOf("p") },
    );
    expect([bySelf.status, bySelf.json.id]).toEqual([200, "a"]);
    const byRid = await fixture.client.signed("GET", { link: item._self.split("/docs/")[0] });
    expect([byRid.status, byRid.json.id]).toEqual([200, "items"]);
  });

  it("with an encoded slash in the id are refused, but stored by a lenient endpoint", async () => {
    await using fixture = await Fixture.start();
    expect((await fixture.create({ id: "a/b", pk: "p" })).status).toBe(400);
    await using other = await Fixture.start({ lenient: true });
    expect((await other.create({ id: "a/b", pk: "p" })).status).toBe(201);
    const path = "/dbs/db/colls/items/docs/a%2Fb";
    expect((await other.item("GET", "p", "a/b", { path })).status).toBe(200);
    const asItIs = await other.item("GET", "p", "a/b");
    expect(asItIs.status).toBe(200);
  });
});
