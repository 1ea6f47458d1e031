/** Random operations and batches against a model that is a map. fast-check prints its seed. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BatchMode, Container, ItemOperation } from "../../src/engine/index.ts";
import { CosmosError } from "../../src/protocol/cosmos-error.ts";
import { dump, type Fixture, openEngine } from "./support/fixture.ts";

let fixture: Fixture;
beforeAll(() => {
  fixture = openEngine();
});
afterAll(() => fixture[Symbol.dispose]());

let runs = 0;

/** Every run has a partition of its own in the same container. */
function freshKey(): string {
  return `run-${runs++}`;
}

/** The expected items of one partition: n by id. */
type Model = Map<string, number>;

interface Step {
  readonly kind: ItemOperation["kind"];
  readonly id: string;
  readonly n: number;
  /** Whether the operation carries an ETag that is not the item's. */
  readonly isStale: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("create", "upsert", "replace", "read", "delete", "patch"),
  id: fc.constantFrom("1", "2", "3"),
  n: fc.integer({ min: 0, max: 99 }),
  isStale: fc.boolean().chain((first) => (first ? fc.boolean() : fc.constant(false))),
});

function operationOf(pk: string, { kind, id, n, isStale }: Step): ItemOperation {
  const body = { id, pk, n };
  const condition = isStale ? { ifMatch: '"stale"' } : {};
  if (kind === "create" || kind === "upsert") return { kind, body, ...condition };
  if (kind === "replace") return { kind, id, body, ...condition };
  if (kind === "patch")
    return { kind, id, patch: { operations: [{ op: "incr", path: "/n", value: n }] }, ...condition };
  return { kind, id, ...condition };
}

/** The status that the operation should have; the model changes as the item should. */
function applied(model: Model, { kind, id, n, isStale }: Step): number {
  const stored = model.get(id);
  if (kind === "create" || (kind === "upsert" && stored === undefined)) {
    if (stored !== undefined) return 409;
    model.set(id, n);
    return 201;
  }
  if (stored === undefined) return 404;
  if (kind === "read") return 200;
  if (isStale) return 412;
  if (kind === "delete") {
    model.delete(id);
    return 204;
  }
  model.set(id, kind === "patch" ? stored + n : n);
  return 200;
}

/** The statuses that a batch should have; the model changes as the items should. */
function appliedAll(model: Model, steps: readonly Step[], mode: BatchMode): readonly number[] {
  const before = new Map(model);
  const statuses: number[] = [];
  for (const one of steps) {
    const status = applied(model, one);
    statuses.push(status);
    if (status < 400 || mode === "continue") continue;
    const skipped = steps.slice(statuses.length).map(() => 424);
    if (mode === "stop-at-failure") return [...statuses, ...skipped];
    model.clear();
    for (const [id, n] of before) model.set(id, n);
    return [...statuses.slice(0, -1).map(() => 424), status, ...skipped];
  }
  return statuses;
}

function stored(container: Container, pk: string): Model {
  return new Map(dump(container, [pk]).map((row) => [JSON.parse(row).id, JSON.parse(row).n]));
}

function statusOf(container: Container, pk: string, operation: ItemOperation): number {
  try {
    return container.execute([pk], operation).status;
  } catch (error) {
    if (error instanceof CosmosError) return error.status;
    throw error;
  }
}

describe("random operations", () => {
  it("do to a container what they do to a map", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const pk = freshKey();
        const model: Model = new Map();
        for (const one of steps) {
          expect(statusOf(fixture.container, pk, operationOf(pk, one))).toBe(applied(model, one));
        }
        expect(stored(fixture.container, pk)).toEqual(model);
      }),
      { numRuns: 60 },
    );
  });

  it("do in batches what they do to a map, and a failed atomic batch changes nothing at all", () => {
    const batch = fc.record({
      steps: fc.array(step, { minLength: 1, maxLength: 8 }),
      mode: fc.constantFrom<BatchMode>("atomic", "atomic", "stop-at-failure", "continue"),
    });
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 12 }), (batches) => {
        const { container } = fixture;
        const pk = freshKey();
        const model: Model = new Map();
        for (const { steps, mode } of batches) {
          const [before, position] = [dump(container, [pk]), container.lsnOf("0")];
          const operations = steps.map((one) => operationOf(pk, one));
          const result = container.batch([pk], operations, mode);
          expect(result.results.map(({ status }) => status)).toEqual(appliedAll(model, steps, mode));
          expect(stored(container, pk)).toEqual(model);
          if (mode === "atomic" && result.status === 207) {
            expect(dump(container, [pk])).toEqual(before);
            expect(container.lsnOf("0")).toBe(position);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it("can be undone exactly by stale reads", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
        const { container } = fixture;
        const pk = freshKey();
        const states = [dump(container, [pk])];
        for (const one of steps) {
          const before = container.lsnOf("0");
          statusOf(container, pk, operationOf(pk, one));
          if (container.lsnOf("0") > before) states.push(dump(container, [pk]));
        }
        states.reverse().forEach((state, writesBehind) => {
          expect(container.readFeed({ partitionKey: [pk], writesBehind }).rows).toEqual(state);
        });
      }),
      { numRuns: 40 },
    );
  });
});
