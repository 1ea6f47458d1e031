/** What the foot of the overview says it cost, on the store that charges by request. */
import type { QueryCost } from "@duroxide-ts/core/stores";
import { expect, it, type MockInstance, vi } from "vitest";
import { dashboard } from "../src/index.ts";
import { openStore } from "./support/stores.ts";

interface Page {
  readonly cost?: QueryCost;
}

/** The request units that the calls say they cost. */
async function unitsOf(calls: readonly (Promise<Page> | Page)[]): Promise<number> {
  const pages = await Promise.all(calls);
  return pages.reduce((sum, { cost }) => sum + (cost?.requestUnits ?? 0), 0);
}

function answersOf(spy: MockInstance): Page[] {
  return spy.mock.results.map(({ value }) => value as Page);
}

it("the overview says what those of its queries cost that tell it", async () => {
  await using store = await openStore("cosmos");
  const { provider } = store;
  const queries = provider.admin?.queries;
  if (queries === undefined) throw new Error("the store has no queries");
  const lists = vi.spyOn(queries, "queryInstances");
  const rows = vi.spyOn(queries, "listWork");
  const handler = dashboard({ provider, authorize: () => ({ user: "ada", role: "viewer" }) });
  const response = await handler(new Request("http://127.0.0.1/api/overview"));
  const { requestUnits } = (await response.json()) as { readonly requestUnits: number };
  // Another search of the queues is made by `admin.blocked`, which does not tell.
  const oldest = answersOf(rows).filter((_, at) => rows.mock.calls[at]?.[0]?.limit === 1);
  expect([lists.mock.calls.length, oldest.length]).toEqual([2, 1]);
  expect(requestUnits).toBeCloseTo(await unitsOf([...answersOf(lists), ...oldest]), 6);
});
