/** The client tells the store that an id is new only where it has drawn it itself. */
import { Client, type Provider } from "@duroxide-ts/core";
import { expect, it } from "vitest";

it.each([
  ["no id", {}, true],
  ["no id, but a deadline", { timeout: { minutes: 1 } }, true],
  ["an id", { instanceId: "order-42" }, false],
  ["an id and a deadline", { instanceId: "order-42", timeout: { minutes: 1 } }, false],
  ["an id that others may start too", { instanceId: "order-42", ifExists: "fail" }, false],
] as const)("a start with %s", async (_name, options, isNewId) => {
  const hints: unknown[] = [];
  const provider = {
    name: "obliging",
    version: "1.0.0",
    async enqueueForOrchestrator(_start: unknown, _delayMs: unknown, { isNewId }: { isNewId?: boolean }) {
      hints.push(isNewId);
      return "stored";
    },
    async startInstance(_start: unknown, { isNewId }: { isNewId?: boolean }) {
      hints.push(isNewId);
      return { kind: "stored", created: true };
    },
  } as unknown as Provider;
  await new Client(provider).start("checkout", options);
  expect(hints).toEqual([isNewId]);
});
