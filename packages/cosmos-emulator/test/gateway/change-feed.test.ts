import { describe, expect } from "vitest";
import { CONTAINER, type Fixture, withFixture } from "./support/fixture.ts";
import type { RawResponse } from "./support/raw-client.ts";

function readFeed(fixture: Fixture, headers: Record<string, string>): Promise<RawResponse> {
  const target = { link: CONTAINER, feed: "docs" };
  const mode = { "A-IM": "Incremental Feed", "x-ms-documentdb-partitionkeyrangeid": "0" };
  return fixture.client.signed("GET", target, { headers: { ...mode, ...headers } });
}

describe("the change feed", () => {
  withFixture("is refused in modes that need continuous backup, and in unknown ones", async (fixture) => {
    expect((await readFeed(fixture, { "A-IM": "Full-Fidelity Feed" })).status).toBe(400);
    expect((await readFeed(fixture, { "A-IM": "everything" })).status).toBe(400);
    expect((await readFeed(fixture, { "A-IM": "INCREMENTAL feed" })).status).toBe(304);
  });
});
