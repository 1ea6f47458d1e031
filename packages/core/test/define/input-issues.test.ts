/** The findings of a schema, as data of the error. */
import { expect, it } from "vitest";
import * as z from "zod";
import { validate } from "../../src/define/standard-schema.ts";
import { InvalidInputError } from "../../src/index.ts";

const ORDER = z.object({ lines: z.array(z.object({ sku: z.string() })) });

function refusal(run: () => unknown): InvalidInputError {
  try {
    run();
  } catch (error) {
    if (InvalidInputError.is(error)) return error;
  }
  throw new Error("nothing was refused");
}

it("name each place, also those in arrays", () => {
  const { issues } = refusal(() => validate(ORDER, { lines: [{ sku: "a" }, { sku: 1 }] }, "input"));
  expect(issues).toEqual([{ message: expect.any(String), path: ["lines", 1, "sku"] }]);
});

it("are not data that is stored with the error", () => {
  const error = refusal(() => validate(ORDER, {}, "input"));
  expect(Object.keys(error)).not.toContain("issues");
  expect("issues" in new InvalidInputError("no schema")).toBe(false);
});
