/**
 * Documents that Rust accepts are accepted, and mean the same; those that Rust refuses are refused. Thousands of
 * documents, each recorded with Rust's verdict. The exceptions are those of docs/decisions/rust.md.
 */
import { describe, expect, it } from "vitest";
import {
  decodeEvent,
  decodeWorkItem,
  encodeEvent,
  encodeWorkItem,
  WireError,
} from "../../src/stores/index.ts";
import { changeField } from "./change-field.ts";
import {
  type AcceptanceRow,
  acceptanceRows,
  eventVectors,
  type HandMadeRow,
  handMadeRows,
  workItemVectors,
} from "./vectors.ts";

/** The text as read and written again, or the error with which reading refused it. */
function verdict(as: "Event" | "WorkItem", text: string): string | WireError {
  let write: () => string;
  try {
    const document = as === "Event" ? decodeEvent(text) : decodeWorkItem(text);
    write = () => ("kind" in document ? encodeWorkItem(document) : encodeEvent(document));
  } catch (error) {
    if (WireError.is(error)) return error;
    throw error;
  }
  return write();
}

const bases: ReadonlyMap<string, string> = new Map([
  ...eventVectors.map(({ name, raw }) => [`event:${name}`, raw] as const),
  ...workItemVectors.map(({ name, raw }) => [`workitem:${name}`, raw] as const),
]);

function verdictOf({ base, field, change }: AcceptanceRow): string | WireError {
  const text = changeField(bases.get(base) ?? "", field, change);
  return verdict(base.startsWith("event:") ? "Event" : "WorkItem", text);
}

/** The field that the error must name. */
function culprit({ field, change }: AcceptanceRow): string {
  // Type 5 is ActivityFailed, of which these events lack the details.
  if (field === "type" && change === "number_for_string") return "details";
  // A tag that is missing is missed by what holds it.
  return change === "missing" ? field.replace(/(^|\.)[A-Z]\w*$/, "") : field;
}

const rowsWith = (change: string, accepted: boolean): readonly AcceptanceRow[] =>
  acceptanceRows.filter((row) => row.change === change && row.accepted === accepted);

describe("one field of a document", () => {
  it.each(["missing", "null", "number_for_string"])("%s: where Rust fills it in, so do we", (change) => {
    const rows = rowsWith(change, true);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(verdictOf(row), JSON.stringify(row)).toBe(row.reserialised);
  });

  it.each(["missing", "null", "number_for_string", "string_number", "negative"])(
    "%s: where Rust refuses it, so do we, and name the field",
    (change) => {
      const rows = rowsWith(change, false);
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) {
        expect(verdictOf(row), JSON.stringify(row)).toMatchObject({ name: "WireError", path: culprit(row) });
      }
    },
  );

  it("unknown: where Rust ignores it, it is kept", () => {
    const rows = rowsWith("unknown_field_added", true);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const text = verdictOf(row);
      expect(text, JSON.stringify(row)).toEqual(
        expect.stringContaining('"unknown_extra":{"nested":[1,"x"]}'),
      );
      expect(String(text).replace(',"unknown_extra":{"nested":[1,"x"]}', "")).toBe(row.reserialised);
    }
  });

  it("unknown: beside an external tag it is refused", () => {
    const rows = rowsWith("unknown_field_added", false);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const path = row.field.replace(/\.?unknown_extra$/, "");
      expect(verdictOf(row), JSON.stringify(row)).toMatchObject({ code: "invalid-value", path });
    }
  });

  it("exception: a whole number written as 5.0 is accepted", () => {
    const rows = rowsWith("float_integral_5.0", false);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(verdictOf(row), JSON.stringify(row)).toEqual(expect.any(String));
  });

  it("leaves no row of the recording out", () => {
    const covered = [
      "missing",
      "null",
      "number_for_string",
      "string_number",
      "negative",
      "unknown_field_added",
      "float_integral_5.0",
    ];
    expect(acceptanceRows.filter(({ change }) => !covered.includes(change))).toEqual([]);
    expect(acceptanceRows).toHaveLength(2000);
  });
});

describe("a document made by hand", () => {
  const verdictOn = ({ as, text }: HandMadeRow): string | WireError => verdict(as, text);
  const repeatsKey = ({ name }: HandMadeRow): boolean => name.includes("duplicate");

  it.each(handMadeRows.filter(({ accepted }) => accepted))("$as $name is accepted", (row) => {
    const expected =
      row.name === "event_KeyValuesCleared_extra"
        ? row.reserialised?.replace(/}$/, ',"foo":1}')
        : row.reserialised;
    expect(verdictOn(row)).toBe(expected);
  });

  it.each(handMadeRows.filter((row) => !row.accepted && !repeatsKey(row)))("$as $name is refused", (row) => {
    expect(verdictOn(row)).toBeInstanceOf(WireError);
  });

  it.each(handMadeRows.filter(repeatsKey))("exception: $as $name is accepted, the last one counts", (row) => {
    expect(verdictOn(row)).toEqual(expect.any(String));
  });
});
