import { describe, expect, test } from "vitest";
import { evaluate, nowMs, TestContainer } from "../support/container.ts";

describe("functions of points in time", () => {
  test.each([
    ["DateTimeAdd('yyyy', 1, '2020-07-03T00:00:00.0000000')", "2021-07-03T00:00:00.0000000Z"],
    ["DateTimeAdd('mm', -1, '2020-03-31T01:02:03.1234567Z')", "2020-02-29T01:02:03.1234567Z"],
    ["DateTimeAdd('yyyy', 1, '2020-02-29T00:00:00Z')", "2021-02-28T00:00:00.0000000Z"],
    ["DateTimeAdd('dd', 1, '2020-12-31')", "2021-01-01T00:00:00.0000000Z"],
    ["DateTimeAdd('hh', -1, '2020-01-01T00:00:00Z')", "2019-12-31T23:00:00.0000000Z"],
    ["DateTimeAdd('mi', 1, '2020-01-01T00:59:00Z')", "2020-01-01T01:00:00.0000000Z"],
    ["DateTimeAdd('ss', 1, '1969-12-31T23:59:59.5Z')", "1970-01-01T00:00:00.5000000Z"],
    ["DateTimeAdd('ms', 1, '2020-01-01T00:00:00Z')", "2020-01-01T00:00:00.0010000Z"],
    ["DateTimeAdd('mcs', 1, '2020-01-01T00:00:00Z')", "2020-01-01T00:00:00.0000010Z"],
    ["DateTimeAdd('ns', 250, '2020-01-01T00:00:00Z')", "2020-01-01T00:00:00.0000002Z"],
    ["DateTimeAdd('yyyy', 9000, '2020-01-01T00:00:00Z')", undefined],
    ["DateTimeAdd('week', 1, '2020-01-01T00:00:00Z')", undefined],
    ["DateTimeAdd('dd', 0.5, '2020-01-01T00:00:00Z')", undefined],
    ["DateTimeAdd('dd', 1, '2020-02-30T00:00:00Z')", undefined],
    ["DateTimeAdd('dd', 1, 'yesterday')", undefined],
    ["DateTimeBin('2021-01-08T18:35:00.0000000', 'dd')", "2021-01-08T00:00:00.0000000Z"],
    ["DateTimeBin('2021-01-08T18:35:00.0000000', 'hh')", "2021-01-08T18:00:00.0000000Z"],
    ["DateTimeBin('2021-01-08T18:35:00.0000000', 'ss')", "2021-01-08T18:35:00.0000000Z"],
    ["DateTimeBin('2021-01-08T18:35:00.0000000', 'hh', 5)", "2021-01-08T15:00:00.0000000Z"],
    ["DateTimeBin('2021-01-08T18:35:00.0000000', 'dd', 7)", "2021-01-07T00:00:00.0000000Z"],
    [
      "DateTimeBin('2021-01-08T18:35:00.0000000', 'dd', 7, '1601-01-01T00:00:00.0000000')",
      "2021-01-04T00:00:00.0000000Z",
    ],
    ["DateTimeBin('2021-01-08T18:35:00.0000000', 'yyyy')", undefined],
    ["DateTimeBin('2021-01-08T18:35:00.0000000', 'dd', 0)", undefined],
    ["DateTimeDiff('yyyy', '2019-02-04T16:00:00.0000000', '2018-03-05T05:00:00.0000000')", -1],
    ["DateTimeDiff('mm', '2019-02-04T16:00:00.0000000', '2018-03-05T05:00:00.0000000')", -11],
    ["DateTimeDiff('dd', '2019-02-04T16:00:00.0000000', '2018-03-05T05:00:00.0000000')", -336],
    ["DateTimeDiff('hh', '2018-03-05T05:00:00.0000000', '2019-02-04T16:00:00.0000000')", 8075],
    ["DateTimeDiff('ss', '2018-03-05T05:00:00.0000000', '2019-02-04T16:00:00.0000000')", 29_070_000],
    ["DateTimeDiff('ns', '2020-01-01T00:00:00Z', '2020-01-01T00:00:00.0000001Z')", 100],
    ["DateTimeDiff('dd', 1, '2020-01-01T00:00:00Z')", undefined],
    ["DateTimeFromParts(2020, 9, 4)", "2020-09-04T00:00:00.0000000Z"],
    ["DateTimeFromParts(2017, 4, 20, 13, 15, 20, 3456789)", "2017-04-20T13:15:20.3456789Z"],
    ["DateTimeFromParts(2017, 13, 1)", undefined],
    ["DateTimeFromParts(2017, 1, 1, 0, 0, 0, 10000000)", undefined],
    ["DateTimePart('yyyy', '2020-01-02T03:04:05.6789123Z')", 2020],
    ["DateTimePart('m', '2020-01-02T03:04:05.6789123Z')", 1],
    ["DateTimePart('day', '2020-01-02T03:04:05.6789123Z')", 2],
    ["DateTimePart('hh', '2020-01-02T03:04:05.6789123Z')", 3],
    ["DateTimePart('n', '2020-01-02T03:04:05.6789123Z')", 4],
    ["DateTimePart('s', '2020-01-02T03:04:05.6789123Z')", 5],
    ["DateTimePart('ms', '2020-01-02T03:04:05.6789123Z')", 678],
    ["DateTimePart('mcs', '2020-01-02T03:04:05.6789123Z')", 678912],
    ["DateTimePart('ns', '2020-01-02T03:04:05.6789123Z')", 678912300],
    ["DateTimeToTimestamp('2020-07-09T23:20:13.4575530Z')", 1594336813457],
    ["DateTimeToTimestamp('1969-12-31T23:59:59.9999999Z')", -1],
    ["DateTimeToTicks('2020-01-01T00:00:00Z')", 15778368000000000],
    ["TimestampToDateTime(1594227912345)", "2020-07-08T17:05:12.3450000Z"],
    ["TimestampToDateTime(1.5)", undefined],
    ["TimestampToDateTime(1e15)", undefined],
    ["TicksToDateTime(15943368134575530)", "2020-07-09T23:20:13.4575530Z"],
    ["TicksToDateTime(1e25)", undefined],
    ["TicksToDateTime(10000001)", "1970-01-01T00:00:01.0000001Z"],
  ])("%s", (expression, value) => {
    expect(evaluate(expression)).toEqual(value);
  });
});

describe("the current time is that of the endpoint's clock", () => {
  test("in all forms", () => {
    const time = new Date(nowMs).toISOString();
    expect(evaluate("GetCurrentTimestamp()")).toBe(nowMs);
    expect(evaluate("GetCurrentTimestampStatic()")).toBe(nowMs);
    expect(evaluate("GetCurrentDateTime()")).toBe(time.replace("Z", "0000Z"));
    expect(evaluate("GetCurrentDateTimeStatic()")).toBe(time.replace("Z", "0000Z"));
    expect(new TestContainer().page("SELECT VALUE GetCurrentTicks()").rows).toEqual([`${nowMs}0000`]);
  });

  /** docs/reference/cosmos-protocol.md §4. */
  test("it is read again for each row, the static form once", () => {
    const container = new TestContainer([{ id: "a" }, { id: "b" }]);
    const clock = container;
    let reads = 0;
    Object.defineProperty(clock, "clockMs", { get: () => nowMs + reads++ });
    expect(container.query("SELECT VALUE GetCurrentTimestamp() FROM c")).toEqual([nowMs, nowMs + 1]);
    expect(container.query("SELECT VALUE GetCurrentTimestampStatic() FROM c")).toEqual([
      nowMs + 2,
      nowMs + 2,
    ]);
  });

  test("documents are filtered by it", () => {
    const container = new TestContainer([
      { id: "past", t: nowMs - 1 },
      { id: "future", t: nowMs + 1 },
    ]);
    expect(container.query("SELECT VALUE c.id FROM c WHERE c.t <= GetCurrentTimestamp()")).toEqual(["past"]);
  });
});
