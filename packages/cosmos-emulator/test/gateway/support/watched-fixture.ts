/** A fixture for hostile requests: whatever is sent, the endpoint itself must not fail. */
import { expect } from "vitest";
import { CONTAINER, Fixture, keyOf } from "./fixture.ts";
import type { RawResponse } from "./raw-client.ts";

export const BATCH = { "x-ms-cosmos-is-batch-request": "true" };
export const QUERY = { "content-type": "application/query+json", "x-ms-documentdb-isquery": "true" };

export interface WatchedFixture {
  readonly fixture: Fixture;
  /** Failures of the endpoint itself. */
  readonly failures: unknown[];
  /** Posts to the feed of items, with the partition key "p". */
  post(body: string | Buffer, headers: Record<string, string>): Promise<RawResponse>;
  /** Refused by the service's rules, or served; never a failure of the endpoint. */
  expectService(response: RawResponse): void;
}

export async function startWatched(): Promise<WatchedFixture> {
  const failures: unknown[] = [];
  const fixture = await Fixture.start({ onFailure: (error) => failures.push(error) });
  return {
    fixture,
    failures,
    post: (body, headers) =>
      fixture.client.signed(
        "POST",
        { link: CONTAINER, feed: "docs" },
        { body, headers: { ...keyOf("p"), ...headers } },
      ),
    expectService({ status, text, json }) {
      expect(failures.splice(0)).toEqual([]);
      expect(status).toBeGreaterThanOrEqual(200);
      expect(status, text).toBeLessThan(500);
      if (status >= 400)
        expect(json).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    },
  };
}
