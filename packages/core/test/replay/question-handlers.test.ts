/** Choice of the handler that answers a question: the newest that is not withdrawn (questions.Q5). */
import { expect, it } from "vitest";
import { Scope } from "../../src/replay/calls/scope.ts";
import { KvState } from "../../src/replay/code/kv-state.ts";
import { Questions } from "../../src/replay/code/questions.ts";
import type { EventOf } from "../../src/wire/event.ts";
import { questionQueue } from "../../src/wire/question.ts";

it("a handler that is withdrawn twice withdraws no other", () => {
  const questions = new Questions(new KvState(new Map()));
  const handler = () => ({ scope: new Scope(), begin: () => new Scope() });
  questions.register("count", handler());
  const withdraw = questions.register("count", handler());
  withdraw();
  withdraw();
  const asked = { question: "count", messageId: "m", askedAtMs: 0 };
  const event = { type: "ExternalEventPersistent", name: questionQueue(asked), data: "null" };
  expect(questions.arrive(event as EventOf<"ExternalEventPersistent">)).toBe(true);
});
