import { describe, expect, it } from "vitest";
import { performCall } from "../../src/scripts/perform-call.ts";
import { FakeCollection } from "./support/fake-collection.ts";

/** Makes a call as a script would send it past the API that it was given. */
function answerTo(operation: string, argument: string): { failed: boolean; number: number } {
  return JSON.parse(performCall(new FakeCollection(), { kind: "call", operation, argument }));
}

describe("a call that the server-side API would not make", () => {
  it.each([
    ["an operation that does not exist", "drop", "{}"],
    ["a property of the collection", "transaction", "{}"],
    ["a property of every object", "constructor", "{}"],
    ["an argument that is no JSON", "read", "{"],
    ["an argument that is no object", "read", "[1]"],
    ["an argument of a thousand levels", "read", "[".repeat(1000) + "]".repeat(1000)],
    ["no document", "read", "{}"],
    ["a document that is no text", "read", '{"id":{"toString":1}}'],
    ["an ETag that is no text", "patch", '{"id":"a","etag":{}}'],
    ["half a page", "query", '{"query":"SELECT 1","pageSize":0.5}'],
    ["a query that is no text", "query", '{"pageSize":1,"query":["SELECT 1"]}'],
    ["parameters that are none", "query", '{"pageSize":1,"query":"SELECT 1","parameters":{}}'],
    ["a parameter without a name", "query", '{"pageSize":1,"query":"SELECT 1","parameters":[{"value":1}]}'],
    ["a parameter that is no object", "query", '{"pageSize":1,"query":"SELECT 1","parameters":[null]}'],
  ])("is refused: %s", (_, operation, argument) => {
    expect(answerTo(operation, argument)).toMatchObject({ failed: true, number: 400 });
  });
});
