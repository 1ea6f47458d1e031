/** The filter of the list in the address of the page. */
import { expect, it } from "vitest";
import { filterFrom, filterToQuery } from "../src/page/shapes/filter.ts";

it("leaves out no condition, whatever a link or a saved view calls it, so that the server refuses what it does not know", () => {
  const address = new URLSearchParams(
    "name=checkout&stat=failed&order=created-asc&waits=1&continuation=x&version=",
  );
  expect(filterFrom(address)).toEqual({ name: "checkout", stat: "failed" });
});

it("is the same after it was written into an address", () => {
  const filter = { state: "failed", tags: "tenant=acme priority>=2", error: "a&b=c" } as const;
  expect(filterFrom(filterToQuery(filter))).toEqual(filter);
});
