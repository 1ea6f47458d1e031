/** Fields that say when, where and as what an activity ran: written behind the fields of Rust, which ignores them. */
import { describe, expect, it } from "vitest";
import { decodeEvent, decodeWorkItem, encodeEvent, encodeWorkItem } from "../../src/stores/index.ts";

const ENVELOPE =
  '"event_id":3,"source_event_id":2,"instance_id":"i","execution_id":1,"timestamp_ms":9,"duroxide_version":"0.1.32"';
const RAN = '"ran":{"started_at_ms":7,"worker_id":"work-0-a","attempt":2}';
const DETAILS = '"details":{"Application":{"kind":"ActivityFailed","message":"declined","retryable":false}}';

const EVENTS: readonly (readonly [string, string, string])[] = [
  ["ActivityCompleted", `{${ENVELOPE},"type":"ActivityCompleted","result":"1"}`, RAN],
  ["ActivityFailed", `{${ENVELOPE},"type":"ActivityFailed",${DETAILS}}`, RAN],
  [
    "ActivityScheduled",
    `{${ENVELOPE},"type":"ActivityScheduled","name":"charge","input":"1"}`,
    '"attempt":2,"retry_of":5,"max_attempts":4',
  ],
  ["TimerCreated, a pause", `{${ENVELOPE},"type":"TimerCreated","fire_at_ms":8}`, '"pause_after":5'],
  ["TimerCreated, a limit", `{${ENVELOPE},"type":"TimerCreated","fire_at_ms":8}`, '"limit_of":5'],
];

describe("an event", () => {
  it.each(EVENTS)("%s is the same bytes with the fields and without", (_name, without, fields) => {
    const withFields = `${without.slice(0, -1)},${fields}}`;
    expect(encodeEvent(decodeEvent(without))).toBe(without);
    expect(encodeEvent(decodeEvent(withFields))).toBe(withFields);
  });

  it.each(['"ran":7', '"ran":{"worker_id":"w"}', '"ran":null'])(
    "stays readable where another program wrote %s",
    (other) => {
      const event = decodeEvent(`{${ENVELOPE},"type":"ActivityCompleted","result":"1",${other}}`);
      expect(event).not.toHaveProperty("ran");
    },
  );

  it("keeps what a later version adds to a run", () => {
    const text = `{${ENVELOPE},"type":"ActivityCompleted","result":"1",${RAN.slice(0, -1)},"zone":"b"}}`;
    expect(encodeEvent(decodeEvent(text))).toBe(text);
  });
});

describe("the completion of an activity", () => {
  const identity = '"instance":"i","execution_id":1,"id":2';

  it.each([
    `{"ActivityCompleted":{${identity},"result":"1"}}`,
    `{"ActivityCompleted":{${identity},"result":"1",${RAN}}}`,
    `{"ActivityFailed":{${identity},${DETAILS}}}`,
    `{"ActivityFailed":{${identity},${DETAILS},${RAN}}}`,
  ])("%s is written back byte for byte", (text) => {
    expect(encodeWorkItem(decodeWorkItem(text))).toBe(text);
  });
});
