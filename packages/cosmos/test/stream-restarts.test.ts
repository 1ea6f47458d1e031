/** The record of a stream whose steps begin again more often than it has room for (extend-stream.ts). */
import { expect, it } from "vitest";
import { emptyStream, MOST_RESTARTS } from "../src/documents/stream.ts";
import { extendStream } from "../src/streams/extend-stream.ts";

it("says in the restart that follows from where on the values of the forgotten ones are void", () => {
  let state = emptyStream("s");
  for (let delivery = 1; delivery <= MOST_RESTARTS + 10; delivery++) {
    const writer = { call: "2", name: "work", leastAttempt: 1, written: 0, lockToken: "" };
    const bounds = { maxItems: 1_000, maxBytes: 1_000_000 };
    const change = {
      values: ["a", "b"],
      close: false,
      bounds,
      writer: { ...writer, delivery: `d${delivery}` },
    };
    ({ state } = extendStream(state, change));
  }
  expect(state.restarts).toHaveLength(MOST_RESTARTS);
  // The first ten deliveries have begun anew without a restart of their own.
  expect(state.restarts[0]).toMatchObject({ step: "work", fromOffset: 0 });
  expect(state.restarts[1]).toMatchObject({ fromOffset: state.restarts[0]?.at });
});
