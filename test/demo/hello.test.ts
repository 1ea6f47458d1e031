/** The first program that a newcomer reads runs, and prints what it says. */
import { expect, it, vi } from "vitest";

it("the hello program greets everybody", async () => {
  const print = vi.spyOn(console, "log").mockImplementation(() => {});
  await import("../../examples/hello.ts");
  expect(print.mock.calls).toEqual([[["Hello, Ada!", "Hello, Grace!", "Hello, Barbara!"]]]);
  print.mockRestore();
});
