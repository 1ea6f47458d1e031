/** The fields of a form for a JSON schema, and the code that a start is for. */
import { orchestration } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { valueAt, withValue } from "../src/page/parts/value-path.ts";
import { formFields } from "../src/source/form-fields.ts";
import { KnownOrchestrations } from "../src/source/known-orchestrations.ts";

describe("a form for a JSON schema", () => {
  it("has a field for each member, in the order of the schema", () => {
    const properties = {
      b: { type: "string", maxLength: 9 },
      a: { type: "integer", minimum: 1, maximum: 5 },
    };
    expect(formFields({ type: "object", properties, required: ["a"] })).toEqual([
      { path: ["b"], kind: "text", isRequired: false, mostLength: 9 },
      { path: ["a"], kind: "whole", isRequired: true, least: 1, most: 5 },
    ]);
  });

  it("asks for a member of an inner object only where the object is required too", () => {
    const inner = { type: "object", properties: { zip: { type: "string" } }, required: ["zip"] };
    const schema = { type: "object", properties: { home: inner, work: inner }, required: ["home"] };
    expect(formFields(schema)).toEqual([
      { path: ["home", "zip"], kind: "text", isRequired: true },
      { path: ["work", "zip"], kind: "text", isRequired: false },
    ]);
  });

  it("offers the values of an enum, a constant and a boolean", () => {
    const choices = (schema: object): unknown => formFields(schema)?.[0]?.choices;
    expect(choices({ enum: ["a", 1, null] })).toEqual(["a", 1, null]);
    expect(choices({ const: "a" })).toEqual(["a"]);
    expect(choices({ type: "boolean" })).toEqual([true, false]);
  });

  it.each([
    { type: "array", items: { type: "string" } },
    { type: ["string", "null"] },
    { $ref: "#/$defs/node" },
    { anyOf: [{ type: "string" }, { type: "number" }] },
    { type: "object", properties: { a: {} }, allOf: [{ required: ["a"] }] },
    { type: "object", properties: { a: {} }, additionalProperties: { type: "string" } },
    { type: "object" },
    { enum: [{ a: 1 }] },
    {},
  ])("leaves %j to JSON", (schema) => {
    expect(formFields(schema)).toEqual([{ path: [], kind: "json", isRequired: true }]);
  });

  it("leaves what is nested deeper than three objects to JSON", () => {
    const nested = (depth: number): object =>
      depth === 0 ? { type: "string" } : { type: "object", properties: { in: nested(depth - 1) } };
    expect(formFields(nested(3))?.[0]).toMatchObject({ path: ["in", "in", "in"], kind: "text" });
    expect(formFields(nested(9))?.[0]).toMatchObject({ path: ["in", "in", "in"], kind: "json" });
  });

  it("is none for what is no schema", () => {
    for (const schema of [undefined, null, true, "x", []]) expect(formFields(schema)).toBeUndefined();
  });

  it("says what a member is for, and what stands for it where it is empty", () => {
    const schema = { type: "string", title: "Note", description: "For the customer.", default: "none" };
    expect(formFields(schema)).toEqual([
      {
        path: [],
        kind: "text",
        isRequired: true,
        title: "Note",
        hint: 'For the customer. Empty for "none".',
      },
    ]);
  });
});

describe("the orchestrations that a dashboard knows", () => {
  const of = (version: string, input: z.ZodType): ReturnType<typeof orchestration<unknown, unknown>> =>
    orchestration("refund", { version, input }, async () => "done");

  it("have the fields of their schema, if it has a JSON form", () => {
    const known = new KnownOrchestrations([of("2.0.0", z.date()), of("1.0.0", z.string())]);
    expect(known.inputs).toEqual([
      { name: "refund", version: "1.0.0", fields: [{ path: [], kind: "text", isRequired: true }] },
      { name: "refund", version: "2.0.0" },
    ]);
  });

  it("are found by version, and without one only where there is no choice", () => {
    const [one, two] = [of("1.0.0", z.string()), of("2.0.0", z.string())];
    expect(new KnownOrchestrations([one]).find("refund", undefined)).toBe(one);
    const known = new KnownOrchestrations([one, two]);
    expect(known.find("refund", undefined)).toBeUndefined();
    expect(known.find("refund", "2.0.0")).toBe(two);
    expect(known.find("refund", "3.0.0")).toBeUndefined();
    expect(known.find("other", undefined)).toBeUndefined();
  });
});

describe("a part of a value", () => {
  it("is replaced in a copy", () => {
    const value = { a: { b: 1 }, c: 2 };
    expect(withValue(value, ["a", "b"], 3)).toEqual({ a: { b: 3 }, c: 2 });
    expect(value).toEqual({ a: { b: 1 }, c: 2 });
    expect(valueAt(value, ["a", "b"])).toBe(1);
    expect(valueAt(value, ["c", "b"])).toBeUndefined();
  });

  it("takes objects with it that become empty", () => {
    expect(withValue({ a: { b: 1 }, c: 2 }, ["a", "b"], undefined)).toEqual({ c: 2 });
    expect(withValue({ a: { b: 1 } }, ["a", "b"], undefined)).toBeUndefined();
  });

  it("may have any name", () => {
    const value = withValue(undefined, ["__proto__", "constructor"], 1);
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect(valueAt(value, ["__proto__", "constructor"])).toBe(1);
    expect(valueAt({}, ["constructor"])).toBeUndefined();
  });
});
