/** The queries of the Rust provider: the right rows, and by an index for those that ask for work again and again. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { QueryRequest } from "../../src/engine/index.ts";
import type { JsonValue } from "../../src/protocol/json.ts";
import { create, type Fixture, openEngine } from "../engine/support/fixture.ts";
import { storedItems } from "./support/rust-items.ts";
import { CANDIDATES, INSTANCE, RUST_QUERIES, type RustQuery } from "./support/rust-queries.ts";
import { StatementWatch } from "./support/statement-watch.ts";

const watch = new StatementWatch();
let fixture: Fixture;
const items = storedItems();

beforeAll(() => {
  fixture = openEngine({ partitionKey: { paths: ["/instanceId"], kind: "Hash", version: 2 } });
  const operations = items.map((item) => ({ partitionKey: [item.instanceId], operation: create(item) }));
  fixture.container.bulk(operations);
});
afterAll(() => {
  fixture[Symbol.dispose]();
  watch[Symbol.dispose]();
});

function requestOf({ text, parameters, partition }: RustQuery): QueryRequest {
  return {
    query: text,
    parameters: new Map(Object.entries(parameters)),
    ...(partition !== undefined && { partitionKey: [partition] }),
  };
}

/** Returns the rows without what the endpoint adds to documents. */
function rowsOf(request: QueryRequest): unknown[] {
  return fixture.container
    .query(request)
    .rows.map((row) => JSON.parse(row, (name, value: unknown) => (name.startsWith("_") ? undefined : value)));
}

/** Sorting keeps the order of insertion among equals. */
function wanted({ matches, order, project, summary }: RustQuery): readonly JsonValue[] {
  const found = items.filter(matches);
  const sorted =
    order === undefined ? found : found.toSorted((left, right) => Number(left[order]) - Number(right[order]));
  const rows = sorted.map((item): JsonValue => project?.(item) ?? item);
  if (summary === "count") {
    return [rows.length];
  }
  return summary === "distinct" ? [...new Set(rows)] : rows;
}

describe("every query gives the right rows", () => {
  test.each(RUST_QUERIES)("$text", (query) => {
    const rows = wanted(query);
    expect(rowsOf(requestOf(query))).toEqual(rows);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThan(items.length);
  });
});

describe("candidates are searched in an index", () => {
  test.each(CANDIDATES)("$text", (query) => {
    const [step, ...more] = watch.plansOf(() => fixture.container.query(requestOf(query)));
    expect(step).toMatch(/^SEARCH d USING INDEX items_\d+_by_\w+ \(<expr>=\? AND <expr>=\?/);
    expect(more).toEqual([]);
  });
});

test("a query of one partition looks at no other, or has an index that is as precise", () => {
  for (const query of RUST_QUERIES.filter(({ partition }) => partition === INSTANCE)) {
    const steps = watch.plansOf(() => fixture.container.query(requestOf(query)));
    expect(steps.join("\n")).toMatch(
      /^SEARCH d USING (COVERING )?INDEX \w+ \((pk=\?|<expr>=\? AND <expr>=\?)/m,
    );
  }
});
