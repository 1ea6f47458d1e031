/** The number and the size of the items of a container: counted with every write, not by reading all rows. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Container, ItemOperation } from "../../src/engine/index.ts";
import { CosmosError } from "../../src/protocol/cosmos-error.ts";
import { create, dump, onEngine, openEngine, temporaryFolder, upsert } from "./support/fixture.ts";

/** Counts the items, as the counters should. */
function counted(container: Container): { readonly items: number; readonly bytes: number } {
  const rows = dump(container);
  return { items: rows.length, bytes: rows.reduce((sum, row) => sum + Buffer.byteLength(row), 0) };
}

const item = fc.record({
  id: fc.constantFrom("a", "b", "c"),
  pk: fc.constantFrom("x", "y", "é"),
  text: fc.string({ unit: "binary", maxLength: 20 }),
});

const step = fc.oneof(
  fc.record({ kind: fc.constantFrom("create" as const, "upsert" as const, "delete" as const), item }),
  fc.record({
    kind: fc.constant("batch" as const),
    items: fc.array(item, { minLength: 1, maxLength: 4 }),
    mode: fc.constantFrom("atomic" as const, "continue" as const),
  }),
  fc.record({ kind: fc.constant("deletePartition" as const), item }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Does the step, which may be refused. */
function perform(container: Container, step: Step): void {
  try {
    if (step.kind === "batch") {
      const operations: ItemOperation[] = step.items.map(({ id, text }) => create({ id, pk: "x", text }));
      container.batch(["x"], operations, step.mode);
    } else if (step.kind === "deletePartition") container.deletePartition([step.item.pk]);
    else if (step.kind === "delete") container.execute([step.item.pk], { kind: "delete", id: step.item.id });
    else container.execute([step.item.pk], { kind: step.kind, body: step.item });
  } catch (error) {
    expect(error).toBeInstanceOf(CosmosError);
  }
}

describe("the usage of a container", () => {
  it("is that of its items, whatever was written, refused and undone", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        using fixture = openEngine({}, { physicalPartitions: 3 });
        for (const each of steps) perform(fixture.container, each);
        expect(fixture.container.usage()).toEqual(counted(fixture.container));
      }),
      { numRuns: 60 },
    );
  });

  onEngine("is as before after a transaction that was undone", ({ engine, container }) => {
    container.execute(["a"], create({ id: "1", pk: "a" }));
    const before = container.usage();
    const undone = (): never =>
      engine.transaction(() => {
        container.execute(["a"], create({ id: "2", pk: "a" }));
        throw new Error("undo it");
      });
    expect(undone).toThrow("undo it");
    expect(container.usage()).toEqual(before);
  });

  it("has expired items until a write removes them", () => {
    using fixture = openEngine({ defaultTtl: 10 }, { physicalPartitions: 3 });
    const { container, clock } = fixture;
    for (const pk of ["a", "b", "c", "d"]) container.execute([pk], create({ id: "1", pk }));
    clock.nowMs += 10_000;
    expect(container.usage().items).toBe(4);
    container.execute(["e"], upsert({ id: "1", pk: "e" }));
    expect(container.usage()).toEqual(counted(container));
    expect(container.usage().items).toBe(1);
  });

  it("is kept in the file", () => {
    using folder = temporaryFolder();
    const path = folder.file("usage.db");
    const before = (() => {
      using fixture = openEngine({}, { path });
      fixture.container.execute(["a"], create({ id: "1", pk: "a" }));
      return fixture.container.usage();
    })();
    using fixture = openEngine({}, { path });
    expect(fixture.container.usage()).toEqual(before);
    expect(before).toEqual(counted(fixture.container));
  });
});
