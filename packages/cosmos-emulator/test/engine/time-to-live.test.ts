/** Expiry of items (docs/reference/cosmos-protocol.md §1.14). */
import { describe, expect, it } from "vitest";
import {
  create,
  dump,
  type Fixture,
  onEngine,
  openEngine,
  read,
  refusalOf,
  upsert,
} from "./support/fixture.ts";

function isThere({ container }: Fixture, id: string): boolean {
  const point = (() => {
    try {
      return container.execute(["a"], { kind: "read", id }).status === 200;
    } catch {
      return false;
    }
  })();
  const byQuery =
    container.query({ query: `SELECT VALUE c.id FROM c WHERE c.id = "${id}"` }).rows.length === 1;
  const inFeed = dump(container).some((row) => JSON.parse(row).id === id);
  expect([byQuery, inFeed]).toEqual([point, point]);
  return point;
}

function setDefault(fixture: Fixture, defaultTtl: number | null): void {
  const { body } = fixture.engine.readContainer("db", "docs");
  fixture.engine.replaceContainer("db", "docs", { ...JSON.parse(body), defaultTtl });
}

describe("an item", () => {
  it("vanishes from reads, queries and feeds when its time is over, to the second", () => {
    using fixture = openEngine({ defaultTtl: 10 });
    const { container, clock } = fixture;
    clock.nowMs += 400;
    container.execute(["a"], create({ id: "1", pk: "a" }));
    clock.nowMs += 9599;
    expect(isThere(fixture, "1")).toBe(true);
    clock.nowMs += 1;
    expect(isThere(fixture, "1")).toBe(false);
  });

  it("that expired can be created again, and is no item for replace, patch and delete", () => {
    using fixture = openEngine({ defaultTtl: -1 });
    const { container, clock } = fixture;
    container.execute(["a"], create({ id: "1", pk: "a", ttl: 1 }));
    clock.nowMs += 1000;
    const operations = [
      { kind: "replace", id: "1", body: { id: "1", pk: "a" } },
      { kind: "patch", id: "1", patch: { operations: [{ op: "set", path: "/n", value: 1 }] } },
      { kind: "delete", id: "1" },
    ] as const;
    for (const operation of operations) {
      expect(refusalOf(() => container.execute(["a"], operation)).status).toBe(404);
    }
    expect(container.execute(["a"], upsert({ id: "1", pk: "a" })).status).toBe(201);
  });
});

describe("the default of a container", () => {
  it.each([0, -2, 1.5, "1"])("must not be %j", (defaultTtl) => {
    expect(refusalOf(() => openEngine({ defaultTtl })).status).toBe(400);
  });

  onEngine("counts for items that were there before", (fixture) => {
    const { container, clock } = fixture;
    container.execute(["a"], create({ id: "plain", pk: "a" }));
    container.execute(["a"], create({ id: "own", pk: "a", ttl: 100 }));
    container.execute(["a"], create({ id: "text", pk: "a", ttl: "later" }));
    container.execute(["a"], create({ id: "huge", pk: "a", ttl: Number.MAX_SAFE_INTEGER }));
    container.execute(["a"], create({ id: "zero", pk: "a", ttl: 0 }));
    setDefault(fixture, 10);
    clock.nowMs += 10_000;
    const changed = { ...fixture, container: fixture.reopened() };
    expect(["plain", "text", "huge", "zero"].filter((id) => isThere(changed, id))).toEqual([]);
    expect(isThere(changed, "own")).toBe(true);
    setDefault(fixture, null);
    clock.nowMs += 1_000_000;
    expect(read(fixture.reopened(), ["a"], "own")["ttl"]).toBe(100);
  });
});
