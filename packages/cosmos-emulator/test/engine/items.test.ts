/** Single items: what is stored and answered, and what is refused (docs/reference/cosmos-protocol.md §1.5). */
import { describe, expect, it } from "vitest";
import { bodyOf, create, dump, openEngine, read, refusalOf, START_MS, upsert } from "./support/fixture.ts";

describe("a created item", () => {
  it("has the user's properties, then the system's, in this order", () => {
    using fixture = openEngine();
    const { container } = fixture;
    const result = container.execute(["a"], { kind: "create", body: '{ "id": "1", "pk": "a", "n": 1.0 }' });
    expect(result.status).toBe(201);
    expect(Object.keys(bodyOf(result))).toEqual([
      "id",
      "pk",
      "n",
      "_rid",
      "_self",
      "_etag",
      "_attachments",
      "_ts",
    ]);
    const { _rid, _self, _etag, _attachments, _ts } = bodyOf(result);
    expect(_self).toBe(`${container.self}docs/${_rid}/`);
    expect(_etag).toBe(result.etag);
    expect(_attachments).toBe("attachments/");
    expect(_ts).toBe(START_MS / 1000);
  });

  it("has an etag that ends like the service's", () => {
    using fixture = openEngine();
    const { etag } = fixture.container.execute(["a"], create({ id: "1", pk: "a" }));
    expect(etag).toMatch(/^"[0-9a-f]{8}(-[0-9a-f]{4}){3}-6ac9ff800000"$/);
  });

  it("is read as it was answered", () => {
    using fixture = openEngine();
    const { body, etag } = fixture.container.execute(
      ["a"],
      create({ id: "1", pk: "a", deep: { list: [1, null] } }),
    );
    const result = fixture.container.execute(["a"], { kind: "read", id: "1" });
    expect(result).toMatchObject({ status: 200, body, etag });
  });

  it("keeps the digits of large integers", () => {
    using fixture = openEngine();
    const body = '{"id":"1","pk":"a","n":9007199254740993,"m":[18446744073709551615]}';
    const result = fixture.container.execute(["a"], { kind: "create", body });
    expect(result.body).toContain('"n":9007199254740993,"m":[18446744073709551615]');
  });

  it("loses system properties that a client sends back", () => {
    using fixture = openEngine();
    const { container } = fixture;
    const first = bodyOf(container.execute(["a"], create({ id: "1", pk: "a" })));
    const second = bodyOf(container.execute(["a"], upsert({ ...first, id: "2", _ts: 5, n: 1 })));
    expect(second["_rid"]).not.toBe(first["_rid"]);
    expect(second["_etag"]).not.toBe(first["_etag"]);
    expect(second["_ts"]).toBe(START_MS / 1000);
    expect(Object.keys(second)).toEqual(["id", "pk", "n", "_rid", "_self", "_etag", "_attachments", "_ts"]);
  });
});

describe("a create is refused", () => {
  it.each([
    ["without an id", { pk: "a" }, 400, undefined],
    ["with an id that is no string", { id: 1, pk: "a" }, 400, undefined],
    ["with a slash in its id", { id: "a/b", pk: "a" }, 400, undefined],
    ["with another partition key in the item", { id: "1", pk: "b" }, 400, 1001],
    ["with no partition key in the item", { id: "1" }, 400, 1001],
  ])("%s", (_name, body, status, substatus) => {
    using fixture = openEngine();
    const refusal = refusalOf(() => fixture.container.execute(["a"], create(body)));
    expect(refusal).toMatchObject({ status, substatus });
    expect(refusal.charge).toBeCloseTo(1.24);
    expect(dump(fixture.container)).toEqual([]);
  });

  it("without a partition key in the request", () => {
    using fixture = openEngine();
    const refusal = refusalOf(() => fixture.container.execute(undefined, create({ id: "1", pk: "a" })));
    expect(refusal).toMatchObject({ status: 400, substatus: 1001 });
  });

  it("with an id that exists in the partition, and only there", () => {
    using fixture = openEngine();
    const { container } = fixture;
    container.execute(["a"], create({ id: "1", pk: "a" }));
    const refusal = refusalOf(() => container.execute(["a"], create({ id: "1", pk: "a", n: 2 })));
    expect(refusal.status).toBe(409);
    expect(refusal.charge).toBeCloseTo(1.57);
    expect(container.execute(["b"], create({ id: "1", pk: "b" })).status).toBe(201);
  });

  it("with an item that is larger than 2 MB", () => {
    using fixture = openEngine();
    const refusal = refusalOf(() =>
      fixture.container.execute(["a"], create({ id: "1", pk: "a", text: "x".repeat(2 * 1024 * 1024) })),
    );
    expect(refusal.status).toBe(413);
    const result = fixture.container.execute(
      ["a"],
      create({ id: "1", pk: "a", text: "x".repeat(2_000_000) }),
    );
    expect(result.status).toBe(201);
  });

  it("with text that is no JSON object", () => {
    using fixture = openEngine();
    for (const body of ["", "[]", "{", '{"id":"1","pk":"a"', "null"]) {
      expect(refusalOf(() => fixture.container.execute(["a"], { kind: "create", body })).status).toBe(400);
    }
  });
});

describe("keys of partitions", () => {
  it("may be of any simple type, or absent, and tell items apart", () => {
    using fixture = openEngine();
    const { container } = fixture;
    const keys = ["a", "", 1, -0.5, true, false, null];
    for (const pk of keys) container.execute([pk], create({ id: "1", pk }));
    container.execute([undefined], create({ id: "1" }));
    for (const pk of keys) expect(read(container, [pk], "1")["pk"]).toBe(pk);
    expect(read(container, [undefined], "1")).not.toHaveProperty("pk");
    expect(refusalOf(() => read(container, ["1"], "1")).status).toBe(404);
  });

  it.each([
    [1, 101],
    [2, 2048],
  ])("of version %i have at most %i bytes", (version, most) => {
    using fixture = openEngine({ partitionKey: { paths: ["/pk"], kind: "Hash", version } });
    const { container } = fixture;
    for (const pk of ["x".repeat(most), '"'.repeat(most), `x${"é".repeat((most - 1) / 2)}`]) {
      expect(container.execute([pk], create({ id: "1", pk })).status).toBe(201);
    }
    for (const pk of ["x".repeat(most + 1), "é".repeat((most + 2) / 2)]) {
      expect(refusalOf(() => container.execute([pk], create({ id: "1", pk }))).status).toBe(400);
    }
  });

  it("may be hierarchical", () => {
    using fixture = openEngine({
      partitionKey: { paths: ["/tenant", "/user/name"], kind: "MultiHash", version: 2 },
    });
    const { container } = fixture;
    container.execute(["t", "u"], create({ id: "1", tenant: "t", user: { name: "u" } }));
    expect(read(container, ["t", "u"], "1")["tenant"]).toBe("t");
    expect(refusalOf(() => read(container, ["t"], "1"))).toMatchObject({ status: 400, substatus: 1001 });
  });

  it("may be empty in a container whose partition key the service chose", () => {
    const partitionKey = { paths: ["/_partitionKey"], kind: "Hash", version: 2, systemKey: true };
    using fixture = openEngine({ partitionKey });
    const { container } = fixture;
    container.execute([], create({ id: "1", n: 1 }));
    expect(read(container, [], "1")["n"]).toBe(1);
  });
});

describe("a refusal", () => {
  it("says up to which write its partition has come, where the key leads to one", () => {
    using fixture = openEngine();
    const { container } = fixture;
    container.execute(["a"], create({ id: "1", pk: "a" }));
    const position = { rangeId: "0", lsn: container.lsnOf("0") };
    const refused = [
      create({ id: "1", pk: "a" }),
      { kind: "read", id: "absent" },
      { kind: "delete", id: "1", ifMatch: '"other"' },
    ] as const;
    for (const operation of refused)
      expect(refusalOf(() => container.execute(["a"], operation))).toMatchObject({ position });
    expect(refusalOf(() => container.execute(undefined, refused[0])).position).toBeUndefined();
  });
});

describe("a read", () => {
  it("of an absent item is 404 and costs one unit", () => {
    using fixture = openEngine();
    const refusal = refusalOf(() => fixture.container.execute(["a"], { kind: "read", id: "x" }));
    expect(refusal).toMatchObject({ status: 404, substatus: undefined, charge: 1 });
  });

  it("with the current etag in If-None-Match answers 304 without a body", () => {
    using fixture = openEngine();
    const { container } = fixture;
    const { etag = "" } = container.execute(["a"], create({ id: "1", pk: "a" }));
    const result = container.execute(["a"], { kind: "read", id: "1", ifNoneMatch: etag });
    expect(result).toMatchObject({ status: 304, etag });
    expect(result.body).toBeUndefined();
    expect(container.execute(["a"], { kind: "read", id: "1", ifNoneMatch: '"other"' }).status).toBe(200);
  });
});

describe("a replace", () => {
  it("changes everything but the id, the rid and the place in feeds", () => {
    using fixture = openEngine();
    const { container, clock } = fixture;
    const before = bodyOf(container.execute(["a"], create({ id: "1", pk: "a", n: 1 })));
    container.execute(["a"], create({ id: "2", pk: "a" }));
    clock.nowMs += 5000;
    const result = container.execute(["a"], { kind: "replace", id: "1", body: { id: "1", pk: "a", m: 2 } });
    const after = bodyOf(result);
    expect(result.status).toBe(200);
    expect(after).toMatchObject({ id: "1", m: 2, _rid: before["_rid"], _ts: START_MS / 1000 + 5 });
    expect(after).not.toHaveProperty("n");
    expect(after["_etag"]).not.toBe(before["_etag"]);
    expect(dump(container).map((row) => JSON.parse(row).id)).toEqual(["1", "2"]);
  });

  it("of an absent item is 404, with another id 400, with another key 400/1001", () => {
    using fixture = openEngine();
    const { container } = fixture;
    container.execute(["a"], create({ id: "1", pk: "a" }));
    const replace = (id: string, body: Record<string, string>) =>
      refusalOf(() => container.execute(["a"], { kind: "replace", id, body }));
    expect(replace("2", { id: "2", pk: "a" }).status).toBe(404);
    expect(replace("1", { id: "2", pk: "a" }).status).toBe(400);
    expect(replace("1", { id: "1", pk: "b" })).toMatchObject({ status: 400, substatus: 1001 });
  });
});

describe("an upsert", () => {
  it("creates, then replaces", () => {
    using fixture = openEngine();
    const { container } = fixture;
    expect(container.execute(["a"], upsert({ id: "1", pk: "a", n: 1 })).status).toBe(201);
    expect(container.execute(["a"], upsert({ id: "1", pk: "a", n: 2 })).status).toBe(200);
    expect(read(container, ["a"], "1")["n"]).toBe(2);
  });

  it("creates although If-Match names an etag", () => {
    using fixture = openEngine();
    const operation = { ...upsert({ id: "1", pk: "a" }), ifMatch: '"x"' };
    expect(fixture.container.execute(["a"], operation).status).toBe(201);
  });
});

describe("a delete", () => {
  it("answers 204 without etag and body, and only once", () => {
    using fixture = openEngine();
    const { container } = fixture;
    container.execute(["a"], create({ id: "1", pk: "a" }));
    const result = container.execute(["a"], { kind: "delete", id: "1" });
    expect(result.status).toBe(204);
    expect(result.body).toBeUndefined();
    expect(result.etag).toBeUndefined();
    expect(refusalOf(() => container.execute(["a"], { kind: "delete", id: "1" })).status).toBe(404);
  });

  it("leaves the number of the item unused", () => {
    using fixture = openEngine();
    const { container } = fixture;
    const first = bodyOf(container.execute(["a"], create({ id: "1", pk: "a" })));
    container.execute(["a"], { kind: "delete", id: "1" });
    const second = bodyOf(container.execute(["a"], create({ id: "1", pk: "a" })));
    expect(second["_rid"]).not.toBe(first["_rid"]);
  });
});

describe("If-Match", () => {
  it.each(["replace", "upsert", "delete", "patch"] as const)("guards a %s", (kind) => {
    using fixture = openEngine();
    const { container } = fixture;
    const { etag = "" } = container.execute(["a"], create({ id: "1", pk: "a", n: 1 }));
    const operation = {
      kind,
      id: "1",
      body: { id: "1", pk: "a", n: 2 },
      patch: { operations: [{ op: "set", path: "/n", value: 2 } as const] },
    };
    const before = dump(container);
    const refusal = refusalOf(() => container.execute(["a"], { ...operation, ifMatch: '"stale"' }));
    expect(refusal.status).toBe(412);
    expect(refusal.charge).toBeCloseTo(1.24);
    expect(dump(container)).toEqual(before);
    expect(container.execute(["a"], { ...operation, ifMatch: etag }).status).toBeLessThan(300);
    expect(dump(container)).not.toEqual(before);
  });

  it("with a star wants an item, whichever", () => {
    using fixture = openEngine();
    const { container } = fixture;
    const operation = { kind: "replace", id: "1", body: { id: "1", pk: "a" }, ifMatch: "*" } as const;
    expect(refusalOf(() => container.execute(["a"], operation)).status).toBe(404);
    container.execute(["a"], create({ id: "1", pk: "a" }));
    expect(container.execute(["a"], operation).status).toBe(200);
  });
});

describe("lenient mode", () => {
  it("accepts slashes in ids", () => {
    using fixture = openEngine({}, { lenient: true });
    fixture.container.execute(["a"], create({ id: "path/like\\key", pk: "a" }));
    expect(read(fixture.container, ["a"], "path/like\\key")["id"]).toBe("path/like\\key");
  });
});

describe("unusual ids", () => {
  it.each(["a\u0000b", "'; DROP TABLE items_2; --", "\u{1f600}", "%", "a\nb"])(
    "%j is an id like any other",
    (id) => {
      using fixture = openEngine();
      const { container } = fixture;
      const { _rid } = bodyOf(container.execute([id], create({ id, pk: id })));
      expect(container.itemIdOf(String(_rid))).toBe(id);
      expect(read(container, [id], id)["id"]).toBe(id);
      expect(refusalOf(() => container.execute([id], create({ id, pk: id }))).status).toBe(409);
      expect(container.execute([id], { kind: "delete", id }).status).toBe(204);
    },
  );
});

describe("links", () => {
  it("name items by their rid", () => {
    using fixture = openEngine();
    const { container } = fixture;
    const { _rid } = bodyOf(container.execute(["a"], create({ id: "one", pk: "a" })));
    expect(container.itemIdOf(String(_rid))).toBe("one");
    for (const other of ["", "x", container.rid, String(_rid).replace("IB", "IC"), "!!!"]) {
      expect(container.itemIdOf(other)).toBeUndefined();
    }
  });
});
