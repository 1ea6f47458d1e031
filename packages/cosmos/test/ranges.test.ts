/** The list of physical partitions that the requests of a process share; ranges.RA1 to ranges.RA3. */
import { beforeEach, expect, it } from "vitest";
import { Ranges } from "../src/service/ranges.ts";

const CALL = { operation: "read", untilMs: 0 };

let ranges: Ranges;
let reads: PromiseWithResolvers<readonly string[]>[];
beforeEach(() => {
  reads = [];
  ranges = new Ranges(() => {
    const read = Promise.withResolvers<readonly string[]>();
    reads.push(read);
    return read.promise;
  });
});

it("is read once for all requests (ranges.RA1)", async () => {
  const lists = [ranges.ids(CALL), ranges.ids(CALL)];
  reads[0]?.resolve(["0"]);
  expect(await Promise.all(lists)).toEqual([["0"], ["0"]]);
  expect(await ranges.ids(CALL)).toEqual(["0"]);
  expect(reads).toHaveLength(1);
});

it("is read again after one of its ids is gone, once for all requests that learn of it (ranges.RA2)", async () => {
  const before = ranges.ids(CALL);
  ranges.forget(before);
  const after = ranges.ids(CALL);
  ranges.forget(before);
  expect(ranges.ids(CALL)).toBe(after);
  expect(reads).toHaveLength(2);
});

it("is read again after a read that failed (ranges.RA3)", async () => {
  const failing = ranges.ids(CALL);
  reads[0]?.reject(new Error("the connection was cut"));
  await expect(failing).rejects.toThrow("cut");
  void ranges.ids(CALL);
  expect(reads).toHaveLength(2);
});
