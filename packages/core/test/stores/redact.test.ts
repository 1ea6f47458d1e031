/** A `redact` that fails shows nothing of the value that it could not judge, and everything else. */
import { expect, it } from "vitest";
import { redactValue } from "../../src/stores/redact.ts";

const value = { name: "Ada", card: { number: 4242 } };

it("does not show a value for which redact throws", () => {
  const redact = (path: string, part: unknown): unknown => {
    if (path.endsWith(".card")) throw new Error("no rule");
    return part;
  };
  expect(redactValue(value, "input", redact)).toEqual({ name: "Ada", card: "(redact failed)" });
});

it("does not show a value for which redact answers with a promise, which may reject", async () => {
  const redact = (path: string, part: unknown): unknown =>
    path.endsWith(".card") ? Promise.reject(new Error("async")) : part;
  expect(redactValue(value, "input", redact)).toEqual({ name: "Ada", card: "(redact failed)" });
  await new Promise((resolve) => setImmediate(resolve));
});
