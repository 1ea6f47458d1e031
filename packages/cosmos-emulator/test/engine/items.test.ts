/** Single items: what is stored and answered, and what is refused (docs/reference/cosmos-protocol.md §1.5). */
import { describe, expect, it } from "vitest";
import {
  bodyOf,
  create,
  dump,
  onEngine,
  openEngine,
  read,
  refusalOf,
  START_MS,
  upsert,
} from "./support/fixture.ts";

describe("a created item", () => {
  onEngine("has the user's properties, then the system's, in this order", ({ container }) => {
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

  onEngine("loses system properties that a client sends back", ({ container }) => {
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

  onEngine("with an item that is larger than 2 MB", (fixture) => {
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
});

describe("keys of partitions", () => {
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

  it("may be empty in a container whose partition key the service chose", () => {
    const partitionKey = { paths: ["/_partitionKey"], kind: "Hash", version: 2, systemKey: true };
    using fixture = openEngine({ partitionKey });
    const { container } = fixture;
    container.execute([], create({ id: "1", n: 1 }));
    expect(read(container, [], "1")["n"]).toBe(1);
  });
});

describe("a refusal", () => {
  onEngine("says up to which write its partition has come, where the key leads to one", ({ container }) => {
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

describe("a replace", () => {
  onEngine("changes everything but the id, the rid and the place in feeds", ({ container, clock }) => {
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
});

describe("an upsert", () => {
  onEngine("creates although If-Match names an etag", (fixture) => {
    const operation = { ...upsert({ id: "1", pk: "a" }), ifMatch: '"x"' };
    expect(fixture.container.execute(["a"], operation).status).toBe(201);
  });
});

describe("a delete", () => {
  onEngine("leaves the number of the item unused", ({ container }) => {
    const first = bodyOf(container.execute(["a"], create({ id: "1", pk: "a" })));
    container.execute(["a"], { kind: "delete", id: "1" });
    const second = bodyOf(container.execute(["a"], create({ id: "1", pk: "a" })));
    expect(second["_rid"]).not.toBe(first["_rid"]);
  });
});

describe("If-Match", () => {
  onEngine("with a star wants an item, whichever", ({ container }) => {
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
  onEngine("name items by their rid", ({ container }) => {
    const { _rid } = bodyOf(container.execute(["a"], create({ id: "one", pk: "a" })));
    expect(container.itemIdOf(String(_rid))).toBe("one");
    for (const other of ["", "x", container.rid, String(_rid).replace("IB", "IC"), "!!!"]) {
      expect(container.itemIdOf(other)).toBeUndefined();
    }
  });
});
